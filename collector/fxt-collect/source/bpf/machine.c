// SPDX-License-Identifier: GPL-2.0-or-later
/* machine.c - see machine.h. */
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine.h"
#include "process/privilege.h"

#define BTF_FILE	"/sys/kernel/btf/vmlinux"
#define PID_MAX_FILE	"/proc/sys/kernel/pid_max"

/* Whole blocks, see bpf/threads.bpf.h; threads live on if pid_max is lowered below their ids. */
#define MIN_THREADS	(1U << 15)
#define MAX_THREADS	(1U << 22)	/* the kernel's PID_MAX_LIMIT */

#define MIN_NAMES_BYTES	(64U << 10)	/* a page, on any machine */
#define MAX_NAMES_BYTES	(256U << 20)

int machine_refused(struct error *e, int err, const char *what)
{
	if (err == -EPERM || err == -EACCES)
		return fail(e, EXIT_PERMISSION, err,
			    "%s: %s; run as root, or with CAP_BPF and CAP_PERFMON, on a kernel that is not locked down; before Linux 5.11 also with ulimit -l unlimited",
			    what, strerror(-err));
	if (err == -ENOMEM || err == -E2BIG)
		return fail(e, EXIT_FAILED, err,
			    "%s: %s; use a smaller --buffer",
			    what, strerror(-err));
	return fail(e, EXIT_NO_SOURCE, err,
		    "%s: %s; this kernel lacks BPF features (Linux 5.8 or later with BTF is required); use the kernel module",
		    what, strerror(-err));
}

int machine_has_bpf(struct error *e)
{
	const char *missing = privilege_missing();
	int fd;

	if (access(BTF_FILE, R_OK))
		return fail(e, EXIT_NO_SOURCE, -errno,
			    BTF_FILE ": %s: BPF needs a kernel built with CONFIG_DEBUG_INFO_BTF: use the kernel module",
			    strerror(errno));
	if (missing)
		return fail(e, EXIT_PERMISSION, -EPERM,
			    "BPF: %s is missing; run as root, or with CAP_BPF and CAP_PERFMON (CAP_SYS_ADMIN before Linux 5.8)",
			    missing);
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, NULL, 4, 4, 1, NULL);
	if (fd < 0)
		return machine_refused(e, -errno, "create a BPF map");
	close(fd);
	return 0;
}

unsigned long long machine_number(const char *file, const char *key)
{
	unsigned long long n = 0;
	char line[256];
	FILE *f = fopen(file, "re");

	if (!f)
		return 0;
	while (!n && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			n = strtoull(line + strlen(key), NULL, 10);
	fclose(f);
	return n;
}

unsigned int machine_threads(void)
{
	unsigned long long pid_max = machine_number(PID_MAX_FILE, "");
	unsigned int threads = MIN_THREADS;

	while (threads < MAX_THREADS && threads < pid_max)
		threads *= 2;
	return threads;
}

unsigned int machine_names_bytes(unsigned int cpus, const struct source_config *c)
{
	uint64_t need = cpus * source_names_bytes(c->subbuf_count * c->subbuf_size);
	unsigned int bytes = MIN_NAMES_BYTES;

	while (bytes < MAX_NAMES_BYTES && bytes < need)
		bytes *= 2;
	return bytes;
}

int machine_check_memory(unsigned int cpus, const struct source_config *c,
			 struct error *e)
{
	unsigned long long need, have = machine_number("/proc/meminfo", "MemAvailable:");

	/* An allocation that does not fit could get other processes killed first. */
	need = ((unsigned long long)cpus * c->subbuf_count * c->subbuf_size +
		machine_names_bytes(cpus, c)) >> 10;
	if (!have || need <= have / 4 * 3)
		return 0;
	return fail(e, EXIT_FAILED, -ENOMEM,
		    "buffers of %u CPUs: %llu MiB exceed the %llu MiB of available memory; use a smaller --buffer",
		    cpus, need >> 10, have >> 10);
}

/* --- NUMA nodes --- */

/* The kernel refuses a mask that is shorter than its own; none has more than 1024 nodes. */
#define NODES		1024
#define WORD_BITS	(8 * sizeof(unsigned long))
#define NODES_WORDS	(NODES / WORD_BITS)

/* The number of nodes that this thread may use, 0 on error. */
static int allowed_nodes(unsigned long *mask)
{
	int count = 0;
	size_t i;

	if (syscall(SYS_get_mempolicy, NULL, mask, NODES, NULL, MPOL_F_MEMS_ALLOWED))
		return 0;
	for (i = 0; i < NODES_WORDS; i++)
		count += __builtin_popcountl(mask[i]);
	return count;
}

bool machine_spread(void)
{
	unsigned long mask[NODES_WORDS] = { 0 };
	int policy;

	if (syscall(SYS_get_mempolicy, &policy, NULL, 0, NULL, 0) || policy != MPOL_DEFAULT ||
	    allowed_nodes(mask) < 2)
		return false;
	return !syscall(SYS_set_mempolicy, MPOL_INTERLEAVE, mask, NODES);
}

void machine_gather(void)
{
	syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0);
}
