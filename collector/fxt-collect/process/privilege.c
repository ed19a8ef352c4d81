// SPDX-License-Identifier: GPL-2.0-or-later
/* privilege.c - see privilege.h. Invariant: dropped privileges cannot come back. */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <linux/fxt_sched.h>

#include "privilege.h"

/* --- lockdown --------------------------------------------------------------------------- */

/* The kernel's line is "none [integrity] confidentiality", in which brackets mark the level. */

#define LOCKDOWN_FILE	"/sys/kernel/security/lockdown"

const char *lockdown_level(void)
{
	FILE *f = fopen(LOCKDOWN_FILE, "re");
	char line[128] = "";

	if (!f)
		return NULL;
	if (!fgets(line, sizeof(line), f))
		line[0] = '\0';
	fclose(f);
	if (strstr(line, "[integrity]"))
		return "integrity";
	return strstr(line, "[confidentiality]") ? "confidentiality" : NULL;
}

/* --- privileges ------------------------------------------------------------------------- */

/*
 * Clear all sets but the bounding set, which every program of a user has. The kernel removes
 * capabilities that are not inheritable from the ambient set.
 */
static int give_up_all(void)
{
	cap_t none = cap_init();
	int ret = 0;

	if (!none)
		return -ENOMEM;
	if (cap_set_proc(none))
		ret = -errno;
	cap_free(none);
	return ret;
}

int privilege_become(const struct invoker *who)
{
	int ret = invoker_become(who);

	return ret || !who->known ? ret : give_up_all();
}

/* --- capabilities ----------------------------------------------------------------- */

static bool is_held(cap_t caps, cap_value_t cap, cap_flag_t set)
{
	cap_flag_value_t value;

	return !cap_get_flag(caps, cap, set, &value) && value == CAP_SET;
}

const char *privilege_missing(void)
{
	cap_t caps = cap_get_proc();
	const char *missing = NULL;

	if (!caps)
		return NULL;
	if (is_held(caps, CAP_SYS_ADMIN, CAP_EFFECTIVE))
		;
	else if (!CAP_IS_SUPPORTED(CAP_BPF))
		missing = "CAP_SYS_ADMIN";
	else if (!is_held(caps, CAP_BPF, CAP_EFFECTIVE))
		missing = "CAP_BPF";
	else if (!is_held(caps, CAP_PERFMON, CAP_EFFECTIVE))
		missing = "CAP_PERFMON";
	cap_free(caps);
	return missing;
}

/* The capabilities to keep. Return: their number */
static int choose(unsigned int keep, cap_value_t *left)
{
	int n = 0;

	if (keep & PRIVILEGE_KEEP_FILES)
		left[n++] = CAP_DAC_OVERRIDE;
	if (keep & PRIVILEGE_KEEP_KILL)
		left[n++] = CAP_KILL;
	if (keep & PRIVILEGE_KEEP_PERF)
		left[n++] = CAP_IS_SUPPORTED(CAP_PERFMON) ? CAP_PERFMON : CAP_SYS_ADMIN;
	if (keep & PRIVILEGE_KEEP_BPF)
		left[n++] = CAP_IS_SUPPORTED(CAP_BPF) ? CAP_BPF : CAP_SYS_ADMIN;
	return n;
}

bool privilege_needs_bpf(int (*call)(void *arg), void *arg)
{
	const cap_value_t bpf[] = { CAP_SYS_ADMIN, CAP_BPF };
	cap_t before = cap_get_proc(), without = cap_get_proc();
	int count = CAP_IS_SUPPORTED(CAP_BPF) ? 2 : 1, ret = -EPERM;

	if (before && without && !cap_set_flag(without, CAP_EFFECTIVE, count, bpf, CAP_CLEAR) &&
	    !cap_set_proc(without)) {
		ret = call(arg);
		cap_set_proc(before);
	}
	cap_free(before);
	cap_free(without);
	return ret == -EPERM;
}

/* Keep only the permitted capabilities of @left, none inheritable. */
static int set_left(const cap_value_t *left, int count)
{
	cap_t before = cap_get_proc(), after = cap_init();
	int i, ret = 0;

	for (i = 0; before && after && i < count && !ret; i++)
		if (is_held(before, left[i], CAP_PERMITTED) &&
		    (cap_set_flag(after, CAP_PERMITTED, 1, &left[i], CAP_SET) ||
		     cap_set_flag(after, CAP_EFFECTIVE, 1, &left[i], CAP_SET)))
			ret = -errno;
	if (!before || !after || (!ret && cap_set_proc(after)))
		ret = -errno;
	cap_free(before);
	cap_free(after);
	return ret;
}

/*
 * Reducing the bounding set takes CAP_SETPCAP. Without that, no_new_privs alone keeps executed
 * programs from gaining capabilities.
 */
static void empty_bounding_set(void)
{
	cap_value_t cap;

	for (cap = 0; CAP_IS_SUPPORTED(cap); cap++)
		cap_drop_bound(cap);
}

int privilege_drop(unsigned int keep, struct error *e)
{
	cap_value_t left[5];
	int ret = 0;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		ret = -errno;
	if (!ret) {
		empty_bounding_set();
		ret = set_left(left, choose(keep, left));
	}
	if (!ret)
		return 0;
	return fail(e, EXIT_FAILED, ret,
		    "cannot drop capabilities: %s; this is a bug, or a security module refuses it; please report it",
		    strerror(-ret));
}

/* --- system calls ----------------------------------------------------------------------- */

/*
 * Restrict system calls once recording has started.
 *
 * Invariant: under the seccomp filter, records are fetched, the module's session is started and
 * stopped, open files are written and cut, threads created and COMMAND waited for, and with stacks
 * of programs or samples perf events opened; but no file is created, renamed, removed or opened for
 * writing, no program executed, no other process's memory read, no BPF program loaded, none
 * attached but to a perf event, no socket, mount or identity changed, and no memory made
 * executable.
 */

/* Allowed with any arguments. System calls that an architecture lacks are skipped. */
static const char * const allowed[] = {
	/* files, including the module's */
	"read", "readv", "pread64", "preadv", "write", "writev", "pwrite64", "lseek", "_llseek",
	"close", "close_range", "stat", "lstat", "fstat", "newfstatat", "fstatat64", "fstat64",
	"statx", "statfs", "fstatfs", "access", "faccessat", "faccessat2", "readlink",
	"readlinkat", "getdents64", "getcwd", "ftruncate", "ftruncate64", "fsync", "fdatasync",
	"dup", "dup2", "dup3", "fcntl", "fcntl64", "pipe2", "flock", "fadvise64",
	"sync_file_range",
	/* the socket of the broker; a receiver's connection, which the broker opens */
	"sendmsg", "recvmsg", "shutdown",
	/* links to the processes that read files */
	"socketpair",
	/* waiting */
	"poll", "ppoll", "select", "pselect6", "epoll_create1", "epoll_ctl", "epoll_wait",
	"epoll_pwait", "epoll_pwait2", "eventfd2", "signalfd4", "timerfd_create",
	"timerfd_settime", "timerfd_gettime", "nanosleep", "clock_nanosleep",
	"restart_syscall",
	/* time and identity */
	"clock_gettime", "clock_gettime64", "clock_getres", "gettimeofday", "time", "getpid",
	"gettid", "getppid", "getuid", "geteuid", "getgid", "getegid", "getpgid",
	"uname", "sysinfo", "getrandom", "getrusage", "getcpu", "getrlimit",
	/* memory and threads */
	"brk", "munmap", "mremap", "madvise", "membarrier", "futex", "futex_time64",
	"set_robust_list", "get_robust_list", "set_tid_address", "rseq", "exit", "exit_group",
	"sched_yield", "sched_getaffinity", "sched_setaffinity", "sched_getparam",
	"sched_getscheduler", "sched_get_priority_max", "sched_get_priority_min",
	"getpriority", "setpriority",
	/* a thread can only drop more with it */
	"capset",
	/* signals and COMMAND */
	"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "rt_sigtimedwait",
	"sigaltstack", "kill", "tgkill", "wait4", "waitid", "pidfd_send_signal",
};

struct condition {
	const char *name;
	struct scmp_arg_cmp when;
};

/* The broker creates and renames files. */
#define ONLY_TO_READ(flags) \
	{ flags, SCMP_CMP_MASKED_EQ, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY }

/* The kernel takes 32 bits of it, which a C library may have extended by their sign. */
#define ONLY_REQUEST(request) \
	{ 1, SCMP_CMP_MASKED_EQ, UINT32_MAX, request }

static const struct condition conditions[] = {
	{ "open", ONLY_TO_READ(1) },
	{ "openat", ONLY_TO_READ(2) },
	{ "mmap", { 2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0 } },
	{ "mmap2", { 2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0 } },
	{ "mprotect", { 2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0 } },
#ifdef __s390x__
	{ "clone", { 1, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD } },
#else
	{ "clone", { 0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD } },
#endif
	{ "ioctl", ONLY_REQUEST(TIOCGWINSZ) },
	{ "ioctl", ONLY_REQUEST(TCGETS) },
	/* Not FXT_SCHED_IOC_CONFIGURE: the session is configured. */
	{ "ioctl", ONLY_REQUEST(FXT_SCHED_IOC_STREAM) },
	{ "ioctl", ONLY_REQUEST(FXT_SCHED_IOC_START) },
	{ "ioctl", ONLY_REQUEST(FXT_SCHED_IOC_STOP) },
	{ "ioctl", ONLY_REQUEST(FXT_SCHED_IOC_FREEZE) },
	{ "ioctl", ONLY_REQUEST(FXT_SCHED_IOC_THAW) },
	{ "ioctl", ONLY_REQUEST(FXT_SCHED_IOC_LIMITS) },
	{ "ioctl", ONLY_REQUEST(FXT_SCHED_IOC_STATUS) },
	{ "ioctl", ONLY_REQUEST(FXT_SCHED_IOC_COUNTERS) },
	{ "ioctl", ONLY_REQUEST(FXT_SCHED_IOC_FLUSH) },
	{ "ioctl", ONLY_REQUEST(FXT_SCHED_IOC_MARK) },
	/* Limits may be read, not set. */
	{ "prlimit64", { 2, SCMP_CMP_EQ, 0, 0 } },
};

/* CPUs that come online need their own perf events, with the BPF program for samples. */
static const struct condition perf[] = {
	{ "perf_event_open", { 4, SCMP_CMP_EQ, PERF_FLAG_FD_CLOEXEC, 0 } },
	{ "ioctl", ONLY_REQUEST(PERF_EVENT_IOC_SET_BPF) },
};

/* A loaded BPF program may run once, on one CPU. */
static const struct condition run = {
	"bpf", { 0, SCMP_CMP_EQ, BPF_PROG_TEST_RUN, 0 },
};

static int add_rule(scmp_filter_ctx filter, uint32_t action, const char *name,
		    const struct scmp_arg_cmp *when)
{
	int call = seccomp_syscall_resolve_name(name);

	/* A call that libseccomp does not know stays forbidden. */
	if (call == __NR_SCMP_ERROR)
		return 0;
	return seccomp_rule_add_array(filter, action, call, !!when, when);
}

static int add_rules(scmp_filter_ctx filter, unsigned int keep)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < sizeof(allowed) / sizeof(allowed[0]) && !ret; i++)
		ret = add_rule(filter, SCMP_ACT_ALLOW, allowed[i], NULL);
	for (i = 0; i < sizeof(conditions) / sizeof(conditions[0]) && !ret; i++)
		ret = add_rule(filter, SCMP_ACT_ALLOW, conditions[i].name, &conditions[i].when);
	for (i = 0; keep & PRIVILEGE_KEEP_PERF && i < sizeof(perf) / sizeof(perf[0]) && !ret; i++)
		ret = add_rule(filter, SCMP_ACT_ALLOW, perf[i].name, &perf[i].when);
	if (!ret && keep & PRIVILEGE_KEEP_RUN)
		ret = add_rule(filter, SCMP_ACT_ALLOW, run.name, &run.when);
	/* Its flags are in memory, which a filter cannot read: libc falls back to clone(2). */
	ret = ret ? ret : add_rule(filter, SCMP_ACT_ERRNO(ENOSYS), "clone3", NULL);
	return ret;
}

/* A kernel that has seccomp fails with EFAULT for a filter at NULL. */
static bool has_seccomp(void)
{
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) && errno == EFAULT;
}

int privilege_confine(unsigned int keep, struct error *e)
{
	scmp_filter_ctx filter;
	int ret;

	if (!has_seccomp())
		return 0;
	filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	ret = filter ? add_rules(filter, keep) : -ENOMEM;
	/* Include existing threads. */
	ret = ret ? ret : seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
	ret = ret ? ret : seccomp_load(filter);
	seccomp_release(filter);
	if (!ret)
		return 0;
	return fail(e, EXIT_FAILED, ret,
		    "cannot install the system call filter: %s; this is a bug, please report it",
		    strerror(-ret));
}
