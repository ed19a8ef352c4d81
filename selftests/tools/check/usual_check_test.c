// SPDX-License-Identifier: GPL-2.0-or-later
/* fxt check finds how Perfetto misreads records, on the fast path and on the other one. */
#include <fxt/fxt_sched.h>

#include "check_fixture.h"
#include "usual_records.h"

#define LED_IN	1000	/* the first of 64 threads without findings */

/*
 * Write a usual wakeup and two words without meaning. With @bar, the words are a string directly
 * before the next record, which keeps that record from the fast path; otherwise they are a blob
 * before the wakeup. The next record is at the same offset in both cases.
 */
static void lead_in(struct built *b, bool bar, uint64_t time)
{
	if (!bar)
		BUILD(b, fxt_blob(2, 0, 8, FXT_BLOB_DATA), 0);
	put_wakeup(b, time, 0, LED_IN + time % 64, 1024, 11);
	if (bar) {
		build_string(b, 100, "anything");
	}
}

#define SWITCHED(...)	(lead_in(b, bar, ++time), put_switch(b, ++time, __VA_ARGS__))
#define WOKEN(...)	(lead_in(b, bar, ++time), put_wakeup(b, ++time, __VA_ARGS__))

static void tell_koids(struct built *b, bool bar)
{
	uint64_t time = begin_cpu(b, 0, 11, 1000), big = 1ULL << 32;

	SWITCHED(0, 11, UINT32_MAX, 1024, 1024);
	WOKEN(0, big, 1024, 0);
	WOKEN(0, 13, 1024, big);
	SWITCHED(0, UINT32_MAX, big, 1024, 1024);
	SWITCHED(0, big, 12, 1024, 1024);
}

static void tell_cpus(struct built *b, bool bar)
{
	uint64_t time = begin_cpu(b, 4095, 11, 1000);

	WOKEN(4095, 13, 1024, 11);
	WOKEN(4096, 14, 1024, 11);
	SWITCHED(4095, 11, 12, 1024, 1024);
	time = begin_cpu(b, 4096, 11, 1000000);
	SWITCHED(4096, 11, 12, 1024, 1024);
	SWITCHED(4096, 12, 11, 1024, 1024);
}

static void tell_times(struct built *b, bool bar)
{
	uint64_t time = INT64_MAX - 4;

	begin_cpu(b, 0, 11, INT64_MAX - 20);
	SWITCHED(0, 11, 12, 1024, 1024);
	WOKEN(0, 13, 1024, 11);
	begin_cpu(b, 1, 14, INT64_MAX - 10);
	time = INT64_MAX - 1;
	WOKEN(1, 15, 1024, 11);
	begin_cpu(b, 2, 16, INT64_MAX - 10);
	lead_in(b, bar, INT64_MAX - 2);
	put_switch(b, 1ULL << 63, 2, 16, 17, 1024, 1024);
}

static void tell_idle(struct built *b, bool bar)
{
	uint64_t time = begin_cpu(b, 0, 11, 1000);

	SWITCHED(0, 11, 0, 1024, 1024);
	SWITCHED(0, 0, 11, 1024, 1024);
	SWITCHED(0, 11, 0, 1024, IDLE);
	SWITCHED(0, 0, 11, 0, 1024);
	WOKEN(0, 0, 1024, 11);
	SWITCHED(0, 11, 12, 1024, IDLE);
}

/* Write records of a provider without an info record, but with the strings. */
static void tell_unknown(struct built *b, bool bar)
{
	uint64_t time;

	BUILD(b, fxt_provider_section(9));
#define TELL_STRING(index, text)						\
	BUILD(b, fxt_string(index, strlen(text)));				\
	BUILD_TEXT(b, text);
	FXT_SCHED_STRINGS(TELL_STRING)
#undef TELL_STRING
	time = begin_cpu(b, 0, 11, 1000);
	SWITCHED(0, 11, 12, 1024, 1024);
	WOKEN(0, 13, 1024, 11);
	SWITCHED(0, 12, 11, 1024, 1024);
}

static void check_both(struct __test_metadata *_metadata, FIXTURE_DATA(check) *self,
		       void (*tell)(struct built *b, bool bar))
{
	struct built *b = &self->s.b;
	char *said[2];

	for (int i = 0; i < 2; i++) {
		for (int j = 0; j < 64; j++)
			BUILD(b, fxt_kernel_object(2, FXT_OBJECT_THREAD, 0, 0), LED_IN + j);
		tell(b, i);
		EXPECT_EQ(1, CHECK("--json", "--all", NULL));
		said[i] = strdup(self->t.out);
		build_free(b);
		story_begin(&self->s);
	}
	EXPECT_STREQ(said[1], said[0]);
	self->j = json_tokener_parse(said[0]);
}

TEST_F(check, koids)
{
	check_both(_metadata, self, tell_koids);
	EXPECT_EQ(4, NUMBER("note_counts.perfetto.koid"));
}

TEST_F(check, cpus)
{
	check_both(_metadata, self, tell_cpus);
	EXPECT_EQ(4, NUMBER("counts.perfetto.cpu"));
}

TEST_F(check, times)
{
	check_both(_metadata, self, tell_times);
	EXPECT_EQ(2, NUMBER("counts.perfetto.time"));
}

TEST_F(check, idle)
{
	check_both(_metadata, self, tell_idle);
	EXPECT_EQ(4, NUMBER("counts.perfetto.idle"));
}

TEST_F(check, unknown)
{
	check_both(_metadata, self, tell_unknown);
	EXPECT_EQ(1, NUMBER("counts.perfetto.provider"));
	EXPECT_LT(15, NUMBER("perfetto.fuchsia_invalid_event"));
}
