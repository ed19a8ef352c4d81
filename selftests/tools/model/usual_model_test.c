// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The model of the scheduler has the same result, whether it is fed by sched_model_next() or record
 * by record, also in archives that no scheduler has written. The activity of CPUs is the same,
 * whether the model reports each switch, or many switches as a run.
 */
#include "harness.h"
#include "fxt/info/info.h"
#include "fxt/sched/model.h"
#include "archive_copy.h"
#include "generate.h"
#include "usual_records.h"

/* --- the model ------------------------------------------------------------------ */

static uint64_t draw(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random >> 11;
}

enum { FAST = 1, SPANS = 2, SHORT_QUEUES = 4 };	/* ways to feed the model */

struct judged {
	FILE *f;
	char *text;		/* everything that the model reported */
	size_t bytes;
	size_t records;		/* records that did not take the fast path */
	struct fxt_reader_totals totals;
};

static void say_deviation(void *arg, const struct fxt_deviation *d)
{
	struct judged *j = arg;

	fprintf(j->f, "%s\n", d->text);
}

static void say_anomaly(void *arg, const struct sched_anomaly *f)
{
	struct judged *j = arg;

	fprintf(j->f, "%s %d %ju at %ju, %ju ns: %s\n", sched_anomaly_name(f->kind), f->violation,
		(uintmax_t)f->count, (uintmax_t)f->offset, (uintmax_t)f->time, f->text);
}

static int say_span(void *arg, const struct sched_span *s)
{
	struct judged *j = arg;

	fprintf(j->f, "%ju %ju-%ju %c%c %d %d %u %ju %u\n", (uintmax_t)s->thread->koid,
		(uintmax_t)s->from, (uintmax_t)s->to, s->state, s->end_state, s->has_weight,
		s->weight, s->cpu, s->waker ? (uintmax_t)s->waker->koid : 0, s->waker_cpu);
	return 0;
}

static int say_step(void *arg, const struct sched_step *s)
{
	struct judged *j = arg;

	fprintf(j->f, "step %ju %ju-%ju %c %u %d\n", (uintmax_t)s->time,
		(uintmax_t)s->out->koid, (uintmax_t)s->in->koid, s->state, s->cpu, s->is_late);
	return 0;
}

static int say_waking(void *arg, const struct sched_waking *w)
{
	struct judged *j = arg;

	fprintf(j->f, "waking %ju %ju %ju %u %d\n", (uintmax_t)w->time,
		(uintmax_t)w->thread->koid, w->waker ? (uintmax_t)w->waker->koid : 0, w->cpu,
		w->fits);
	return 0;
}

static int say_gap(void *arg, const struct sched_gap *g)
{
	struct judged *j = arg;

	fprintf(j->f, "gap %ju-%ju %ju %u\n", (uintmax_t)g->from, (uintmax_t)g->to,
		(uintmax_t)g->records, g->cpu);
	return 0;
}

static void say_threads(struct judged *j, struct sched_model *m)
{
	struct sched_thread * const *t;
	size_t count;

	for (t = sched_model_threads(m, &count); count--; t++)
		fprintf(j->f, "%ju of %ju: %ju %ju %ju at %ju %c %d%d%d %u %d %s\n",
			(uintmax_t)(*t)->koid, (uintmax_t)(*t)->process,
			(uintmax_t)(*t)->switches, (uintmax_t)(*t)->since,
			(uintmax_t)(*t)->last_event, (uintmax_t)(*t)->last_offset,
			(*t)->state, (*t)->is_open, (*t)->is_missed, (*t)->has_weight,
			(*t)->cpu, (*t)->weight, (*t)->name);
}

static void judge(struct judged *j, const uint64_t *words, size_t bytes, unsigned int how)
{
	static const struct sched_ops with = {
		.span = say_span, .step = say_step, .waking = say_waking, .gap = say_gap,
		.anomaly = say_anomaly,
	};
	static const struct sched_ops without = { .anomaly = say_anomaly };
	struct fxt_reader_options o = { .deviation = say_deviation, .arg = j };
	const struct sched_totals *t;
	struct fxt_record rec;
	struct sched_model *m;
	struct fxt_reader *r;
	int ret;

	*j = (struct judged){ 0 };
	j->f = open_memstream(&j->text, &j->bytes);
	if (!j->f || fxt_reader_open_memory(&r, words, bytes, &o))
		abort();
	m = sched_model_open(how & SPANS ? &with : &without, j, how & SHORT_QUEUES ? 8 : 0);
	while ((ret = how & FAST ? sched_model_next(m, r, &rec) : fxt_reader_next(r, &rec)) == 1) {
		j->records++;
		ret = sched_model_record(m, r, &rec);
		if (ret && ret != -EBADMSG)
			break;
	}
	fprintf(j->f, "%d %d\n", ret, sched_model_finish(m));
	t = sched_model_totals(m);
	fprintf(j->f, "%ju-%ju %ju + %ju on %u, %ju = %ju + %ju, %ju %ju\n", (uintmax_t)t->first,
		(uintmax_t)t->last, (uintmax_t)t->switches, (uintmax_t)t->wakeups, t->cpus,
		(uintmax_t)t->written, (uintmax_t)t->stored, (uintmax_t)t->lost,
		(uintmax_t)t->ledgers, (uintmax_t)t->late);
	say_threads(j, m);
	j->totals = *fxt_reader_totals(r);
	fclose(j->f);
	sched_model_close(m);
	fxt_reader_close(r);
}

/* Feed the model both ways, and compare. @usual: incremented by the records on the fast path */
static bool is_judged_alike(struct __test_metadata *_metadata, const uint64_t *words,
			    size_t bytes, unsigned int how, size_t *usual)
{
	struct judged fast, general;
	bool same;

	judge(&fast, words, bytes, how | FAST);
	judge(&general, words, bytes, how);
	same = fast.bytes == general.bytes && !memcmp(fast.text, general.text, general.bytes) &&
	       !memcmp(&fast.totals, &general.totals, sizeof(general.totals));
	*usual += general.records - fast.records;
	if (!same && general.bytes < 20000)
		TH_LOG("the fast path:\n%s\nthe general path:\n%s", fast.text, general.text);
	return same;
}

TEST(model_generated)
{
	struct memory m;
	size_t usual = 0;

	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ(0, generate_sched(m.fd, 60000, 5));
	ASSERT_EQ(0, memory_map(&m));
	EXPECT_TRUE(is_judged_alike(_metadata, m.data, m.bytes, 0, &usual));
	EXPECT_LT(45000U, usual);
	EXPECT_TRUE(is_judged_alike(_metadata, m.data, m.bytes, SPANS | SHORT_QUEUES, &usual));
}

/* The faster path leaves out records without weights. */
TEST(model_generated_without_weights)
{
	struct memory m;
	size_t usual = 0;

	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ(0, generate_part(m.fd, &(struct generate_wishes){
		.records = 20000, .cpus = 5, .like_for_like = true }));
	ASSERT_EQ(0, memory_map(&m));
	EXPECT_TRUE(is_judged_alike(_metadata, m.data, m.bytes, 0, &usual));
	EXPECT_TRUE(is_judged_alike(_metadata, m.data, m.bytes, SPANS | SHORT_QUEUES, &usual));
	EXPECT_EQ(0U, usual);
}

#define PIECES	512

struct pieces {
	const uint64_t *words;
	size_t begin;		/* words before these records */
	size_t count;
	struct {
		size_t at;
		size_t size;
	} list[PIECES];
};

static void find_pieces(struct pieces *p, const uint64_t *words, size_t bytes)
{
	struct fxt_record rec;
	struct fxt_reader *r;

	*p = (struct pieces){ .words = words };
	if (fxt_reader_open_memory(&r, words, bytes, NULL))
		abort();
	while (fxt_reader_next(r, &rec) == 1 && p->count < PIECES) {
		if (!p->begin && rec.words[0] == FXT_LEDGER_HEADER)
			p->begin = rec.offset / FXT_WORD;
		if (!p->begin)
			continue;
		p->list[p->count].at = rec.offset / FXT_WORD;
		p->list[p->count++].size = rec.size;
	}
	fxt_reader_close(r);
}

/* Change a thread's weight from its switch-in to its switch-out. */
static void reweigh(struct built *b, size_t at, uint64_t weight)
{
	uint64_t in = b->words[at + 3];

	b->words[at + 5] = fxt_arg_int32(1, FXT_STR_INCOMING_WEIGHT, weight);
	for (size_t i = at + 6; i + 6 <= b->count; i += fxt_get(FXT_SIZE, b->words[i]) ?: 1) {
		if (b->words[i + 2] != in || b->words[i] >> 60 != FXT_SCHEDULING_CONTEXT_SWITCH)
			continue;
		b->words[i + 4] = fxt_arg_int32(1, FXT_STR_OUTGOING_WEIGHT, weight);
		return;
	}
}

/* Replace a word by another value, or by a word of another record. */
static void change_word(struct built *b, const struct pieces *p, size_t at, uint64_t *random)
{
	size_t word = draw(random) % 6, from = draw(random) % p->count;
	static const uint64_t values[] = { 0, 1, UINT64_MAX, 1ULL << 63, 1ULL << 32, 1000 };
	uint64_t *w = &b->words[at + word], weight = values[draw(random) % 6];

	switch (draw(random) % 6) {
	case 0:
		*w ^= 1ULL << draw(random) % 64;
		break;
	case 1:
		*w = p->words[p->list[from].at + word];
		break;
	case 2:
		*w = weight;
		break;
	case 3:
		*w += draw(random) % 3 - 1;
		break;
	case 4:
		*w = (*w & ~FXT_ARG_VALUE_32) | weight << 32;
		break;
	default:
		reweigh(b, at, draw(random) % 2 ? weight : draw(random));
	}
}

static void mutate(struct built *b, const struct pieces *p, uint64_t *random)
{
	size_t order[PIECES], at[PIECES], i, j, n, other, what, times = 1 + draw(random) % 3;

	for (i = 0; i < p->count; i++)
		order[i] = i;
	b->count = 0;
	build_words(b, p->words, p->begin);
	for (n = 0; n < times; n++) {
		i = draw(random) % p->count;
		j = draw(random) % 2 ? draw(random) % p->count : (i + 1) % p->count;
		other = order[i];
		what = draw(random) % 8;
		if (what < 2)		/* swap two records, or drop one and double another */
			order[i] = order[j];
		if (what < 1)
			order[j] = other;
	}
	for (i = 0; i < p->count; i++) {
		at[i] = b->count;
		build_words(b, p->words + p->list[order[i]].at, p->list[order[i]].size);
	}
	build_words(b, (const uint64_t [6]){ 0 }, 6);	/* room for words that change */
	for (n = 0; n < times; n++)
		if (draw(random) % 4)
			change_word(b, p, at[draw(random) % p->count], random);
	b->count -= 6;
}

#define MUTATIONS	6000

TEST(model_mutated)
{
	uint64_t random = 0x9e3779b97f4a7c15ULL;
	static struct pieces p;
	struct built b = { 0 };
	size_t usual = 0, i;
	struct memory m;

	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ(0, generate_sched(m.fd, 120, 2));
	ASSERT_EQ(0, memory_map(&m));
	find_pieces(&p, m.data, m.bytes);
	ASSERT_LT(120U, p.count);
	for (i = 0; i < MUTATIONS; i++) {
		mutate(&b, &p, &random);
		ASSERT_TRUE(is_judged_alike(_metadata, b.words, built_bytes(&b),
					    i & (SPANS | SHORT_QUEUES), &usual))
			TH_LOG("mutation %zu", i);
	}
	EXPECT_LT(MUTATIONS * 55U, usual);
}

/* --- runs of switches ---------------------------------------------------------------- */

static void find_wrong_stream(void *arg, const struct sched_anomaly *f)
{
	struct info *info = arg;

	info->buffer_full += f->kind == SCHED_WRONG_STREAM;
}

/*
 * Return: what the CPUs of an archive did, for free(). @runs: report many switches as one. Its
 * buffer_full counts records in a wrong stream.
 */
static struct info *cpus_of(const uint64_t *words, size_t bytes, bool runs)
{
	struct info *info = calloc(1, sizeof(*info));
	struct sched_ops ops = info_cpus_ops;
	struct fxt_record rec;
	struct fxt_reader *r;
	int ret;

	ops.run = runs ? ops.run : NULL;
	ops.anomaly = find_wrong_stream;
	if (!info || fxt_reader_open_memory(&r, words, bytes, NULL))
		abort();
	info->model = sched_model_open(&ops, info, 0);
	while ((ret = sched_model_next(info->model, r, &rec)) == 1) {
		ret = sched_model_record(info->model, r, &rec);
		if (ret && ret != -EBADMSG)
			break;
	}
	sched_model_finish(info->model);
	info_cpus_finish(info);
	info->first = sched_model_totals(info->model)->first;
	info->last = sched_model_totals(info->model)->last;
	info->totals.records = sched_model_totals(info->model)->switches;
	sched_model_close(info->model);
	fxt_reader_close(r);
	return info;
}

static bool is_run_alike(struct __test_metadata *_metadata, const uint64_t *words, size_t bytes)
{
	struct info *one = cpus_of(words, bytes, false), *runs = cpus_of(words, bytes, true);
	bool same = one->window == runs->window && one->first == runs->first &&
		    one->last == runs->last && one->totals.records == runs->totals.records;
	struct info_cpu *a, *b;

	/* A switch of one CPU may come in the middle of a run of another CPU. */
	for (unsigned int i = 0; i < INFO_CPUS && same && !one->buffer_full; i++) {
		a = &one->cpus[i];
		b = &runs->cpus[i];
		same = a->is_there == b->is_there && a->busy == b->busy && a->idle == b->idle &&
		       a->offline == b->offline;
		if (!same)
			TH_LOG("cpu %u: busy %ju, idle %ju, offline %ju; in runs %ju, %ju, %ju", i,
			       (uintmax_t)a->busy, (uintmax_t)a->idle, (uintmax_t)a->offline,
			       (uintmax_t)b->busy, (uintmax_t)b->idle, (uintmax_t)b->offline);
	}
	return same;
}

static void generate_marked(struct __test_metadata *_metadata, struct memory *m, uint64_t records,
			    unsigned int cpus)
{
	ASSERT_EQ(0, memory_open(m));
	ASSERT_EQ(0, generate_part(m->fd, &(struct generate_wishes){
		.records = records, .cpus = cpus, .is_marked = true,
	}));
	ASSERT_EQ(0, memory_map(m));
}

TEST(runs_generated)
{
	struct memory m;

	generate_marked(_metadata, &m, 60000, 5);
	EXPECT_TRUE(is_run_alike(_metadata, m.data, m.bytes));
}

#define RUN_MUTATIONS	1000

TEST(runs_mutated)
{
	uint64_t random = 0x9e3779b97f4a7c15ULL;
	static struct pieces p;
	struct built b = { 0 };
	struct memory m;

	generate_marked(_metadata, &m, 120, 2);
	find_pieces(&p, m.data, m.bytes);
	for (size_t i = 0; i < RUN_MUTATIONS; i++) {
		mutate(&b, &p, &random);
		ASSERT_TRUE(is_run_alike(_metadata, b.words, built_bytes(&b)))
			TH_LOG("mutation %zu", i);
	}
}

/* --- records that no generator writes ------------------------------------------- */

FIXTURE(odd)
{
	struct story s;
	struct built *b;
	size_t begin;		/* words of the preamble */
	size_t usual;
};

FIXTURE_SETUP(odd)
{
	self->b = &self->s.b;
	story_begin(&self->s);
	self->begin = self->b->count;
	/* Usual records on a CPU that has switched, so that the records after them can be usual. */
	put_switch(self->b, 100, 0, 0, 11, IDLE, 1024);
	put_wakeup(self->b, 200, 0, 12, 1024, 11);
}

FIXTURE_TEARDOWN(odd) { }

#define EXPECT_ALIKE()								\
	EXPECT_TRUE(is_judged_alike(_metadata, self->b->words, built_bytes(self->b), SPANS, \
				    &self->usual))

/* An impossible weight, at the switch-in and at the switch-out of its thread. */
TEST_F(odd, weight)
{
	begin_cpu(self->b, 0, 11, 1000);
	put_switch(self->b, 2000, 0, 11, 12, 1024, 500000);
	put_switch(self->b, 3000, 0, 12, 11, 500000, 1024);
	put_switch(self->b, 4000, 0, 11, 0, 1024, IDLE);
	EXPECT_ALIKE();
}

/* The first switch of a stream; no thread has been switched in yet. */
TEST_F(odd, first_switch)
{
	put_chunk(self->b, 0, 1000);
	put_wakeup(self->b, 1000, 0, 13, 1024, 0);
	put_switch(self->b, 2000, 0, 0, 11, 0, 1024);
	EXPECT_ALIKE();
}

/* A legacy switch has no weights, but priorities. */
TEST_F(odd, after_legacy)
{
	begin_cpu(self->b, 0, 11, 1000);
	BUILD(self->b, fxt_legacy_switch(6, 0, FXT_THREAD_NEW, 0, 0, 16, 0), 2000, 1, 11, 0, 0);
	/* Its content was requested, so the next record is checked in full. */
	put_wakeup(self->b, 2500, 0, 13, 1024, 0);
	put_switch(self->b, 3000, 0, 0, 11, 0, 1024);
	EXPECT_ALIKE();
}

/* A waker may be switched out with another weight than at its switch-in. */
TEST_F(odd, waker)
{
	begin_cpu(self->b, 0, 11, 1000);
	put_wakeup(self->b, 2000, 0, 13, 1024, 0);
	put_switch(self->b, 3000, 0, 0, 12, 1024, 1024);
	EXPECT_ALIKE();
}

TEST_F(odd, idle_woken)
{
	begin_cpu(self->b, 0, 11, 1000);
	put_wakeup(self->b, 2000, 0, 13, 1024, 0);
	put_wakeup(self->b, 3000, 0, 0, IDLE, 11);
	EXPECT_ALIKE();
}

/* Switches in the stream of names, whose number could be a CPU's. */
TEST_F(odd, names)
{
	put_chunk(self->b, FXT_LEDGER_STREAM_NAMES, 1000);
	put_switch(self->b, 1000, FXT_LEDGER_STREAM_NAMES, 0, 11, IDLE, 1024);
	put_switch(self->b, 2000, FXT_LEDGER_STREAM_NAMES, 11, 12, 1024, 1024);
	put_wakeup(self->b, 3000, 0, 13, 1024, 0);
	EXPECT_ALIKE();
}

/* Feed all records, then return to the preamble. Return: 0 or the model's error. */
static int feed(struct sched_model *m, FIXTURE_DATA(odd) *self)
{
	struct fxt_record rec;
	struct fxt_reader *r;
	int ret = 0;

	if (fxt_reader_open_memory(&r, self->b->words, built_bytes(self->b), NULL))
		abort();
	while (!ret && fxt_reader_next(r, &rec) == 1)
		ret = sched_model_record(m, r, &rec);
	fxt_reader_close(r);
	self->b->count = self->begin;
	return ret;
}

/* Feed a switch by hand, as if something else could have come in between. Return: was it taken? */
static size_t feed_hot(struct sched_model *m, uint64_t time, uint64_t out, uint64_t in)
{
	const uint64_t words[FXT_HOT_WORDS] = {
		fxt_context_switch(FXT_HOT_WORDS, 2, 0, FXT_THREAD_NEW), time, out, in,
		fxt_put(FXT_ARG_VALUE_32, 1024), fxt_put(FXT_ARG_VALUE_32, 1024),
	};

	return sched_model_hot(m, &(struct fxt_hot_run){ .words = words, .count = 1 });
}

TEST_F(odd, not_in_order)
{
	static const struct sched_ops ops;
	struct sched_model *m = sched_model_open(&ops, NULL, 0);

	EXPECT_EQ(0U, feed_hot(m, 2000, 11, 12));
	begin_cpu(self->b, 0, 11, 1000);
	EXPECT_EQ(0, feed(m, self));
	EXPECT_EQ(1U, feed_hot(m, 2000, 11, 12));
	/* The first record after a ledger is compared with it. */
	put_chunk(self->b, 0, 3000);
	EXPECT_EQ(0, feed(m, self));
	EXPECT_EQ(0U, feed_hot(m, 3000, 12, 11));
	/* Ticks go back, although time does not. */
	BUILD(self->b, fxt_initialization(), 1000000000000);
	put_switch(self->b, 4000000, 0, 12, 11, 1024, 1024);
	EXPECT_EQ(0, feed(m, self));
	EXPECT_EQ(0U, feed_hot(m, 5000, 11, 12));
	EXPECT_EQ(1U, feed_hot(m, 4000000, 11, 12));
	EXPECT_EQ(5U, sched_model_totals(m)->switches);
	sched_model_close(m);
}
