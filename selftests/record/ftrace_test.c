// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The archive has the same switches and wakers as the kernel's own tracer. Switches are compared on
 * each CPU between two marker threads, wakeups by thread and time.
 */
#include "ftrace.h"
#include "trace_align.h"
#include "source_fixture.h"

SOURCE_FIXTURE(ftrace);

struct line {
	pid_t out;
	pid_t in;
	char state;
	bool preempted;		/* a plus follows the state */
};

struct lines {
	struct line *list;
	size_t count;
	size_t room;
};

/* Find the last place of a word before @end, because names may contain anything. */
static char *last_before(char *text, const char *word, char *end)
{
	char *found = NULL, *p = text;

	while ((p = strstr(p, word)) && p < end)
		found = p++;
	return found ? found + strlen(word) : NULL;
}

static int parse(char *text, struct line *l)
{
	char *arrow = strstr(text, " ==> next_comm="), *out, *in, *state;

	if (!strstr(text, ": sched_switch: ") || !arrow)
		return -1;
	out = last_before(text, " prev_pid=", arrow);
	state = last_before(text, " prev_state=", arrow);
	in = last_before(arrow, " next_pid=", text + strlen(text));
	if (!out || !state || !in)
		return -1;
	*l = (struct line){ atoi(out), atoi(in), state[0], state[1] == '+' };
	return 0;
}

static int read_lines(int cpu, pid_t begin, pid_t end, struct lines *lines)
{
	char path[256], *text = NULL;
	struct line l;
	size_t room = 0;
	bool on = false;
	FILE *f;

	snprintf(path, sizeof(path), FTRACE_INSTANCE "/per_cpu/cpu%d/trace", cpu);
	f = fopen(path, "re");
	lines->count = 0;
	while (f && getline(&text, &room, f) > 0) {
		if (text[0] == '#' || parse(text, &l))
			continue;
		on |= l.in == begin;
		if (!on)
			continue;
		if (lines->count == lines->room) {
			lines->room = lines->room * 2 + 1024;
			lines->list = realloc(lines->list, lines->room * sizeof(*lines->list));
			if (!lines->list)
				abort();
		}
		lines->list[lines->count++] = l;
		if (l.in == end)
			break;
	}
	if (f)
		fclose(f);
	return lines->count ? 0 : -1;
}

static char state_letter(const struct fxt_switch *sw)
{
	switch (sw->state) {
	case FXT_THREAD_BLOCKED:
		return sw->letter ? sw->letter : 'S';
	case FXT_THREAD_SUSPENDED:
		return sw->letter ? sw->letter : 'T';
	case FXT_THREAD_DYING:
		return 'Z';
	case FXT_THREAD_DEAD:
		return 'X';
	}
	return 'R';
}

/*
 * ftrace prints the state with which the thread called schedule(). If a signal was pending, the
 * thread did not sleep: the archive has it runnable, and the check of threads has verified that no
 * wakeup was needed. Between the two probes, the parent may reap a thread that has exited.
 */
static bool same_state(const struct line *l, const struct fxt_switch *sw)
{
	char ours = state_letter(sw);

	if (l->preempted)
		return ours == 'R';
	return ours == l->state || (ours == 'R' && strchr("SD", l->state)) ||
	       (strchr("ZX", l->state) && strchr("ZX", ours)) ||
	       (strchr("RSDI", l->state) && strchr("SDI", ours) && state_may_change());
}

static int check_same(const struct window *w, const struct lines *lines, struct why *why)
{
	const struct line *l = lines->list, *end = l + lines->count;

	for (const struct trace_event *e = w->from; e < w->to; e++) {
		if (e->is_wakeup)
			continue;
		if (l == end)
			return complain(why, "CPU %u: ftrace ends before the switch at byte %ju",
					e->stream, (uintmax_t)e->offset);
		if (e->sw.out != (uint64_t)l->out || e->sw.in != (uint64_t)l->in ||
		    !same_state(l, &e->sw))
			return complain(why, "CPU %u, byte %ju: %ju (%c) to %ju; ftrace, line %td: %d (%c%s) to %d",
					e->stream, (uintmax_t)e->offset,
					(uintmax_t)e->sw.out, state_letter(&e->sw),
					(uintmax_t)e->sw.in, l - lines->list, l->out,
					l->state, l->preempted ? "+" : "", l->in);
		l++;
	}
	if (l < end)
		return complain(why, "CPU %u: ftrace has %td switches more",
				w->from->stream, end - l);
	return 0;
}

struct waking {
	pid_t woken;
	pid_t current;
	uint64_t us;
	/* the interrupt in which it happened: h, H or s; any other character: none */
	char flag;
	bool by_server;	/* the current thread serves soft interrupts */
};

struct wakings {
	struct waking *list;
	size_t count;
	size_t room;
};

/*
 * In the head of the text, each character of the flags has a line, with a bar for each character
 * before it but the first. PREEMPT_RT has one more before that of the interrupt.
 *
 * Return: the place of the interrupt's character, or -1.
 */
static int find_flag(const char *text)
{
	int place = 1;

	if (!strstr(text, "=> hardirq/softirq"))
		return -1;
	while ((text = strchr(text, '|'))) {
		place++;
		text++;
	}
	return place;
}

/* "            name-current [cpu] flags seconds.us: sched_waking: comm=name pid=woken ..." */
static int parse_waking(char *text, int place, struct waking *w)
{
	char *event = strstr(text, ": sched_waking: comm="), *woken, *cpu, *flags;
	unsigned long long seconds, us;

	if (!event)
		return -1;
	woken = last_before(event, " pid=", text + strlen(text));
	*event = '\0';
	cpu = last_before(text, " [", event);
	flags = cpu ? strstr(cpu, "] ") : NULL;
	if (!woken || !flags || sscanf(flags + 2, "%*s %llu.%llu", &seconds, &us) != 2)
		return -1;
	cpu[-2] = '\0';
	*w = (struct waking){
		.woken = atoi(woken),
		.us = seconds * 1000000 + us,
		.flag = flags[2 + place],
		.by_server = strstr(text, "ksoftirqd/") || strstr(text, " ktimers/") ||
			     strstr(text, " irq/"),
	};
	w->current = strrchr(text, '-') ? atoi(strrchr(text, '-') + 1) : 0;
	return 0;
}

static int by_woken_and_time(const void *a, const void *b)
{
	const struct waking *x = a, *y = b;

	if (x->woken != y->woken)
		return x->woken < y->woken ? -1 : 1;
	return x->us < y->us ? -1 : x->us > y->us;
}

static void read_wakings(struct wakings *all)
{
	char *text = NULL;
	struct waking w;
	size_t room = 0;
	int place = -1;
	FILE *f = fopen(FTRACE_INSTANCE "/trace", "re");

	while (f && getline(&text, &room, f) > 0) {
		if (text[0] == '#' && place < 0)
			place = find_flag(text);
		if (text[0] == '#' || place < 0 || parse_waking(text, place, &w))
			continue;
		if (all->count == all->room) {
			all->room = all->room * 2 + 1024;
			all->list = realloc(all->list, all->room * sizeof(*all->list));
			if (!all->list)
				abort();
		}
		all->list[all->count++] = w;
	}
	if (f)
		fclose(f);
	qsort(all->list, all->count, sizeof(*all->list), by_woken_and_time);
}

static bool same_waker(const struct waking *w, const struct fxt_wakeup *r)
{
	uint64_t current = w->current;
	uint8_t irq = FXT_SCHED_IRQ_NONE;

	if (w->flag == 'h' || w->flag == 'H')
		irq = FXT_SCHED_IRQ_HARD;
	else if (w->flag == 's' && !w->by_server)
		irq = FXT_SCHED_IRQ_SOFT;
	if (irq)
		return r->irq == irq && r->interrupted == current && !r->has_waker;
	return !r->has_irq && r->waker == current && r->has_waker == !!current;
}

/*
 * The line of a record is the last line of its thread before it. ftrace truncates times, so a line
 * of the same microsecond may come after the record; then the line before it counts.
 *
 * Return: 1 if they agree, 0 if they do not, -1 if there is no line.
 */
static int find_waking(const struct wakings *all, const struct trace_event *e)
{
	const struct waking key = { .woken = e->wakeup.thread, .us = e->time / 1000 };
	size_t low = 0, high = all->count, middle;
	const struct waking *w;

	while (low < high) {
		middle = (low + high) / 2;
		if (by_woken_and_time(&all->list[middle], &key) > 0)
			high = middle;
		else
			low = middle + 1;
	}
	w = all->list + low;
	if (!low || w[-1].woken != key.woken)
		return -1;
	if (same_waker(w - 1, &e->wakeup))
		return 1;
	return low > 1 && w[-2].woken == key.woken && w[-1].us == key.us &&
	       same_waker(w - 2, &e->wakeup);
}

static int check_wakers(const struct trace *t, const struct wakings *all, size_t *seen,
			struct why *why)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	int found;

	trace_for_each_event(t, s, e) {
		if (!e->is_wakeup)
			continue;
		found = find_waking(all, e);
		if (!found)
			return complain(why, "CPU %u, byte %ju: ftrace says otherwise of who woke %ju than waker %ju, irq %u of %ju",
					e->stream, (uintmax_t)e->offset,
					(uintmax_t)e->wakeup.thread, (uintmax_t)e->wakeup.waker,
					e->wakeup.irq, (uintmax_t)e->wakeup.interrupted);
		*seen += found > 0;
	}
	return 0;
}

static int make_load(const char *dir)
{
	unsigned int naps = scaled(200), preemptions = 3;
	struct worker spin[2] = { 0 }, nap = { .cpu = ANY_CPU, .run = worker_nap };
	struct pair pairs[2] = { 0 };
	struct child child;
	int i, cpus[MAX_CPUS], ret;

	allowed_cpus(cpus);
	nap.arg = &naps;
	ret = worker_start(&nap);
	for (i = 0; i < 2; i++) {
		pairs[i].rounds = scaled(1000);
		pairs[i].ends[0].cpu = i ? ANY_CPU : cpus[0];
		pairs[i].ends[1].cpu = i ? ANY_CPU : cpus[0];
		spin[i] = (struct worker){ .cpu = cpus[0], .arg = &preemptions,
					   .run = worker_spin_until_preempted };
		ret |= worker_start(&spin[i]);
	}
	ret |= pairs_run(pairs, 2);
	for (i = 0; i < 4; i++)
		ret |= child_start(&child, dir, CHILD_PREFIX) | child_end(&child);
	return ret | worker_join(&spin[0]) | worker_join(&spin[1]) | worker_join(&nap);
}

TEST_F(ftrace, same_switches)
{
	struct markers m = { 0 };
	struct lines lines = { 0 };
	struct window w;
	size_t seen = 0;

	if (ftrace_missing())
		SKIP(return, "%s", ftrace_missing());
	NEEDS_SOURCE();
	ASSERT_EQ(0, ftrace_begin("sched/sched_switch")) TH_LOG(FTRACE_INSTANCE ": %s", strerror(errno));
	ASSERT_BEGIN("-b", "16M");
	ASSERT_EQ(0, markers_run(&m, false));
	ASSERT_EQ(0, make_load(self->dir));
	ASSERT_EQ(0, markers_run(&m, true));
	EXPECT_EQ(0, ftrace_end());
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	for (unsigned int i = 0; i < m.count; i++) {
		ASSERT_FINE(window_find(&self->t, &m, i, &w, &self->why));
		ASSERT_EQ(0, read_lines(m.cpus[i], m.begin[i], m.end[i], &lines));
		EXPECT_FINE(check_same(&w, &lines, &self->why));
		seen += lines.count;
	}
	EXPECT_LT(scaled(1000), seen);
	EXPECT_EQ(0, ftrace_remove());
}

/* A thread that is woken before it is switched out has a line, but no record. */
TEST_F(ftrace, same_wakers)
{
	struct wakings all = { 0 };
	size_t seen = 0;

	if (ftrace_missing())
		SKIP(return, "%s", ftrace_missing());
	NEEDS_SOURCE();
	ASSERT_EQ(0, ftrace_begin("sched/sched_waking")) TH_LOG(FTRACE_INSTANCE ": %s", strerror(errno));
	ASSERT_BEGIN("-b", "16M");
	ASSERT_EQ(0, make_load(self->dir));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_EQ(0, ftrace_end());
	ASSERT_FINE(trace_check_all(&self->t, &self->why));
	read_wakings(&all);
	EXPECT_FINE(check_wakers(&self->t, &all, &seen, &self->why));
	EXPECT_LT(scaled(1000), seen);
	EXPECT_EQ(0, ftrace_remove());
}
