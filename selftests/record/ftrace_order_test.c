// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Switches and interrupts have the same order as in the kernel's own tracer: on each CPU, between
 * two marker threads, the switches, beginnings and ends are the same, with the same numbers and
 * names of handlers.
 *
 * Soft interrupts begin and end with interrupts on, so a handler can run between the two tracers.
 * So the test compares handlers with the switches, and then soft interrupts with the switches.
 */
#include <arpa/inet.h>
#include <sys/socket.h>

#include "ftrace.h"
#include "source_fixture.h"
#include "trace_align.h"

#define EVENTS	"sched/sched_switch irq/irq_handler_entry irq/irq_handler_exit irq/softirq_entry irq/softirq_exit"

SOURCE_FIXTURE(ftrace_order);

enum what {
	SWITCH,
	HANDLER_BEGINS,
	HANDLER_ENDS,
	SOFTIRQ_BEGINS,
	SOFTIRQ_ENDS,
};

static const char * const titles[] = {
	"switch", "handler begins", "handler ends", "soft interrupt begins", "soft interrupt ends",
};

struct step {
	enum what what;	/* its kind */
	long number;	/* number of the interrupt or vector, or the outgoing thread */
	long in;	/* the incoming thread */
	uint64_t time;	/* ticks; only for steps of an archive */
	char name[TRACE_NAME_SIZE];	/* name of the handler that begins */
};

struct steps {
	struct step *list;
	size_t count;
	size_t room;
};

static struct step *steps_add(struct steps *s)
{
	if (s->count == s->room) {
		s->room = s->room * 2 + 1024;
		s->list = realloc(s->list, s->room * sizeof(*s->list));
		if (!s->list)
			abort();
	}
	s->list[s->count] = (struct step){ 0 };
	return &s->list[s->count++];
}

/* The number after the last such word: names of threads come before it and may contain it. */
static long number_after(const char *text, const char *word)
{
	const char *found = NULL;

	while ((text = strstr(text, word)))
		found = text += strlen(word);
	return found ? atol(found) : -1;
}

static bool parse_switch(const char *event, struct step *s)
{
	char before[512];
	const char *arrow = strstr(event, " ==> next_comm=");

	if (!arrow || arrow - event >= (long)sizeof(before))
		return false;
	snprintf(before, sizeof(before), "%.*s", (int)(arrow - event), event);
	s->what = SWITCH;
	s->number = number_after(before, " prev_pid=");
	s->in = number_after(arrow, " next_pid=");
	return true;
}

/* "... : event: fields" */
static bool parse(const char *line, struct step *s)
{
	static const struct {
		const char *event;
		const char *field;
		enum what what;
	} kinds[] = {
		{ ": irq_handler_entry: ", "irq=", HANDLER_BEGINS },
		{ ": irq_handler_exit: ", "irq=", HANDLER_ENDS },
		{ ": softirq_entry: ", "vec=", SOFTIRQ_BEGINS },
		{ ": softirq_exit: ", "vec=", SOFTIRQ_ENDS },
	};
	const char *event = strstr(line, ": sched_switch: "), *name;

	if (event)
		return parse_switch(event, s);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		event = strstr(line, kinds[i].event);
		if (!event)
			continue;
		s->what = kinds[i].what;
		s->number = number_after(event, kinds[i].field);
		name = strstr(event, " name=");
		if (name && s->what == HANDLER_BEGINS)
			snprintf(s->name, sizeof(s->name), "%.*s",
				 (int)strcspn(name + 6, "\n"), name + 6);
		return true;
	}
	return false;
}

static void read_ftrace(int cpu, struct steps *steps)
{
	char path[256], *line = NULL;
	size_t room = 0;
	FILE *f;

	snprintf(path, sizeof(path), FTRACE_INSTANCE "/per_cpu/cpu%d/trace", cpu);
	f = fopen(path, "re");
	while (f && getline(&line, &room, f) > 0)
		if (line[0] != '#' && !parse(line, steps_add(steps)))
			steps->count--;
	if (f)
		fclose(f);
}

/*
 * A slice is in the stream where it ends. Its beginning comes after everything that happened before
 * it, even at the same time.
 */
static void add_slice(struct steps *steps, const struct trace_group_event *e)
{
	bool soft = e->category == FXT_STR_SOFTIRQ;
	long number = soft ? e->name - FXT_STR_SOFTIRQ_FIRST : (long)e->args[0];
	struct step begin = { .what = soft ? SOFTIRQ_BEGINS : HANDLER_BEGINS, .number = number,
			      .time = e->begin }, *s;
	size_t at;

	if (!soft)
		snprintf(begin.name, sizeof(begin.name), "%s", e->text);
	steps_add(steps);
	for (at = steps->count - 1; at && steps->list[at - 1].time > e->begin; at--)
		steps->list[at] = steps->list[at - 1];
	steps->list[at] = begin;
	s = steps_add(steps);
	*s = (struct step){ .what = soft ? SOFTIRQ_ENDS : HANDLER_ENDS, .number = number,
			    .time = e->time };
}

/* Slices of handlers and soft interrupts are compared; ftrace has other events for vectors. */
static bool is_compared(const struct trace_group_event *e)
{
	return e->category == FXT_STR_SOFTIRQ ||
	       (e->category == FXT_STR_IRQ && !e->name && e->arg_count == 1);
}

static void read_archive(const struct trace *t, int cpu, struct steps *steps)
{
	const struct trace_stream *s = trace_stream(t, cpu);
	const struct trace_group_event *g = t->group_events, *end = g + t->group_event_count;

	for (size_t i = 0; s && i <= s->event_count; i++) {
		const struct trace_event *e = i < s->event_count ? &s->events[i] : NULL;

		for (; g < end && (!e || g->offset < e->offset); g++)
			if (g->stream == (uint32_t)cpu && is_compared(g))
				add_slice(steps, g);
		if (e && !e->is_wakeup)
			*steps_add(steps) = (struct step){ .what = SWITCH, .number = e->sw.out,
							   .in = e->sw.in, .time = e->time };
	}
}

static struct steps choose(const struct steps *all, enum what begins, enum what ends, pid_t from,
			   pid_t to)
{
	struct steps chosen = { 0 };
	bool on = false;

	for (size_t i = 0; i < all->count; i++) {
		const struct step *s = &all->list[i];

		on |= s->what == SWITCH && s->in == from;
		if (on && (s->what == SWITCH || s->what == begins || s->what == ends))
			*steps_add(&chosen) = *s;
		if (on && s->what == SWITCH && s->in == to)
			break;
	}
	return chosen;
}

static bool same(const struct step *a, const struct step *b)
{
	/* A record has only the first bytes of a long name. */
	return a->what == b->what && a->number == b->number && a->in == b->in &&
	       !strncmp(a->name, b->name, FXT_SCHED_LABEL_BYTES - 1);
}

static int compare(const struct steps *archive, const struct steps *ftrace, int cpu,
		   struct why *why)
{
	size_t count = archive->count < ftrace->count ? archive->count : ftrace->count, i;

	for (i = 0; i < count; i++) {
		const struct step *a = &archive->list[i], *f = &ftrace->list[i];

		if (!same(a, f))
			return complain(why, "CPU %d, step %zu at %ju: %s %ld %ld %s; ftrace: %s %ld %ld %s",
					cpu, i, (uintmax_t)a->time, titles[a->what], a->number,
					a->in, a->name, titles[f->what], f->number, f->in, f->name);
	}
	if (archive->count != ftrace->count)
		return complain(why, "CPU %d: %zu steps; ftrace: %zu", cpu, archive->count,
				ftrace->count);
	return 0;
}

static void send_packets(struct worker *w)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	unsigned int packets = *(const unsigned int *)w->arg;
	socklen_t size = sizeof(at);
	char byte;

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	w->failed |= fd < 0 || bind(fd, (struct sockaddr *)&at, size) ||
		     getsockname(fd, (struct sockaddr *)&at, &size) ||
		     connect(fd, (struct sockaddr *)&at, size);
	for (; !w->failed && packets; packets--)
		w->failed |= send(fd, "x", 1, 0) != 1 || recv(fd, &byte, 1, 0) != 1;
	if (fd >= 0)
		close(fd);
}

static void nap(struct worker *w)
{
	const struct timespec ns = { .tv_nsec = 100000 };

	for (unsigned int i = 0; i < *(const unsigned int *)w->arg; i++)
		nanosleep(&ns, NULL);
}

/* A guest's files are on a device, so a read of one that is not cached interrupts a CPU. */
static void read_device(struct worker *w)
{
	static char text[65536];
	int fd;

	for (unsigned int i = 0; i < *(const unsigned int *)w->arg / 16; i++) {
		fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return;
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		w->failed |= read(fd, text, sizeof(text)) < 0;
		close(fd);
	}
}

static int make_load(void)
{
	unsigned int rounds = scaled(2000);
	struct worker w[] = {
		{ .name = "sender", .run = send_packets, .arg = &rounds, .cpu = ANY_CPU },
		{ .name = "sender", .run = send_packets, .arg = &rounds, .cpu = ANY_CPU },
		{ .name = "napper", .run = nap, .arg = &rounds, .cpu = ANY_CPU },
		{ .name = "reader", .run = read_device, .arg = &rounds, .cpu = ANY_CPU },
	};
	size_t count = sizeof(w) / sizeof(w[0]), i;
	int ret = 0;

	for (i = 0; i < count; i++)
		ret |= worker_start(&w[i]);
	for (i = 0; i < count; i++)
		ret |= worker_join(&w[i]);
	return ret;
}

/* Return: the number of steps compared; 0 if they differ. */
static size_t check_cpu(const struct trace *t, const struct markers *m, unsigned int i,
			enum what begins, enum what ends, struct why *why)
{
	struct steps all[2] = { 0 }, chosen[2];
	size_t seen;
	int j, differ;

	read_archive(t, m->cpus[i], &all[0]);
	read_ftrace(m->cpus[i], &all[1]);
	for (j = 0; j < 2; j++)
		chosen[j] = choose(&all[j], begins, ends, m->begin[i], m->end[i]);
	differ = compare(&chosen[0], &chosen[1], m->cpus[i], why);
	for (seen = 0; chosen[0].count && seen < chosen[0].count &&
	     chosen[0].list[seen].what != begins; seen++)
		;
	return differ ? 0 : 1 + (seen < chosen[0].count);
}

TEST_F(ftrace_order, same_order)
{
	static const enum what begins[] = { HANDLER_BEGINS, SOFTIRQ_BEGINS };
	bool threaded = !access("/sys/kernel/realtime", F_OK);
	struct markers m = { 0 };
	size_t same, found[2] = { 0 };

	if (ftrace_missing())
		SKIP(return, "%s", ftrace_missing());
	NEEDS_SOURCE();
	ASSERT_EQ(0, ftrace_begin(EVENTS)) TH_LOG(FTRACE_INSTANCE ": %s", strerror(errno));
	ASSERT_BEGIN("-e", "irq", "-b", "16M");
	ASSERT_EQ(0, markers_run(&m, false));
	ASSERT_EQ(0, make_load());
	ASSERT_EQ(0, markers_run(&m, true));
	EXPECT_EQ(0, ftrace_end());
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	for (unsigned int i = 0; i < m.count; i++)
		/* On PREEMPT_RT, soft interrupts run in threads that can be preempted. */
		for (unsigned int j = 0; j < (threaded ? 1 : 2); j++) {
			same = check_cpu(&self->t, &m, i, begins[j], begins[j] + 1, &self->why);
			EXPECT_NE(0U, same) TH_LOG("%s", self->why.text);
			found[j] += same > 1;
		}
	EXPECT_NE(0U, found[0]);
	EXPECT_TRUE(threaded || found[1]);
	EXPECT_EQ(0, ftrace_remove());
}
