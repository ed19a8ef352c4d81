// SPDX-License-Identifier: GPL-2.0-or-later
/* host.c - see host.h. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libperfetto/perfetto.h"
#include "host.h"
#include "source/source.h"

/* --- the machine ------------------------------------------------------------------ */

static FILE *open_below(const char *root, const char *path)
{
	char whole[PATH_MAX];

	if (snprintf(whole, sizeof(whole), "%s%s", root, path) >= PATH_MAX)
		return NULL;
	return fopen(whole, "re");
}

/* Read the first line of a file, "" if there is none. */
static void read_line(const char *root, const char *path, char *text, int room)
{
	FILE *f = open_below(root, path);

	if (!f || !fgets(text, room, f))
		*text = '\0';
	text[strcspn(text, "\n")] = '\0';
	if (f)
		fclose(f);
}

static int add_cpu(struct host *h, unsigned long number)
{
	struct host_cpu *cpus;

	if (number >= MAX_CPUS || number < h->cpu_count)
		return 0;
	cpus = realloc(h->cpus, (number + 1) * sizeof(*cpus));
	if (!cpus)
		return -ENOMEM;
	memset(cpus + h->cpu_count, 0, (number + 1 - h->cpu_count) * sizeof(*cpus));
	h->cpus = cpus;
	h->cpu_count = number + 1;
	return 0;
}

/* Parse "key<tab>: value". Return: the value without surrounding blanks; NULL for another key */
static char *value_of(char *line, const char *key)
{
	size_t length = strlen(key);
	char *value, *end;

	if (strncmp(line, key, length))
		return NULL;
	value = line + length + strspn(line + length, " \t");
	if (*value != ':')
		return NULL;
	value += 1 + strspn(value + 1, " \t");
	for (end = value + strlen(value); end > value && isspace((unsigned char)end[-1]); )
		*--end = '\0';
	return value;
}

/* /proc/cpuinfo has names of processors on x86, numbers on arm64. */
static int parse_line(struct host *h, char *line)
{
	struct host_cpu *cpu = h->cpu_count ? &h->cpus[h->cpu_count - 1] : NULL;
	const char *value = value_of(line, "processor");
	size_t used;

	if (value)
		return add_cpu(h, strtoul(value, NULL, 10));
	if (!cpu)
		return 0;
	used = strlen(cpu->model);
	value = value_of(line, "model name");
	if (value)
		snprintf(cpu->model, sizeof(cpu->model), "%s", value);
	value = value_of(line, "CPU implementer");
	if (value && !used)
		snprintf(cpu->model, sizeof(cpu->model), "implementer %s", value);
	value = value_of(line, "CPU part");
	if (value && used)
		snprintf(cpu->model + used, sizeof(cpu->model) - used, " part %s", value);
	return 0;
}

static int read_cpus(struct host *h, const char *root)
{
	FILE *f = open_below(root, "/proc/cpuinfo");
	char path[64], text[16], *line = NULL;
	size_t room = 0;
	unsigned int i;
	int ret = 0;

	if (!f)
		return 0;
	while (!ret && getline(&line, &room, f) > 0)
		ret = parse_line(h, line);
	free(line);
	fclose(f);
	for (i = 0; i < h->cpu_count; i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cpu_capacity", i);
		read_line(root, path, text, sizeof(text));
		h->cpus[i].capacity = strtoul(text, NULL, 10);
	}
	return ret;
}

/* --- what CPUs share ---------------------------------------------------------------------- */

#define LIST_BYTES	1024	/* bytes of a kernel's list of CPUs */
#define LEVEL_BYTES	8000	/* bytes of a line; longer ones do not fit, and are omitted */
#define CACHES		8	/* caches of a CPU, at most */
#define NODES		256	/* nodes of a machine, at most */

/* The CPUs in the groups of one line so far. */
struct level {
	char text[LEVEL_BYTES];
	size_t used;
	bool is_full;
	uint8_t seen[MAX_CPUS];
};

/* A list like "0-3,8". Return: false if it is not a list */
static bool note_list(struct level *l, const char *list)
{
	unsigned long from, to;
	char *end;

	do {
		if (!isdigit((unsigned char)*list))
			return false;
		from = to = strtoul(list, &end, 10);
		if (*end == '-' && isdigit((unsigned char)end[1]))
			to = strtoul(end + 1, &end, 10);
		for (; from <= to && from < MAX_CPUS; from++)
			l->seen[from] = 1;
		list = end + 1;
	} while (*end == ',');
	return !*end;
}

static void add_group(struct level *l, const char *list)
{
	if (!note_list(l, list))
		return;
	if (strlen(list) + 1 >= sizeof(l->text) - l->used) {
		l->is_full = true;
		return;
	}
	l->used += snprintf(l->text + l->used, sizeof(l->text) - l->used, " %s", list);
}

static void read_group(struct level *l, const char *root, const char *format, unsigned int i)
	__attribute__((format(printf, 3, 0)));
static void read_group(struct level *l, const char *root, const char *format, unsigned int i)
{
	char path[96], list[LIST_BYTES];

	snprintf(path, sizeof(path), format, i);
	read_line(root, path, list, sizeof(list));
	if (*list)
		add_group(l, list);
}

static void read_cache(struct level *l, const char *root, unsigned int cpu)
{
	unsigned int i, level, last = 0, at = 0;
	char path[96], text[16], list[LIST_BYTES];

	for (i = 0; i < CACHES; i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cache/index%u/level",
			 cpu, i);
		read_line(root, path, text, sizeof(text));
		level = strtoul(text, NULL, 10);
		if (!level)
			break;
		at = level > last ? i : at;
		last = level > last ? level : last;
	}
	if (!last)
		return;
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cache/index%u/shared_cpu_list",
		 cpu, at);
	read_line(root, path, list, sizeof(list));
	if (*list)
		add_group(l, list);
}

static void end_level(struct level *l, const char *name, FILE *f)
{
	if (l->used && !l->is_full)
		fprintf(f, "%s%s\n", name, l->text);
	memset(l, 0, sizeof(*l));
}

/* Return: one more than the highest node that is online; 0 if there are no nodes */
static unsigned int count_nodes(const char *root)
{
	char list[LIST_BYTES], *last;
	unsigned long nodes;

	read_line(root, "/sys/devices/system/node/online", list, sizeof(list));
	for (last = list + strlen(list); last > list && isdigit((unsigned char)last[-1]); )
		last--;
	nodes = *last ? strtoul(last, NULL, 10) + 1 : 0;
	return nodes < NODES ? nodes : NODES;
}

static int read_topology(struct host *h, const char *root)
{
	struct level *l = calloc(1, sizeof(*l));
	size_t bytes;
	FILE *f = l ? open_memstream(&h->topology, &bytes) : NULL;
	unsigned int i, nodes = count_nodes(root);

	if (!f) {
		free(l);
		return -ENOMEM;
	}
	for (i = 0; i < h->cpu_count; i++)
		if (!l->seen[i])
			read_group(l, root, "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list",
				   i);
	end_level(l, "cores", f);
	for (i = 0; i < h->cpu_count; i++)
		if (!l->seen[i])
			read_cache(l, root, i);
	end_level(l, "caches", f);
	for (i = 0; i < nodes; i++)
		read_group(l, root, "/sys/devices/system/node/node%u/cpulist", i);
	end_level(l, "nodes", f);
	free(l);
	return fclose(f) ? -ENOMEM : 0;
}

/* --- limits of scheduling classes -------------------------------------------------------- */

#define RT_OPTION	"CONFIG_RT_GROUP_SCHED"

/* Can cgroups have limits of their own? Shown by cgroup v1, else by Debian's copy of .config. */
static const char *rt_groups(const char *root, const char *release)
{
	char path[PATH_MAX], line[128] = "";
	FILE *f;

	read_line(root, "/sys/fs/cgroup/cpu/cpu.rt_runtime_us", line, sizeof(line));
	if (*line)
		return "yes";
	snprintf(path, sizeof(path), "/boot/config-%s", release);
	f = open_below(root, path);
	while (f && fgets(line, sizeof(line), f) && !strstr(line, RT_OPTION "=") &&
	       !strstr(line, RT_OPTION " "))
		*line = '\0';
	if (f)
		fclose(f);
	return !*line ? "" : *line == '#' ? "no" : "yes";
}

static uint64_t server_value(const char *root, unsigned int cpu, const char *name)
{
	char path[96], line[32];

	snprintf(path, sizeof(path), "/sys/kernel/debug/sched/fair_server/cpu%u/%s", cpu, name);
	read_line(root, path, line, sizeof(line));
	return strtoull(line, NULL, 10);
}

static void read_limits(struct host *h, const char *root)
{
	uint64_t runtime;
	unsigned int i;

	read_line(root, "/proc/sys/kernel/sched_rt_runtime_us", h->rt_runtime,
		  sizeof(h->rt_runtime));
	read_line(root, "/proc/sys/kernel/sched_rt_period_us", h->rt_period, sizeof(h->rt_period));
	snprintf(h->rt_groups, sizeof(h->rt_groups), "%s", rt_groups(root, h->name.release));
	for (i = 0; i < h->cpu_count; i++) {
		runtime = server_value(root, i, "runtime");
		if (runtime <= h->server_runtime)
			continue;
		h->server_runtime = runtime;
		h->server_period = server_value(root, i, "period");
	}
}

int host_read(struct host *h, const char *root)
{
	int ret;

	memset(h, 0, sizeof(*h));
	uname(&h->name);
	read_line(root, "/proc/sys/kernel/random/boot_id", h->boot, sizeof(h->boot));
	ret = read_cpus(h, root);
	read_limits(h, root);
	return ret ? ret : read_topology(h, root);
}

void host_free(struct host *h)
{
	free(h->cpus);
	free(h->topology);
	*h = (struct host){ 0 };
}

/* --- for people ----------------------------------------------------------------------- */

void host_describe(const struct host *h, FILE *f)
{
	unsigned int i, same;

	fprintf(f, "kernel %s %s %s\nhost %s\n", h->name.sysname, h->name.release,
		h->name.machine, h->name.nodename);
	if (*h->boot)
		fprintf(f, "boot %s\n", h->boot);
	/* Print one line for consecutive processors of the same model. */
	for (i = 0; i < h->cpu_count; i += same) {
		for (same = 1; i + same < h->cpu_count &&
			       !strcmp(h->cpus[i].model, h->cpus[i + same].model); same++)
			;
		if (*h->cpus[i].model)
			fprintf(f, "cpus %u x %s\n", same, h->cpus[i].model);
	}
	if (h->topology)
		fputs(h->topology, f);
	if (*h->rt_runtime && *h->rt_period)
		fprintf(f, "rt_runtime_us %s\nrt_period_us %s\n", h->rt_runtime, h->rt_period);
	if (*h->rt_groups)
		fprintf(f, "rt_groups %s\n", h->rt_groups);
	if (h->server_period)
		fprintf(f, "fair_server_ns %" PRIu64 "/%" PRIu64 "\n", h->server_runtime,
			h->server_period);
}

/* --- for Perfetto ---------------------------------------------------------------------- */

/* Add as many processors as fit into @room bytes of a record. */
static void add_cpus(const struct host *h, Perfetto__CpuInfo *info, Perfetto__Cpu *cpus,
		     Perfetto__Cpu **list, size_t room)
{
	size_t used = 0;
	unsigned int i;

	for (i = 0; i < h->cpu_count; i++) {
		cpus[i] = (Perfetto__Cpu)PERFETTO__CPU__INIT;
		cpus[i].processor = h->cpus[i].model;
		cpus[i].has_capacity = !!h->cpus[i].capacity;
		cpus[i].capacity = h->cpus[i].capacity;
		/* Each needs a tag and a length of at most two bytes in addition. */
		used += perfetto__cpu__get_packed_size(&cpus[i]) + 3;
		if (used > room)
			break;
		list[i] = &cpus[i];
	}
	info->cpus = list;
	info->n_cpus = i;
}

static int write_packed(struct fxt_writer *w, const Perfetto__ArchiveTrace *trace)
{
	size_t bytes = perfetto__archive_trace__get_packed_size(trace);
	uint8_t *packed = malloc(bytes);
	int ret;

	if (!packed)
		return -ENOMEM;
	perfetto__archive_trace__pack(trace, packed);
	ret = fxt_writer_perfetto(w, FXT_STR_CATEGORY, packed, bytes);
	free(packed);
	return ret;
}

int host_write(const struct host *h, struct fxt_writer *w)
{
	Perfetto__ArchivePacket system = PERFETTO__ARCHIVE_PACKET__INIT, cpu = PERFETTO__ARCHIVE_PACKET__INIT;
	Perfetto__ArchivePacket *packets[] = { &system, &cpu };
	Perfetto__SystemInfo system_info = PERFETTO__SYSTEM_INFO__INIT;
	Perfetto__CpuInfo cpu_info = PERFETTO__CPU_INFO__INIT;
	Perfetto__Utsname utsname = PERFETTO__UTSNAME__INIT;
	Perfetto__ArchiveTrace trace = PERFETTO__ARCHIVE_TRACE__INIT;
	Perfetto__Cpu *cpus = calloc(h->cpu_count + 1, sizeof(*cpus));
	Perfetto__Cpu **list = calloc(h->cpu_count + 1, sizeof(*list));
	int ret = -ENOMEM;

	utsname.sysname = (char *)h->name.sysname;
	utsname.version = (char *)h->name.version;
	utsname.release = (char *)h->name.release;
	utsname.machine = (char *)h->name.machine;
	system_info.utsname = &utsname;
	system.system_info = &system_info;
	PERFETTO_SET(&system, trusted_packet_sequence_id, PERFETTO_SEQUENCE_HOST);
	cpu = system;
	cpu.system_info = NULL;
	cpu.cpu_info = &cpu_info;
	trace.packet = packets;
	trace.n_packet = 2;
	if (cpus && list) {
		/* Some bytes for enclosing messages and the other packet. */
		add_cpus(h, &cpu_info, cpus, list, FXT_MAX_STRING - sizeof(h->name));
		ret = write_packed(w, &trace);
	}
	free(list);
	free(cpus);
	return ret;
}
