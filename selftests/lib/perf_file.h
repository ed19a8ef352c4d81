/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf.data in memory, in the form that perf writes to a pipe. */
#ifndef SELFTESTS_PERF_FILE_H
#define SELFTESTS_PERF_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <linux/perf_event.h>

#define PERF_FILE_BYTES		(64U << 10)
#define PERF_FILE_SWITCH	100	/* ids of events */
#define PERF_FILE_WAKING	101
#define PERF_FILE_IPI_MASK	102
#define PERF_FILE_BLOCKED	103
#define PERF_FILE_SAMPLE	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW)

/* The state in sched_switch's print format, as in today's kernels; see @states below. */
#define PERF_FILE_STATES							\
	"(REC->prev_state & (((0x40 + 1) << 1) - 1)) ? __print_flags(REC->prev_state & (((0x40 + 1) << 1) - 1), \"|\", " \
	"{ 0x00000001, \"S\" }, { 0x00000002, \"D\" }, { 0x00000004, \"T\" }, { 0x00000008, \"t\" }, " \
	"{ 0x00000010, \"X\" }, { 0x00000020, \"Z\" }, { 0x00000040, \"P\" }, { 0x00000080, \"I\" }) : \"R\", " \
	"REC->prev_state & (((0x7f + 1) << 1)) ? \"+\" : \"\""

/*
 * Set before perf_made_open(): @clock: clock of the times; 0: perf's own. @long_bytes: of the
 * kernel's long; 0: 8
 */
struct perf_made {
	uint32_t clock;
	uint8_t long_bytes;
	uint64_t sample;	/* fields of samples, PERF_SAMPLE_* */
	size_t bytes;
	unsigned char data[PERF_FILE_BYTES];
};

struct perf_made_task {
	const char *name;
	int32_t tid;
	int32_t prio;
};

static inline void perf_made_put(struct perf_made *p, const void *data, size_t bytes)
{
	memcpy(p->data + p->bytes, data, bytes);
	p->bytes += bytes;
}

static inline void perf_made_u32(struct perf_made *p, uint32_t n)
{
	perf_made_put(p, &n, sizeof(n));
}

static inline void perf_made_u64(struct perf_made *p, uint64_t n)
{
	perf_made_put(p, &n, sizeof(n));
}

/* Begin a record. Return: its offset, for perf_made_end(). */
static inline size_t perf_made_begin(struct perf_made *p, uint32_t type, uint16_t misc)
{
	size_t at = p->bytes;

	perf_made_u32(p, type);
	perf_made_u32(p, misc);
	return at;
}

static inline void perf_made_end(struct perf_made *p, size_t at)
{
	uint16_t bytes;

	while (p->bytes & 7)
		p->data[p->bytes++] = 0;
	bytes = p->bytes - at;
	memcpy(p->data + at + 6, &bytes, sizeof(bytes));
}

static inline void perf_made_text(struct perf_made *p, const char *text)
{
	perf_made_u64(p, strlen(text));
	perf_made_put(p, text, strlen(text));
}

#define PERF_MADE_COMMON							\
	"format:\n"								\
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"	\
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"	\
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

/* @states: the two arguments of sched_switch's print format that print the state */
static inline void perf_made_formats(struct perf_made *p, const char *states)
{
	size_t at = perf_made_begin(p, 66, 0), begin;
	char text[4096];
	uint32_t bytes;

	perf_made_u32(p, 0);
	perf_made_end(p, at);
	begin = p->bytes;
	perf_made_put(p, "\x17\x08\x44tracing0.6\0\0\10", 16);
	if (p->long_bytes)
		p->data[p->bytes - 1] = p->long_bytes;
	perf_made_u32(p, 4096);
	perf_made_put(p, "header_page\0\0\0\0\0\0\0\0", 20);
	perf_made_put(p, "header_event\0\0\0\0\0\0\0\0", 21);
	perf_made_u32(p, 0);
	perf_made_u32(p, 1);
	perf_made_put(p, "sched", 6);
	perf_made_u32(p, 4);
	snprintf(text, sizeof(text), "name: sched_switch\nID: %d\n" PERF_MADE_COMMON
		 "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		 "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		 "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
		 "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
		 "\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
		 "\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
		 "\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\n"
		 "print fmt: \"prev_comm=%%s prev_pid=%%d prev_prio=%%d prev_state=%%s%%s ==> next_comm=%%s next_pid=%%d next_prio=%%d\", REC->prev_comm, REC->prev_pid, REC->prev_prio, %s, REC->next_comm, REC->next_pid, REC->next_prio\n",
		 PERF_FILE_SWITCH, states);
	perf_made_text(p, text);
	snprintf(text, sizeof(text), "name: sched_waking\nID: %d\n" PERF_MADE_COMMON
		 "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		 "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		 "\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n"
		 "\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n\n"
		 "print fmt: \"comm=%%s pid=%%d prio=%%d target_cpu=%%03d\", REC->comm, REC->pid, REC->prio, REC->target_cpu\n",
		 PERF_FILE_WAKING);
	perf_made_text(p, text);
	snprintf(text, sizeof(text), "name: ipi_send_cpumask\nID: %d\n" PERF_MADE_COMMON
		 "\tfield:__data_loc cpumask_t *[] cpumask;\toffset:8;\tsize:4;\tsigned:0;\n"
		 "\tfield:void* callback;\toffset:12;\tsize:4;\tsigned:0;\n\n"
		 "print fmt: \"cpumask=%%s callback=%%pS\", __get_cpumask(cpumask), REC->callback\n",
		 PERF_FILE_IPI_MASK);
	perf_made_text(p, text);
	snprintf(text, sizeof(text), "name: sched_blocked_reason\nID: %d\n" PERF_MADE_COMMON
		 "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"
		 "\tfield:void* caller;\toffset:12;\tsize:4;\tsigned:0;\n"
		 "\tfield:bool io_wait;\toffset:16;\tsize:1;\tsigned:0;\n\n"
		 "print fmt: \"pid=%%d iowait=%%d caller=%%pS\", REC->pid, REC->io_wait, REC->caller\n",
		 PERF_FILE_BLOCKED);
	perf_made_text(p, text);
	bytes = p->bytes - begin;
	memcpy(p->data + at + 8, &bytes, sizeof(bytes));
	while (p->bytes & 7)
		p->data[p->bytes++] = 0;
}

/* Begin a file. @sample: PERF_FILE_SAMPLE, perhaps with PERF_SAMPLE_CALLCHAIN */
static inline void perf_made_open(struct perf_made *p, uint64_t sample, const char *states)
{
	size_t at;

	p->bytes = 0;
	p->sample = sample;
	perf_made_put(p, "PERFILE2\x10\0\0\0\0\0\0", 16);
	at = perf_made_begin(p, 64, 0);
	perf_made_u32(p, PERF_TYPE_TRACEPOINT);
	perf_made_u32(p, PERF_ATTR_SIZE_VER3);
	perf_made_u64(p, PERF_FILE_SWITCH);
	perf_made_u64(p, 1);
	perf_made_u64(p, sample);
	perf_made_u64(p, 0);
	perf_made_u64(p, p->clock ? 1U << 25 : 0);
	memset(p->data + p->bytes, 0, PERF_ATTR_SIZE_VER3 - 48);
	memcpy(p->data + p->bytes + 92 - 48, &p->clock, sizeof(p->clock));
	p->bytes += PERF_ATTR_SIZE_VER3 - 48;
	perf_made_end(p, at);
	perf_made_formats(p, states);
}

/* The command line, as its arguments. */
static inline void perf_made_command(struct perf_made *p, const char * const *args)
{
	size_t at = perf_made_begin(p, 80, 0);
	uint32_t count = 0;

	while (args[count])
		count++;
	perf_made_u64(p, 11);
	perf_made_u32(p, count);
	for (; *args; args++) {
		perf_made_u32(p, strlen(*args) + 1);
		perf_made_put(p, *args, strlen(*args) + 1);
	}
	perf_made_end(p, at);
}

/* A thread that is older than the recording. */
static inline void perf_made_comm(struct perf_made *p, uint32_t pid, uint32_t tid, const char *name)
{
	size_t at = perf_made_begin(p, PERF_RECORD_COMM, 0);

	perf_made_u32(p, pid);
	perf_made_u32(p, tid);
	perf_made_put(p, name, strlen(name) + 1);
	perf_made_end(p, at);
}

/* @pid: -1 for the kernel; @id_bytes: at most 20 */
struct perf_made_map {
	uint32_t pid;
	uint64_t start;
	uint64_t length;
	uint64_t offset;
	unsigned char id_bytes;
	unsigned char id[20];
	const char *name;
};

static inline void perf_made_map(struct perf_made *p, const struct perf_made_map *m)
{
	size_t at = perf_made_begin(p, PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID);
	const unsigned char id_head[4] = { m->id_bytes };

	perf_made_u32(p, m->pid);
	perf_made_u32(p, m->pid);
	perf_made_u64(p, m->start);
	perf_made_u64(p, m->length);
	perf_made_u64(p, m->offset);
	perf_made_put(p, id_head, sizeof(id_head));
	perf_made_put(p, m->id, sizeof(m->id));
	perf_made_u32(p, m->pid == UINT32_MAX ? 0 : 5);	/* PROT_READ | PROT_EXEC */
	perf_made_u32(p, 2);				/* MAP_PRIVATE */
	perf_made_put(p, m->name, strlen(m->name) + 1);
	perf_made_end(p, at);
}

/* Map the beginning of a file with a build id whose bytes are all @id. */
static inline void perf_made_mmap(struct perf_made *p, uint32_t pid, uint64_t start, uint64_t length,
				  uint8_t id, const char *name)
{
	struct perf_made_map m = {
		.pid = pid, .start = start, .length = length, .id_bytes = sizeof(m.id), .name = name,
	};

	memset(m.id, id, sizeof(m.id));
	perf_made_map(p, &m);
}

static inline void perf_made_fork(struct perf_made *p, uint32_t pid, uint32_t parent, uint64_t ns)
{
	size_t at = perf_made_begin(p, PERF_RECORD_FORK, 0);

	perf_made_u32(p, pid);
	perf_made_u32(p, parent);
	perf_made_u32(p, pid);
	perf_made_u32(p, parent);
	perf_made_u64(p, ns);
	perf_made_end(p, at);
}

/* Begin a sample, up to the length of its raw data. @chain: the call chain, if samples have one */
static inline size_t perf_made_sample(struct perf_made *p, uint64_t ns, uint32_t cpu, uint32_t tid,
				      const uint64_t *chain, uint64_t frames)
{
	size_t at = perf_made_begin(p, PERF_RECORD_SAMPLE, 0);

	perf_made_u32(p, tid);
	perf_made_u32(p, tid);
	perf_made_u64(p, ns);
	perf_made_u64(p, cpu);
	if (p->sample & PERF_SAMPLE_CALLCHAIN) {
		perf_made_u64(p, frames);
		perf_made_put(p, chain, frames * sizeof(*chain));
	}
	return at;
}

static inline void perf_made_common(struct perf_made *p, uint16_t id, uint32_t tid)
{
	perf_made_put(p, &id, sizeof(id));
	perf_made_put(p, "\0\0", 2);
	perf_made_u32(p, tid);
}

/* An interrupt is sent to the CPUs in @mask, which is an array of longs. */
static inline void perf_made_ipi_mask(struct perf_made *p, uint64_t ns, uint32_t tid,
				      const void *mask, uint16_t bytes)
{
	size_t at = perf_made_sample(p, ns, 0, tid, NULL, 0);

	perf_made_u32(p, 16 + bytes);
	perf_made_common(p, PERF_FILE_IPI_MASK, tid);
	perf_made_u32(p, (uint32_t)bytes << 16 | 16);
	perf_made_u32(p, 0);
	perf_made_put(p, mask, bytes);
	perf_made_end(p, at);
}

/* A thread slept at @caller, an address of 32 bits. */
static inline void perf_made_blocked(struct perf_made *p, uint64_t ns, uint32_t tid,
				     uint32_t caller)
{
	size_t at = perf_made_sample(p, ns, 0, tid, NULL, 0);

	perf_made_u32(p, 20);
	perf_made_common(p, PERF_FILE_BLOCKED, tid);
	perf_made_u32(p, tid);
	perf_made_u32(p, caller);
	perf_made_u32(p, 1);
	perf_made_end(p, at);
}

static inline void perf_made_name(struct perf_made *p, const char *name)
{
	char comm[16] = "";

	strncpy(comm, name, sizeof(comm) - 1);
	perf_made_put(p, comm, sizeof(comm));
}

/* A switch, with a call chain if samples have one. */
static inline void perf_made_switch(struct perf_made *p, uint64_t ns, uint32_t cpu,
				    const struct perf_made_task *out, uint64_t state,
				    const struct perf_made_task *in, const uint64_t *chain,
				    uint64_t frames)
{
	size_t at = perf_made_sample(p, ns, cpu, out->tid, chain, frames);

	perf_made_u32(p, 64);
	perf_made_common(p, PERF_FILE_SWITCH, out->tid);
	perf_made_name(p, out->name);
	perf_made_u32(p, out->tid);
	perf_made_u32(p, out->prio);
	perf_made_u64(p, state);
	perf_made_name(p, in->name);
	perf_made_u32(p, in->tid);
	perf_made_u32(p, in->prio);
	perf_made_end(p, at);
}

static inline void perf_made_waking(struct perf_made *p, uint64_t ns, uint32_t cpu, uint32_t on,
				    const struct perf_made_task *woken, uint32_t target,
				    const uint64_t *chain, uint64_t frames)
{
	size_t at = perf_made_sample(p, ns, cpu, on, chain, frames);

	perf_made_u32(p, 36);
	perf_made_common(p, PERF_FILE_WAKING, on);
	perf_made_name(p, woken->name);
	perf_made_u32(p, woken->tid);
	perf_made_u32(p, woken->prio);
	perf_made_u32(p, target);
	perf_made_end(p, at);
}

#endif /* SELFTESTS_PERF_FILE_H */
