// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel before and after: its log, kmemleak's findings, counts of BPF objects, of relay
 * buffers and of the module's users.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stress.h"
#include "workload.h"

#define KMEMLEAK	"/sys/kernel/debug/kmemleak"
/* kmemleak reports no object that is younger than 5 s. */
#define KMEMLEAK_AGE_MS	6000

static const int bpf_ids[] = {
	BPF_PROG_GET_NEXT_ID, BPF_MAP_GET_NEXT_ID, BPF_LINK_GET_NEXT_ID, BPF_BTF_GET_NEXT_ID,
};

static const char * const bpf_what[] = { "programs", "maps", "links", "type information" };

#define KINDS	(sizeof(bpf_ids) / sizeof(*bpf_ids))

_Static_assert(sizeof(((struct kernel *)0)->bpf) / sizeof(unsigned int) == KINDS,
	       "one count each");

static unsigned int count_bpf(int command)
{
	union bpf_attr attr = { .start_id = 0 };
	unsigned int n = 0;

	while (!syscall(SYS_bpf, command, &attr, sizeof(attr))) {
		uint32_t id = attr.next_id;

		n++;
		attr = (union bpf_attr){ .start_id = id };
	}
	return n;
}

static int kmemleak(const char *command)
{
	int fd = open(KMEMLEAK, O_WRONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -1;
	ret = write(fd, command, strlen(command)) < 0 ? -1 : 0;
	close(fd);
	return ret;
}

void kernel_look(struct kernel *k)
{
	for (size_t i = 0; i < KINDS; i++)
		k->bpf[i] = count_bpf(bpf_ids[i]);
	k->log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	lseek(k->log, 0, SEEK_END);
	kmemleak("clear");
	stress_note("begins");
}

int kernel_settle(const struct kernel *k, struct why *why)
{
	unsigned int now = 0, waited;

	for (size_t i = 0; i < KINDS; i++) {
		for (waited = 0; waited < PATIENCE_MS; waited += 20) {
			now = count_bpf(bpf_ids[i]);
			if (now <= k->bpf[i])
				break;
			sleep_ms(20);
		}
		if (now > k->bpf[i])
			return complain(why, "BPF's %s: there were %u, now there are %u",
					bpf_what[i], k->bpf[i], now);
	}
	return 0;
}

static bool find_relay(char *line, size_t room)
{
	FILE *f = fopen("/proc/vmallocinfo", "re");
	bool found = false;

	while (f && !found && fgets(line, room, f))
		found = strstr(line, "relay_");
	if (f)
		fclose(f);
	return found;
}

/* A session ends a little after its device was closed, if a grace period takes long. */
static int check_relay(struct why *why)
{
	char line[512] = "";
	bool found = true;

	for (int waited = 0; found && waited < PATIENCE_MS; waited += 20) {
		found = find_relay(line, sizeof(line));
		if (found)
			sleep_ms(20);
	}
	return found ? complain(why, "relay's memory is left: %.300s", line) : 0;
}

static int check_holders(struct why *why)
{
	char path[] = "/sys/module/fxt_sched/refcnt";
	FILE *f = fopen(path, "re");
	int holders = 0;

	if (f && fscanf(f, "%d", &holders) != 1)
		holders = -1;
	if (f)
		fclose(f);
	return holders ? complain(why, "the module is held by %d, and nobody uses it", holders) : 0;
}

/* The same patterns as kernel_log.sh looks for in the whole log. */
static const char *fault_in(const char *line)
{
	static const char * const faults[] = {
		"WARNING: ", "BUG:", "Oops", "KASAN", "UBSAN", "KCSAN", "general protection",
		"possible circular", "possible recursive", "inconsistent lock state",
		"suspicious RCU", "scheduling while atomic", "sleeping function called",
		"unable to handle", "refcount_t:", "self-detected stall", "detected stalls",
		"blocked for more than", "new suspected memory leaks",
	};

	/* The kernel has data races that it considers harmless. */
	if (strstr(line, "KCSAN") && !strstr(line, "fxt"))
		return NULL;
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		if (strstr(line, faults[i]))
			return faults[i];
	return NULL;
}

static int check_log(int log, struct why *why)
{
	char record[4096], *line;
	ssize_t n;

	while ((n = read(log, record, sizeof(record) - 1)) > 0 || (n < 0 && errno == EPIPE)) {
		if (n < 0)
			continue;
		record[n] = '\0';
		line = strchr(record, ';');
		if (line && fault_in(line))
			return complain(why, "the kernel's log says: %.400s", line + 1);
	}
	return 0;
}

/* A function without a name belonged to an unloaded module, which can only be fxt_sched. */
static bool names_us(const char *line)
{
	const char *p = strrchr(line, ' ');

	if (strstr(line, "fxt_") || strstr(line, "relay_"))
		return true;
	return line[0] == ' ' && p && !strncmp(p, " 0xffff", 7);
}

static int check_kmemleak(struct why *why)
{
	char line[512], object[256] = "";
	bool found = false;
	FILE *f;

	if (access(KMEMLEAK, F_OK))
		return 0;
	sleep_ms(KMEMLEAK_AGE_MS);
	/* An object that moves during a scan can look leaked, but not in two scans. */
	if (kmemleak("scan") || kmemleak("scan"))
		return complain(why, "kmemleak does not scan: %s", strerror(errno));
	f = fopen(KMEMLEAK, "re");
	while (f && !found && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "unreferenced", 12))
			snprintf(object, sizeof(object), "%.250s", line);
		found = names_us(line);
	}
	if (f)
		fclose(f);
	stress_note("kmemleak found %s", found ? "a leak" : "nothing that names us");
	return found ? complain(why, "kmemleak: %.200s: %.200s", object, line) : 0;
}

int kernel_check(struct kernel *k, struct why *why)
{
	int ret = kernel_settle(k, why);

	if (!ret)
		ret = check_relay(why);
	if (!ret)
		ret = check_holders(why);
	if (!ret)
		ret = check_kmemleak(why);
	if (!ret)
		ret = check_log(k->log, why);
	close(k->log);
	k->log = -1;
	return ret;
}
