// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks of threads that were off the CPU, for Perfetto: each stack of a thread that is switched in
 * becomes a sample with the ns since the thread's last switch-out, on whichever CPU; there is no
 * sample if that is unknown or wrong; packets have each function, mapping and stack once, and BLOBs
 * fit; memory is limited.
 */
#include "harness.h"
#include "libperfetto/perfetto.h"
#include "event_story.h"
#include "fxt-collect/source/source.h"
#include "fxt-collect/symbols/samples.h"
#include "print_records.h"
#include "symbols/samples.h"

#define KERNEL		0xffffffff81000000ULL
#define MAPPED		0x4000ULL	/* the program's only mapping begins here */

static const uint64_t in_read[] = { KERNEL + 0x10, KERNEL + 0x110 };
static const uint64_t in_wait[] = { KERNEL + 0x210, KERNEL + 0x110, MAPPED + 8 };

FIXTURE(samples)
{
	struct story s;
	struct sleeps sleeps;
	struct source_config config;
	struct fxt_writer *w;
	size_t taken;		/* words of the story that were handed over */
	unsigned int finds;
	int fd;
	char *text;
};

static void open_writer(FIXTURE_DATA(samples) *self)
{
	self->fd = memfd_create("samples", MFD_CLOEXEC);
	if (self->fd < 0 || fxt_writer_open(&self->w, self->fd))
		abort();
	fxt_writer_magic(self->w);
	fxt_writer_provider(self->w, FXT_SCHED_PROVIDER_ID, FXT_SCHED_PROVIDER_NAME);
	fxt_writer_initialization(self->w, 1000000000);
#define WRITE_STRING(index, text) fxt_writer_string(self->w, index, text);
	FXT_SCHED_STRINGS(WRITE_STRING)
#undef WRITE_STRING
}

FIXTURE_SETUP(samples)
{
	memset(self, 0, sizeof(*self));
	self->config.stacks = (struct source_stacks){ .what = STACKS_OFFCPU, .min = 100 };
	sleeps_open(&self->sleeps, &self->config, 1000000000);
	open_writer(self);
}

FIXTURE_TEARDOWN(samples)
{
	sleeps_close(&self->sleeps);
	fxt_writer_close(self->w);
	close(self->fd);
}

static int take(FIXTURE_DATA(samples) *self)
{
	struct chunk c = {
		.data = self->s.b.words + self->taken,
		.bytes = (self->s.b.count - self->taken) * FXT_WORD,
	};

	self->taken = self->s.b.count;
	return sleeps_chunk(&self->sleeps, &c);
}

/* Functions of 256 bytes in the kernel; a program whose second page has no name. */
static void find(void *arg, uint32_t process, uint64_t address, struct sample_frame *f)
{
	static const char * const names[] = { "pipe_read", "ksys_read", "do_wait" };
	FIXTURE_DATA(samples) *self = arg;

	self->finds++;
	if (!process && address < KERNEL + 0x300) {
		*f = (struct sample_frame){
			names[(address - KERNEL) >> 8], "[kernel.kallsyms]",
			(const unsigned char *)"\1\2", 2, 0, 0, address - KERNEL,
		};
	} else if (process == 11) {
		*f = (struct sample_frame){
			address < MAPPED + 0x1000 ? "main" : NULL, "/bin/prog", NULL, 0,
			MAPPED, MAPPED + 0x2000, address - MAPPED,
		};
	}
}

static void print_data(FILE *f, const Perfetto__InternedData *d)
{
	for (size_t i = 0; i < d->n_stack_sample_counter_descriptors; i++)
		fprintf(f, "counter %s %u\n", d->stack_sample_counter_descriptors[i]->name,
			d->stack_sample_counter_descriptors[i]->unit);
	for (size_t i = 0; i < d->n_function_names; i++)
		fprintf(f, "function %ju %.*s\n", (uintmax_t)d->function_names[i]->iid,
			(int)d->function_names[i]->str.len, d->function_names[i]->str.data);
	for (size_t i = 0; i < d->n_mappings; i++)
		fprintf(f, "mapping %ju %.*s %s\n", (uintmax_t)d->mappings[i]->iid,
			(int)d->mapping_paths[i]->str.len, d->mapping_paths[i]->str.data,
			d->mappings[i]->has_build_id ? "with id" : "without id");
	for (size_t i = 0; i < d->n_frames; i++)
		fprintf(f, "frame %ju function %ju mapping %ju+%jx %s\n",
			(uintmax_t)d->frames[i]->iid, (uintmax_t)d->frames[i]->function_name_id,
			(uintmax_t)d->frames[i]->mapping_id, (uintmax_t)d->frames[i]->rel_pc,
			d->frames[i]->kind == 2 ? "kernel" : "native");
}

static void print_stack(FILE *f, const Perfetto__Callstack *s)
{
	fprintf(f, "stack %ju:", (uintmax_t)s->iid);
	for (size_t i = 0; i < s->n_frame_ids; i++)
		fprintf(f, " %ju", (uintmax_t)s->frame_ids[i]);
	fputc('\n', f);
}

static void print_packets(void *arg, const struct fxt_record *rec, const struct fxt_content *c,
			  FILE *f)
{
	const bool *all = arg;
	Perfetto__ArchiveTrace *trace = perfetto__archive_trace__unpack(NULL, c->blob.bytes, c->blob.data);

	if (!trace)
		abort();
	for (size_t i = 0; i < trace->n_packet; i++) {
		const Perfetto__ArchivePacket *p = trace->packet[i];
		const Perfetto__StackSample *s = p->stack_sample;

		if (p->timestamp_clock_id != 6 || !p->trusted_packet_sequence_id)
			fprintf(f, "packet of another clock\n");
		if (*all && p->sequence_flags == 1)
			fprintf(f, "anew\n");
		if (*all && p->interned_data)
			print_data(f, p->interned_data);
		if (*all && p->interned_data && p->interned_data->n_callstacks)
			print_stack(f, p->interned_data->callstacks[0]);
		if (s)
			fprintf(f, "%ju %u/%u stack %ju for %ju\n", (uintmax_t)p->timestamp,
				s->task_context->pid, s->task_context->tid,
				(uintmax_t)s->callstack_iid, (uintmax_t)s->primary_weight);
	}
	perfetto__archive_trace__free_unpacked(trace, NULL);
}

/* End the archive. Return: its packets as text; only samples, unless @all. */
static const char *samples(FIXTURE_DATA(samples) *self, bool all)
{
	sleeps_finish(&self->sleeps);
	if (samples_write(&self->sleeps, self->w, find, self))
		return NULL;
	sleeps_restart(&self->sleeps);
	self->text = print_records(self->w, self->fd, KIND(BLOB), print_packets, &all);
	return self->text;
}

/* --- packets ------------------------------------------------------------------------------- */

TEST_F(samples, each_thing_is_written_once)
{
	STORY(&self->s, "0@1000 12>0 S; 1010 13>0 S; 1200 0>12");
	event_stack(&self->s, 1200, 12, 11, in_read, 2);
	story_switch(&self->s, 1210, 12, 13, FXT_THREAD_BLOCKED);
	event_stack(&self->s, 1210, 13, 11, in_wait, 3);
	story_switch(&self->s, 1500, 13, 12, FXT_THREAD_BLOCKED);
	event_stack(&self->s, 1500, 12, 11, in_read, 2);
	ASSERT_EQ(0, take(self));
	EXPECT_STREQ("anew\ncounter off-CPU time 1\n"
		     "function 2 pipe_read\nfunction 7 ksys_read\n"
		     "mapping 5 [kernel.kallsyms] with id\n"
		     "frame 6 function 2 mapping 5+f kernel\n"
		     "frame 8 function 7 mapping 5+10f kernel\n"
		     "stack 1: 8 6\n"
		     "1200 11/12 stack 1 for 200\n"
		     "1500 11/12 stack 1 for 290\n"
		     "function 10 do_wait\nfunction 12 main\n"
		     "mapping 14 /bin/prog without id\n"
		     "frame 11 function 10 mapping 5+20f kernel\n"
		     "frame 15 function 12 mapping 14+7 native\n"
		     "stack 9: 15 8 11\n"
		     "1210 11/13 stack 9 for 200\n", samples(self, true));
}

/* Perfetto also counts samples without a stack. */
TEST_F(samples, unknown_functions_and_stacks)
{
	const uint64_t where[] = { KERNEL + 0x1000, MAPPED + 0x1001, MAPPED + 0x1001 };

	STORY(&self->s, "0@1000 12>0 S; 1200 0>12");
	event_stack(&self->s, 1200, 12, 11, where, 3);
	STORY(&self->s, "1300 12>0 S; 1400 0>12");
	event_stack(&self->s, 1400, 12, 11, where, 0);
	ASSERT_EQ(0, take(self));
	EXPECT_STREQ("anew\ncounter off-CPU time 1\n"
		     "function 2 0xffffffff81001000\n"
		     "function 4 prog+0x1001\n"
		     "mapping 6 /bin/prog without id\n"
		     "frame 3 function 2 mapping 0+ffffffff81000fff kernel\n"
		     "frame 7 function 4 mapping 6+1000 native\n"
		     "stack 1: 7 7 3\n"
		     "1200 11/12 stack 1 for 200\n"
		     "1400 11/12 stack 0 for 100\n", samples(self, true));
}

/* Two processes have the same addresses, but not the same programs. */
TEST_F(samples, processes_have_addresses_of_their_own)
{
	const char *text;

	STORY(&self->s, "0@1000 12>0 S; 1000 22>0 S; 1200 0>12");
	event_stack(&self->s, 1200, 12, 11, in_wait + 2, 1);
	story_switch(&self->s, 1210, 12, 22, FXT_THREAD_NEW);
	event_stack(&self->s, 1210, 22, 21, in_wait + 2, 1);
	ASSERT_EQ(0, take(self));
	text = samples(self, true);
	ASSERT_NE(NULL, text);
	EXPECT_IN(text, "function 2 main\n");
	EXPECT_IN(text, "function 7 0x4008\n");
	EXPECT_IN(text, "1210 21/22 stack 6 for 210\n");
}

/* Give the functions long names, so that the deepest stacks need more than a BLOB. */
static void find_long(void *arg, uint32_t process, uint64_t address, struct sample_frame *f)
{
	static char name[5000], path[5000];

	memset(name, 'n', sizeof(name) - 1);
	memset(path, 'p', sizeof(path) - 1);
	memcpy(name, &(char[]){ 'A' + address % 26, 'A' + address / 26 % 26 }, 2);
	memcpy(path, name, 2);
	*f = (struct sample_frame){ name, path, (const unsigned char *)name, 64, 1, 2, 3 };
}

TEST_F(samples, deep_stacks_with_long_names)
{
	uint64_t frames[FXT_SCHED_STACK_FRAMES];
	bool all = true;
	size_t functions = 0;

	for (unsigned int i = 0; i < FXT_SCHED_STACK_FRAMES; i++)
		frames[i] = 1 + i;
	STORY(&self->s, "0@1000 12>0 S; 1200 0>12");
	event_stack(&self->s, 1200, 12, 11, frames, FXT_SCHED_STACK_FRAMES);
	ASSERT_EQ(0, take(self));
	sleeps_finish(&self->sleeps);
	ASSERT_EQ(0, samples_write(&self->sleeps, self->w, find_long, NULL));
	self->text = print_records(self->w, self->fd, KIND(BLOB), print_packets, &all);
	ASSERT_NE(NULL, self->text);
	for (const char *at = self->text; (at = strstr(at, "function ")); at++)
		functions += at == self->text || at[-1] == '\n';
	EXPECT_EQ((size_t)FXT_SCHED_STACK_FRAMES, functions);
	EXPECT_IN(self->text, "stack 1: ");
	EXPECT_IN(self->text, "1200 11/12 stack 1 for 200\n");
}

/* --- sleeps -------------------------------------------------------------------------------- */

/* 12 sleeps on CPU 0, runs and sleeps on CPU 1, and runs on CPU 0, whose chunk comes first. */
TEST_F(samples, threads_move_between_cpus)
{
	STORY(&self->s, "0@1000 12>0 S; 2000 0>12");
	event_stack(&self->s, 2000, 12, 11, in_read, 2);
	ASSERT_EQ(0, take(self));
	STORY(&self->s, "1@1300 0>12");
	event_stack(&self->s, 1300, 12, 11, in_wait, 2);
	story_switch(&self->s, 1600, 12, 0, FXT_THREAD_BLOCKED);
	ASSERT_EQ(0, take(self));
	ASSERT_NE(NULL, samples(self, false));
	EXPECT_IN(self->text, "1300 11/12 stack 1 for 300\n");
	EXPECT_IN(self->text, "2000 11/12 stack 9 for 400\n");
}

/* A chunk ends between a switch and its stack; short sleeps and preemptions have none. */
TEST_F(samples, a_stack_in_the_next_chunk)
{
	STORY(&self->s, "0@1000 12>0 S; 1050 0>12; 1100 12>13; 1400 13>12 S; 1500 12>0 S; "
			"1700 0>12");
	ASSERT_EQ(0, take(self));
	story_chunk(&self->s, 0, 1700);
	event_stack(&self->s, 1700, 12, 11, in_read, 2);
	ASSERT_EQ(0, take(self));
	EXPECT_STREQ("1700 11/12 stack 1 for 200\n", samples(self, false));
}

/* Stacks of wakers come before the end of the sleep, and are not samples. */
TEST_F(samples, stacks_of_wakers_are_none)
{
	STORY(&self->s, "0@1000 12>14 S; 1010 14>13 S");
	event_stack(&self->s, 1150, 12, 11, in_wait, 2);
	story_switch(&self->s, 1200, 13, 12, FXT_THREAD_NEW);
	event_stack(&self->s, 1200, 14, 11, in_wait, 2);
	event_stack(&self->s, 1200, 12, 11, in_read, 2);
	event_stack(&self->s, 1200, 12, 11, in_wait, 2);
	ASSERT_EQ(0, take(self));
	EXPECT_STREQ("1200 11/12 stack 1 for 200\n", samples(self, false));
}

TEST_F(samples, preemptions_if_they_are_recorded)
{
	self->config.stacks.what |= STACKS_PREEMPT;
	sleeps_open(&self->sleeps, &self->config, 1000000000);
	STORY(&self->s, "0@1000 12>0 S; 1050 0>12; 1100 12>13; 1400 13>12 S");
	event_stack(&self->s, 1400, 12, 11, in_read, 2);
	ASSERT_EQ(0, take(self));
	EXPECT_STREQ("1400 11/12 stack 1 for 300\n", samples(self, false));
}

/* The thread may have run before the archive began, or on CPU 1 while that CPU lost records. */
TEST_F(samples, unknown_sleeps_are_left_out)
{
	struct story *s = &self->s;

	STORY(s, "0@1000; 1100 0>13");
	event_stack(s, 1100, 13, 11, in_read, 2);
	STORY(s, "1150 13>12; 1200 12>0 S; 2000 0>12");
	event_stack(s, 2000, 12, 11, in_read, 2);
	STORY(s, "2100 12>0 S; 3000 0>12");
	event_stack(s, 3000, 12, 11, in_read, 2);
	ASSERT_EQ(0, take(self));
	STORY(s, "1@1000; 1500 0>14");
	ASSERT_EQ(0, take(self));
	s->streams[1].lost += 3;
	s->streams[1].written += 3;
	STORY(s, "1@1800 14>0 S");
	ASSERT_EQ(0, take(self));
	EXPECT_STREQ("3000 11/12 stack 1 for 900\n", samples(self, false));
}

/* An archive lacks a sleep that began before the archive. */
TEST_F(samples, each_archive_has_its_own)
{
	STORY(&self->s, "0@1000 12>0 S");
	ASSERT_EQ(0, take(self));
	ASSERT_STREQ("", samples(self, false));
	STORY(&self->s, "0@1200 0>12");
	event_stack(&self->s, 1200, 12, 11, in_read, 2);
	STORY(&self->s, "1210 12>0 S; 1500 0>12");
	event_stack(&self->s, 1500, 12, 11, in_read, 2);
	ASSERT_EQ(0, take(self));
	EXPECT_STREQ("1500 11/12 stack 1 for 290\n", samples(self, false));
}

/* Records that a flight recorder has overwritten are missing. */
TEST_F(samples, overwritten_records_are_unknown)
{
	self->config.overwrite = true;
	sleeps_open(&self->sleeps, &self->config, 1000000000);
	STORY(&self->s, "0@1000 12>0 S; 2000 0>12");
	event_stack(&self->s, 2000, 12, 11, in_read, 2);
	STORY(&self->s, "2100 12>0 S; 3000 0>12");
	event_stack(&self->s, 3000, 12, 11, in_read, 2);
	ASSERT_EQ(0, take(self));
	self->s.streams[1].sequence = 7;
	STORY(&self->s, "1@1500 0>14");
	ASSERT_EQ(0, take(self));
	EXPECT_STREQ("3000 11/12 stack 1 for 900\n", samples(self, false));
}

TEST_F(samples, none_of_some_cpus)
{
	struct source_filter filter = { .cpus = "0" };

	self->config.filter = &filter;
	sleeps_open(&self->sleeps, &self->config, 1000000000);
	EXPECT_FALSE(self->sleeps.is_on);
	filter.cpus = NULL;
	self->config.stacks.what = STACKS_WAKE;
	sleeps_open(&self->sleeps, &self->config, 1000000000);
	EXPECT_FALSE(self->sleeps.is_on);
}

/* Switch-outs that nothing follows make room; what does not fit is counted. */
TEST_F(samples, memory_is_limited)
{
	self->sleeps.most = 1024;
	/* 12 sleeps on CPU 0 and continues on CPU 1, without a stack: nothing shows that. */
	for (unsigned int i = 0; i < 5000; i++) {
		STORY(&self->s, "0@% 12>0 S", 1000 + 10 * i);
		ASSERT_EQ(0, take(self));
		STORY(&self->s, "1@% 0>12", 1005 + 10 * i);
		ASSERT_EQ(0, take(self));
	}
	STORY(&self->s, "1@60000; 60990 0>12");
	event_stack(&self->s, 60990, 12, 11, in_read, 2);
	ASSERT_EQ(0, take(self));
	EXPECT_EQ(0U, self->sleeps.dropped);
	for (unsigned int i = 0; i < 2000; i++) {
		STORY(&self->s, "0@% 12>0 S; % 0>12", 70000 + 1000 * i, 70500 + 1000 * i);
		event_stack(&self->s, 70500 + 1000 * i, 12, 11, in_read, 2);
		ASSERT_EQ(0, take(self));
	}
	EXPECT_LE(self->sleeps.count, 1024U);
	EXPECT_LT(2U * 1400, self->sleeps.dropped);
	EXPECT_GT(2U * 2000, self->sleeps.dropped);
	ASSERT_NE(NULL, samples(self, false));
	EXPECT_EQ(0, strncmp(self->text, "60990 11/12 stack 1 for 10000\n"
			     "70500 11/12 stack 1 for 500\n", 58)) TH_LOG("%s", self->text);
}
