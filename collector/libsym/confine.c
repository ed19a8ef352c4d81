// SPDX-License-Identifier: GPL-2.0-or-later
/* confine.c - see confine.h. */
#include <errno.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/capability.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine.h"

#define MEMORY_MOST	(2UL << 30)	/* of address space, also for files read in parts */
#define CONVERTER_MOST	((rlim_t)CONFINE_CONVERTER_GIB << 30)	/* likewise; a converter maps its input */
#define CPU_SECONDS	5

static const char * const allowed[] = {
	"read", "readv", "pread64", "lseek", "_llseek", "fstat", "fstat64", "close", "dup",
	"recvmsg", "recvfrom", "recv", "sendmsg", "sendto", "send", "socketcall",
	"brk", "munmap", "mremap", "madvise", "futex", "getrandom", "clock_gettime",
	"rt_sigreturn", "exit", "exit_group", "restart_syscall", "getpid", "gettid",
	/* The address sanitizer asks for its stack before a process ends. */
	"sigaltstack",
};

static const char * const for_writing[] = {
	"write", "writev", "pwrite64", "ftruncate", "ftruncate64", "readlink", "sysinfo",
	"set_robust_list",
	/* For questions to a struct elf_server, and for waiting. */
	"socketpair", "poll", "ppoll", "ppoll_time64", "clock_gettime64",
	/* For threads that decompress; see also clone() below. */
	"eventfd2", "sched_getaffinity", "rt_sigprocmask", "rseq",
};

struct condition {
	const char *name;
	struct scmp_arg_cmp when;
};

static const struct condition conditions[] = {
	{ "mmap", { 2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0 } },
	{ "mmap2", { 2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0 } },
	{ "mprotect", { 2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0 } },
	/* libc uses it as fstat(). With a path, it shows what the user may know of a file. */
	{ "newfstatat", { 3, SCMP_CMP_MASKED_EQ, 0x1000, 0x1000 } },
};

static const struct condition threads = {
#ifdef __s390x__
	"clone", { 1, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD }
#else
	"clone", { 0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD }
#endif
};

static int add_rule(scmp_filter_ctx filter, const char *name, const struct scmp_arg_cmp *when)
{
	int call = seccomp_syscall_resolve_name(name);

	/* If libseccomp does not know the call, it stays forbidden. */
	return call == __NR_SCMP_ERROR ? 0 :
	       seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, !!when, when);
}

/* A filter cannot see what clone3() creates. Without it, libc uses clone(). */
static int allow_threads(scmp_filter_ctx filter)
{
	int call = seccomp_syscall_resolve_name("clone3"), ret = 0;

	if (call != __NR_SCMP_ERROR)
		ret = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), call, 0);
	return ret ? ret : add_rule(filter, threads.name, &threads.when);
}

/* A kernel with seccomp fails with EFAULT for a filter at NULL. */
static bool has_seccomp(void)
{
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) && errno == EFAULT;
}

static int filter_calls(bool writes)
{
	scmp_filter_ctx filter;
	size_t i;
	int ret;

	if (!has_seccomp())
		return 0;
	filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	ret = filter ? 0 : -ENOMEM;
	for (i = 0; i < sizeof(allowed) / sizeof(allowed[0]) && !ret; i++)
		ret = add_rule(filter, allowed[i], NULL);
	for (i = 0; i < sizeof(for_writing) / sizeof(for_writing[0]) && writes && !ret; i++)
		ret = add_rule(filter, for_writing[i], NULL);
	for (i = 0; i < sizeof(conditions) / sizeof(conditions[0]) && !ret; i++)
		ret = add_rule(filter, conditions[i].name, &conditions[i].when);
	if (!ret && writes)
		ret = allow_threads(filter);
	ret = ret ? ret : seccomp_load(filter);
	seccomp_release(filter);
	return ret;
}

/* Set a limit, unless a lower one is set already. */
static int limit(int resource, rlim_t most)
{
	struct rlimit l;

	if (getrlimit(resource, &l))
		return -errno;
	l.rlim_max = l.rlim_max < most ? l.rlim_max : most;
	l.rlim_cur = l.rlim_cur < l.rlim_max ? l.rlim_cur : l.rlim_max;
	return setrlimit(resource, &l) ? -errno : 0;
}

/* Memory in use, which is a lot with a sanitizer. */
static rlim_t has_memory(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (f && fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return (rlim_t)pages * sysconf(_SC_PAGESIZE);
}

static int drop_capabilities(void)
{
	cap_t none = cap_init();
	int ret = none ? 0 : -ENOMEM;

	if (none && cap_set_proc(none))
		ret = -errno;
	cap_free(none);
	return ret;
}

static int confine(rlim_t memory, bool writes)
{
	int ret = drop_capabilities();

	ret = ret ? ret : limit(RLIMIT_AS, has_memory() + memory);
	ret = ret ? ret : limit(RLIMIT_CORE, 0);
	if (!ret && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		ret = -errno;
	return ret ? ret : filter_calls(writes);
}

int confine_reader(void)
{
	int ret = limit(RLIMIT_CPU, CPU_SECONDS);

	ret = ret ? ret : limit(RLIMIT_FSIZE, 0);
	return ret ? ret : confine(MEMORY_MOST, false);
}

int confine_converter(void)
{
	return confine(CONVERTER_MOST, true);
}

void confine_close_from(int first)
{
	int fd, most = sysconf(_SC_OPEN_MAX);

#ifdef SYS_close_range
	if (!syscall(SYS_close_range, first, ~0U, 0))
		return;
#endif
	for (fd = first; fd < most; fd++)
		close(fd);
}
