// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The writer as the inverse of the reader, and its refs: the same bytes, after the reader has
 * decoded each record and the writer has written it again; the same content, if the writer chooses
 * the refs. All readers are strict.
 */

#include "harness.h"
#include "archive_copy.h"
#include "generate.h"
#include "trace.h"

#define ASSERT_FINE(call)	ASSERT_EQ(0, call) TH_LOG("%s", self->why)
#define EXPECT_FINE(call)	EXPECT_EQ(0, call) TH_LOG("%s", self->why)

FIXTURE(writer)
{
	struct memory a;
	struct memory b;
	struct memory c;
	struct fxt_writer *w;	/* into @b */
	struct census census;
	char why[256];
};

FIXTURE_SETUP(writer)
{
	ASSERT_EQ(0, memory_open(&self->a));
	ASSERT_EQ(0, memory_open(&self->b));
	ASSERT_EQ(0, memory_open(&self->c));
}

FIXTURE_TEARDOWN(writer)
{
	fxt_writer_close(self->w);
}

static bool same_bytes(const struct memory *a, const struct memory *b)
{
	return a->bytes == b->bytes && !memcmp(a->data, b->data, a->bytes);
}

/* --- everything, decoded and written again ------------------------------------------ */

TEST_F(writer, archive_holds_everything)
{
	ASSERT_EQ(0, generate_all(self->a.fd, 0));
	ASSERT_EQ(0, memory_map(&self->a));
	ASSERT_FINE(census_take(&self->a, &self->census, self->why));
	EXPECT_EQ(0UL, self->census.kinds[FXT_KIND_UNKNOWN]);
	for (unsigned int i = FXT_KIND_UNKNOWN + 1; i < FXT_KIND_COUNT; i++) {
		EXPECT_LT(0UL, self->census.kinds[i]) TH_LOG("%s", fxt_kind_name(i));
	}
	for (unsigned int i = 0; i <= FXT_ARG_BLOB; i++) {
		EXPECT_LT(0UL, self->census.args[i]) TH_LOG("argument type %u", i);
	}
	for (unsigned int i = 0; i <= FXT_MAX_ARGS; i++) {
		EXPECT_LT(0UL, self->census.arg_counts[i]) TH_LOG("%u arguments", i);
	}
	EXPECT_LT(0UL, self->census.inline_strings);
	EXPECT_LT(0UL, self->census.indexed_strings);
	EXPECT_LT(0UL, self->census.empty_strings);
	EXPECT_LT(0UL, self->census.inline_threads);
	EXPECT_LT(0UL, self->census.indexed_threads);
}

TEST_F(writer, no_large_records_if_not_wanted)
{
	ASSERT_EQ(0, generate_all(self->a.fd, GENERATE_NO_LARGE));
	ASSERT_EQ(0, memory_map(&self->a));
	ASSERT_FINE(census_take(&self->a, &self->census, self->why));
	for (unsigned int i = FXT_KIND_UNKNOWN + 1; i < FXT_KIND_COUNT; i++) {
		EXPECT_EQ(i != FXT_KIND_LARGE_BLOB && i != FXT_KIND_LARGE_BLOB_BARE,
			  self->census.kinds[i] != 0) TH_LOG("%s", fxt_kind_name(i));
	}
}

FIXTURE(round_trip)
{
	struct memory a;
	struct memory b;
	char why[256];
};

FIXTURE_VARIANT(round_trip)
{
	unsigned int generate;
	unsigned int copy;
};

FIXTURE_VARIANT_ADD(round_trip, native)
{
	.generate = 0,
	.copy = 0,
};

FIXTURE_VARIANT_ADD(round_trip, no_large)
{
	.generate = GENERATE_NO_LARGE,
	.copy = 0,
};

FIXTURE_VARIANT_ADD(round_trip, swapped)
{
	.generate = GENERATE_SWAPPED,
	.copy = COPY_SWAPPED,
};

FIXTURE_VARIANT_ADD(round_trip, swapped_no_large)
{
	.generate = GENERATE_SWAPPED | GENERATE_NO_LARGE,
	.copy = COPY_SWAPPED,
};

FIXTURE_SETUP(round_trip)
{
	ASSERT_EQ(0, memory_open(&self->a));
	ASSERT_EQ(0, memory_open(&self->b));
	ASSERT_EQ(0, generate_all(self->a.fd, variant->generate));
	ASSERT_EQ(0, memory_map(&self->a));
}

FIXTURE_TEARDOWN(round_trip) { }

TEST_F(round_trip, same_bytes)
{
	ASSERT_FINE(copy_archive(&self->a, &self->b, variant->copy, self->why));
	EXPECT_TRUE(same_bytes(&self->a, &self->b));
	EXPECT_FINE(copy_differs(&self->a, &self->b, self->why));
}

/* A writer that interns keeps the content, and a second one keeps the bytes. */
TEST_F(round_trip, same_content_when_interned)
{
	struct memory c;

	ASSERT_EQ(0, memory_open(&c));
	ASSERT_FINE(copy_archive(&self->a, &self->b, variant->copy | COPY_INTERNING, self->why));
	EXPECT_FINE(copy_differs(&self->a, &self->b, self->why));
	ASSERT_FINE(copy_archive(&self->b, &c, variant->copy | COPY_INTERNING, self->why));
	EXPECT_TRUE(same_bytes(&self->b, &c));
}

/* Words are swapped, streams are not: otherwise the strings would be destroyed. */
TEST_F(writer, other_byte_order)
{
	static const uint64_t magic = 0x1000044678541600;

	ASSERT_EQ(0, generate_all(self->a.fd, 0));
	ASSERT_EQ(0, generate_all(self->b.fd, GENERATE_SWAPPED));
	ASSERT_EQ(0, memory_map(&self->a));
	ASSERT_EQ(0, memory_map(&self->b));
	EXPECT_EQ(self->a.bytes, self->b.bytes);
	EXPECT_EQ(0, memcmp(self->b.data, &magic, sizeof(magic)));
	EXPECT_FINE(copy_differs(&self->a, &self->b, self->why));
	ASSERT_FINE(copy_archive(&self->b, &self->c, 0, self->why));
	EXPECT_TRUE(same_bytes(&self->a, &self->c));
}

/* --- a synthetic recording ---------------------------------------------------------- */

static void check_sched(struct __test_metadata *_metadata, FIXTURE_DATA(writer) *self,
			uint64_t records, unsigned int cpus)
{
	char path[64];
	struct trace t = { 0 };
	struct why why;
	uint64_t events = 0;

	ASSERT_EQ(0, generate_sched(self->a.fd, records, cpus));
	ASSERT_EQ(0, memory_map(&self->a));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", self->a.fd);
	/* An archive that may be torn is read by the library alone, without fxt check. */
	ASSERT_EQ(0, trace_load(&t, path, true, &why)) TH_LOG("%s", why.text);
	EXPECT_FALSE(t.torn);
	EXPECT_EQ(0, trace_check_all(&t, &why)) TH_LOG("%s", why.text);
	EXPECT_EQ(cpus + 1UL, t.stream_count);
	for (const struct trace_stream *s = t.streams; s < t.streams + t.stream_count; s++)
		events += s->event_count;
	EXPECT_EQ(records, events);
}

TEST_F(writer, made_up_recording)
{
	check_sched(_metadata, self, 200000, 3);
	/* Both functions that write the same record agree. */
	ASSERT_FINE(copy_archive(&self->a, &self->b, 0, self->why));
	EXPECT_TRUE(same_bytes(&self->a, &self->b));
	ASSERT_FINE(copy_archive(&self->a, &self->c, COPY_INTERNING, self->why));
	EXPECT_FINE(copy_differs(&self->a, &self->c, self->why));
}

TEST_F(writer, made_up_recording_of_one_cpu)
{
	check_sched(_metadata, self, 5000, 1);
}

TEST_F(writer, made_up_recording_of_many_cpus)
{
	check_sched(_metadata, self, 100000, 200);
}

TEST_F(writer, made_up_recording_of_nothing)
{
	check_sched(_metadata, self, 0, 2);
}

TEST_F(writer, made_up_recording_is_always_the_same)
{
	ASSERT_EQ(0, generate_sched(self->a.fd, 10000, 7));
	ASSERT_EQ(0, generate_sched(self->b.fd, 10000, 7));
	ASSERT_EQ(0, memory_map(&self->a));
	ASSERT_EQ(0, memory_map(&self->b));
	EXPECT_TRUE(same_bytes(&self->a, &self->b));
	EXPECT_EQ(-EINVAL, generate_sched(self->c.fd, 1, 0));
	EXPECT_EQ(-EINVAL, generate_sched(self->c.fd, 1, 1025));
}

/* --- interning ---------------------------------------------------------------------- */

static int put_magic(struct fxt_writer *w)
{
	const struct fxt_content c = { .kind = FXT_KIND_MAGIC };

	return fxt_writer_record(w, &c);
}

static int put_provider(struct fxt_writer *w, uint32_t id)
{
	const struct fxt_content c = {
		.kind = FXT_KIND_PROVIDER_INFO, .provider_id = id, .name = { .bytes = "" },
	};

	return fxt_writer_record(w, &c);
}

static int put_section(struct fxt_writer *w, uint32_t id)
{
	const struct fxt_content c = {
		.kind = FXT_KIND_PROVIDER_SECTION, .provider_id = id,
	};

	return fxt_writer_record(w, &c);
}

static struct fxt_content instant(const char *category, const char *name, uint64_t thread)
{
	/* Meaningless refs: the writer must use the strings. */
	return (struct fxt_content){
		.kind = FXT_KIND_INSTANT,
		.thread = { .process = 1, .thread = thread, .ref = 77 },
		.category = { .bytes = category, .length = strlen(category), .ref = 12345 },
		.name = { .bytes = name, .length = strlen(name) },
	};
}

static int put_instant(struct fxt_writer *w, const char *category, const char *name,
		       uint64_t thread)
{
	const struct fxt_content c = instant(category, name, thread);

	return fxt_writer_record(w, &c);
}

static int begin_interning(FIXTURE_DATA(writer) *self)
{
	int ret = copy_writer(&self->w, self->b.fd, COPY_INTERNING);

	if (!ret)
		ret = put_magic(self->w);
	return ret ? ret : put_provider(self->w, 1);
}

static int end_interning(FIXTURE_DATA(writer) *self)
{
	int ret = fxt_writer_close(self->w);

	self->w = NULL;
	snprintf(self->why, sizeof(self->why), "the archive cannot be closed: %d", ret);
	if (ret || memory_map(&self->b))
		return -1;
	return census_take(&self->b, &self->census, self->why);
}

static uint64_t strings_of(FIXTURE_DATA(writer) *self)
{
	return self->census.kinds[FXT_KIND_STRING];
}

static uint64_t threads_of(FIXTURE_DATA(writer) *self)
{
	return self->census.kinds[FXT_KIND_THREAD];
}

TEST_F(writer, each_string_and_thread_is_registered_once)
{
	struct fxt_content c = instant("same", "same", 7);

	ASSERT_EQ(0, begin_interning(self));
	for (unsigned int i = 0; i < FXT_MAX_ARGS; i++) {
		c.args[i] = (struct fxt_arg){
			.name = { .bytes = "argument", .length = 8, .ref = i },
			.type = FXT_ARG_STRING,
			.text = { .bytes = "same", .length = i % 2 ? 4 : 0 },
		};
	}
	c.arg_count = FXT_MAX_ARGS;
	for (unsigned int i = 0; i < 10; i++)
		ASSERT_EQ(0, fxt_writer_record(self->w, &c));
	ASSERT_FINE(end_interning(self));
	EXPECT_EQ(2UL, strings_of(self));
	EXPECT_EQ(1UL, threads_of(self));
	EXPECT_EQ(10UL, self->census.kinds[FXT_KIND_INSTANT]);
	EXPECT_EQ(10UL * 8, self->census.empty_strings);
	EXPECT_EQ(0UL, self->census.inline_strings);
	EXPECT_EQ(10UL, self->census.indexed_threads);
}

TEST_F(writer, registrations_of_others_are_dropped)
{
	struct fxt_content string = {
		.kind = FXT_KIND_STRING, .index = 5, .name = { .bytes = "x", .length = 1 },
	};
	struct fxt_content thread = { .kind = FXT_KIND_THREAD, .index = 5 };

	ASSERT_EQ(0, begin_interning(self));
	EXPECT_EQ(0, fxt_writer_record(self->w, &string));
	EXPECT_EQ(0, fxt_writer_record(self->w, &thread));
	string.index = 0;
	thread.index = 256;
	EXPECT_EQ(-EINVAL, fxt_writer_record(self->w, &string));
	EXPECT_EQ(-EINVAL, fxt_writer_record(self->w, &thread));
	ASSERT_FINE(end_interning(self));
	EXPECT_EQ(0UL, strings_of(self));
	EXPECT_EQ(0UL, threads_of(self));
}

TEST_F(writer, long_strings_stay_inline)
{
	char text[258];

	memset(text, 'x', sizeof(text));
	text[256] = '\0';
	ASSERT_EQ(0, begin_interning(self));
	ASSERT_EQ(0, put_instant(self->w, "c", text, 1));
	text[256] = 'x';
	text[257] = '\0';
	ASSERT_EQ(0, put_instant(self->w, "c", text, 1));
	ASSERT_FINE(end_interning(self));
	EXPECT_EQ(2UL, strings_of(self));
	EXPECT_EQ(1UL, self->census.inline_strings);
	EXPECT_EQ(3UL, self->census.indexed_strings);
}

/* Instants with @count names in turn, @rounds times, and with as many threads. */
static int put_cycles(struct fxt_writer *w, unsigned int count, unsigned int rounds,
		      unsigned int threads)
{
	char name[32];

	for (unsigned int i = 0; i < count * rounds; i++) {
		snprintf(name, sizeof(name), "name %u", i % count);
		if (put_instant(w, "", name, i % threads))
			return -1;
	}
	return 0;
}

/* As many as fit into the tables: nothing is ever replaced. */
TEST_F(writer, tables_hold_all_indices)
{
	ASSERT_EQ(0, begin_interning(self));
	ASSERT_EQ(0, put_cycles(self->w, FXT_MAX_STRING_INDEX, 2, FXT_MAX_THREAD_INDEX));
	ASSERT_FINE(end_interning(self));
	EXPECT_EQ((uint64_t)FXT_MAX_STRING_INDEX, strings_of(self));
	EXPECT_EQ((uint64_t)FXT_MAX_THREAD_INDEX, threads_of(self));
}

/* One more, in turn: the next one needed is always the one that was replaced. */
TEST_F(writer, oldest_is_replaced)
{
	const unsigned int count = FXT_MAX_STRING_INDEX + 1;

	ASSERT_EQ(0, begin_interning(self));
	ASSERT_EQ(0, put_cycles(self->w, count, 2, FXT_MAX_THREAD_INDEX + 1));
	ASSERT_FINE(end_interning(self));
	EXPECT_EQ(2UL * count, strings_of(self));
	EXPECT_EQ(2UL * count, threads_of(self));
}

/* Each record keeps its text and thread, although many more are used than fit. */
TEST_F(writer, what_is_used_is_kept)
{
	const unsigned int count = 40000, threads = 300;
	char name[32];

	ASSERT_EQ(0, fxt_writer_open(&self->w, self->a.fd));
	ASSERT_EQ(0, put_magic(self->w));
	ASSERT_EQ(0, put_provider(self->w, 1));
	for (unsigned int i = 0; i < count; i++) {
		struct fxt_content c;

		snprintf(name, sizeof(name), "name %u", i);
		c = instant("used all the time", name, i % 2 ? 999 : i / 2 % threads);
		c.category.ref = 0;
		c.thread.ref = 0;
		ASSERT_EQ(0, fxt_writer_record(self->w, &c));
		/* Old strings in use: replacing the oldest registration would lose them. */
		if (i % 1000)
			continue;
		for (unsigned int hot = 0; hot < 20; hot++) {
			snprintf(name, sizeof(name), "name %u", hot);
			c.name.length = strlen(name);
			ASSERT_EQ(0, fxt_writer_record(self->w, &c));
		}
	}
	ASSERT_EQ(0, fxt_writer_close(self->w));
	self->w = NULL;
	ASSERT_EQ(0, memory_map(&self->a));
	ASSERT_FINE(copy_archive(&self->a, &self->b, COPY_INTERNING, self->why));
	EXPECT_FINE(copy_differs(&self->a, &self->b, self->why));
	ASSERT_FINE(census_take(&self->b, &self->census, self->why));
	/* Each string once, including the category and the old names. */
	EXPECT_EQ(count + 1UL, strings_of(self));
	/* Those of the even records in turn, which never stay; 999 stays. */
	EXPECT_EQ(count / 2 + 1UL, threads_of(self));
	EXPECT_EQ(0UL, self->census.inline_strings);
	EXPECT_EQ(0UL, self->census.inline_threads);
}

/* Two strings of one record never get the same index, even in a full table. */
TEST_F(writer, one_record_with_many_strings)
{
	char texts[32][16];
	struct fxt_content c;

	ASSERT_EQ(0, fxt_writer_open(&self->w, self->a.fd));
	ASSERT_EQ(0, put_magic(self->w));
	ASSERT_EQ(0, put_provider(self->w, 1));
	for (unsigned int round = 0; round < 1100; round++) {
		c = instant("", "", 1);
		c.thread.ref = 0;
		c.category.ref = c.thread.ref;
		for (unsigned int i = 0; i < 32; i++)
			snprintf(texts[i], sizeof(texts[i]), "%u of %u", i, round);
		c.category.bytes = texts[30];
		c.category.length = strlen(texts[30]);
		c.name.bytes = texts[31];
		c.name.length = strlen(texts[31]);
		for (unsigned int i = 0; i < FXT_MAX_ARGS; i++) {
			c.args[i].type = FXT_ARG_STRING;
			c.args[i].name.bytes = texts[2 * i];
			c.args[i].name.length = strlen(texts[2 * i]);
			c.args[i].text.bytes = texts[2 * i + 1];
			c.args[i].text.length = strlen(texts[2 * i + 1]);
		}
		c.arg_count = FXT_MAX_ARGS;
		ASSERT_EQ(0, fxt_writer_record(self->w, &c));
	}
	ASSERT_EQ(0, fxt_writer_close(self->w));
	self->w = NULL;
	ASSERT_EQ(0, memory_map(&self->a));
	ASSERT_FINE(copy_archive(&self->a, &self->c, COPY_INTERNING, self->why));
	EXPECT_FINE(copy_differs(&self->a, &self->c, self->why));
}

/* A section continues with the provider's tables, an info empties them. */
TEST_F(writer, providers_have_tables_of_their_own)
{
	ASSERT_EQ(0, begin_interning(self));
	ASSERT_EQ(0, put_instant(self->w, "one", "both", 1));
	ASSERT_EQ(0, put_provider(self->w, 2));
	ASSERT_EQ(0, put_instant(self->w, "two", "both", 1));
	ASSERT_EQ(0, put_section(self->w, 1));
	ASSERT_EQ(0, put_instant(self->w, "one", "both", 1));
	ASSERT_EQ(0, put_section(self->w, 2));
	ASSERT_EQ(0, put_instant(self->w, "two", "both", 1));
	ASSERT_EQ(0, put_provider(self->w, 1));
	ASSERT_EQ(0, put_instant(self->w, "one", "two", 1));
	/* The other way to write that record. */
	ASSERT_EQ(0, fxt_writer_provider(self->w, 2, "name"));
	ASSERT_EQ(0, put_instant(self->w, "two", "two", 1));
	ASSERT_FINE(end_interning(self));
	EXPECT_EQ(2UL + 2 + 2 + 1, strings_of(self));
	EXPECT_EQ(4UL, threads_of(self));
	EXPECT_EQ(6UL, self->census.kinds[FXT_KIND_INSTANT]);
}

/* A thread record needs a thread id, which object records do not have. */
TEST_F(writer, processes_of_objects_stay_inline)
{
	const struct fxt_content c = {
		.kind = FXT_KIND_USERSPACE_OBJECT,
		.thread = { .process = 5, .ref = 7 }, .name = { .bytes = "" },
	};

	ASSERT_EQ(0, begin_interning(self));
	ASSERT_EQ(0, fxt_writer_record(self->w, &c));
	ASSERT_FINE(end_interning(self));
	EXPECT_EQ(0UL, threads_of(self));
	EXPECT_EQ(1UL, self->census.kinds[FXT_KIND_USERSPACE_OBJECT]);
}

/*
 * Two strings for each provider, in an order that gives every index another meaning for the
 * next provider.
 */
static int put_instant_of(struct fxt_writer *w, unsigned int provider)
{
	char name[32];
	struct fxt_content c;

	snprintf(name, sizeof(name), "of %u", provider);
	c = provider % 2 ? instant(name, "common", provider) :
			   instant("common", name, provider);
	c.thread.ref = 0;
	c.category.ref = c.thread.ref;
	return fxt_writer_record(w, &c);
}

/* All providers in turn, three times. */
static int intern_providers(FIXTURE_DATA(writer) *self, unsigned int providers)
{
	int ret = fxt_writer_open(&self->w, self->a.fd);

	ret |= put_magic(self->w);
	/* Records before the first provider info have tables as well. */
	ret |= put_instant_of(self->w, 1);
	for (unsigned int i = 0; i < 3 * providers; i++) {
		ret |= i < providers ? put_provider(self->w, i) :
				       put_section(self->w, i % providers);
		ret |= put_instant_of(self->w, i % providers);
	}
	ret |= fxt_writer_close(self->w);
	self->w = NULL;
	ret |= memory_map(&self->a);
	if (ret || copy_archive(&self->a, &self->b, COPY_INTERNING, self->why) ||
	    copy_differs(&self->a, &self->b, self->why))
		return -1;
	return census_take(&self->b, &self->census, self->why);
}

TEST_F(writer, many_providers)
{
	ASSERT_FINE(intern_providers(self, 16));
	EXPECT_EQ(2 * 17UL, strings_of(self));
	EXPECT_EQ(17UL, threads_of(self));
}

/* Tables that are dropped are forgotten, not mixed up. */
TEST_F(writer, too_many_providers)
{
	ASSERT_FINE(intern_providers(self, 17));
	EXPECT_EQ(2 * (1 + 3 * 17UL), strings_of(self));
	EXPECT_EQ(1 + 3 * 17UL, threads_of(self));
}
