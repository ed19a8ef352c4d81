// SPDX-License-Identifier: GPL-2.0-or-later
/* findings.c - what is wrong, in words, and at the top of the text report. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "account/classes.h"
#include "findings.h"
#include "labels.h"
#include "sections.h"

#define NOTABLE_THIEF	10	/* interrupts are named if they took 1/10 of a wait */
#define SHORT		8	/* findings of a short report */

static __attribute__((format(printf, 2, 3))) void say(struct report_sentence *s,
						      const char *format, ...)
{
	size_t room = sizeof(s->text) - s->used;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(s->text + s->used, room, format, args);
	va_end(args);
	if (length > 0)
		s->used += (size_t)length < room ? (size_t)length : room - 1;
}

static const char *time_text(struct label *l, uint64_t ns)
{
	*l = time_label(ns);
	return l->text;
}

#define TIME(ns)	time_text(&(struct label){ "" }, ns)

static double percent(uint64_t ns, uint64_t of)
{
	return of ? ns * 100.0 / of : 0;
}

static void say_thread(struct report_sentence *s, const struct report_thread *t)
{
	if (t->sched->koid)
		say(s, "%s/%s", report_name(t), id_label(t->sched->koid).text);
	else
		say(s, "%s", report_name(t));
}

/* The scheduling class is added unless it is that of most threads. */
static void say_thread_of_class(struct report_sentence *s, const struct report_thread *t,
				int32_t weight)
{
	struct report_class class = report_class(weight);

	say_thread(s, t);
	if (*class.text)
		say(s, " (%s)", class.text);
}

/* One thread, all threads of one name, or threads of several names. */
static void say_threads(struct report_sentence *s, const struct report_finding *f)
{
	if (!f->thread)
		say(s, "%s threads", count_label(f->threads).text);
	else if (f->threads == 1)
		say_thread(s, f->thread);
	else
		say(s, "%s threads \"%s\"", count_label(f->threads).text,
		    report_name(f->thread));
}

/* A cgroup whose path is unknown is "cgroup 4711". */
static void say_throttled(struct report_sentence *s, const struct report_finding *f)
{
	say(s, "%s%s was throttled for %s in %s period%s (%.0f%% of the time)",
	    *f->cgroup == '/' ? "cgroup " : "", f->cgroup, TIME(f->ns),
	    count_label(f->count).text, f->count == 1 ? "" : "s",
	    percent(f->ns, f->of));
	if (f->threads) {
		say(s, ", which held off ");
		say_threads(s, f);
		say(s, " for %s%s", TIME(f->part_ns), f->threads == 1 ? "" : " in total");
	}
	say(s, ": raise its quota (cpu.max), or run less in it at once");
}

/* The longest wait of a thread whose class might not run meanwhile; NULL: none is known. */
static const struct report_wait *limited_wait(const struct report *r,
					      const struct report_thread *thread)
{
	const struct report_wait *w;

	for (w = r->worst; w < r->worst + r->worst_count; w++)
		if (w->thread == thread && w->limited > w->latency / 2)
			return w;
	return NULL;
}

/* Why threads did not run although their CPU was idle, as far as it is known. */
static void say_holder(struct report_sentence *s, const struct report *r,
		       const struct report_finding *f)
{
	const char *them = f->threads == 1 ? "it" : "them";
	const struct report_quota *quota = f->thread ? report_quota_of(r, f->thread) : NULL;

	const struct report_wait *limited = f->thread ? limited_wait(r, f->thread) : NULL;

	if (limited)
		say(s, "in the longest of these waits, %s kept %s from running",
		    account_limit_name(limited->limit), them);
	else if (quota && !r->kernel.has[KERNEL_THROTTLE])
		say(s, "cgroup %s used up its quota in %s period%s, which probably kept %s from running: raise its quota, or run less in it at once",
		    quota->path, count_label(quota->counts[1]).text,
		    quota->counts[1] == 1 ? "" : "s", them);
	else if (r->totals.archive->lacks_quotas)
		say(s, "CPU hotplug or the host of a virtual machine may have kept %s from running",
		    them);
	else if (r->totals.archive->has_throttle || r->kernel.has[KERNEL_THROTTLE])
		say(s, "throttling does not explain it; CPU hotplug or the host of a virtual "
			"machine may have kept %s from running",
		    them);
	else if (f->cgroup)
		say(s, "perhaps the quota of cgroup %s kept %s from running; record with -e throttle to see that",
		    f->cgroup, them);
	else
		say(s, "a quota of a cgroup, CPU hotplug or the host of a virtual machine may have kept %s from running; record with -e throttle to see quotas",
		    them);
}

static void say_held(struct report_sentence *s, const struct report *r,
		     const struct report_finding *f)
{
	say_threads(s, f);
	say(s, " waited for %s in %s wait%s while %s CPU was idle: ", TIME(f->ns),
	    count_label(f->count).text, f->count == 1 ? "" : "s",
	    f->threads == 1 ? "its" : "their");
	say_holder(s, r, f);
}

static void say_crowd(struct report_sentence *s, const struct report_finding *f)
{
	say_threads(s, f);
	say(s, " waited for cpu %u for %s%s while another CPU was idle (cpu %u for %.0f%% of the time): check %s affinity",
	    f->cpu, TIME(f->ns), f->threads == 1 ? "" : " in total", f->idle_cpu,
	    percent(f->idle_ns, f->of), f->threads == 1 ? "its" : "their");
}

static void say_convoy(struct report_sentence *s, const struct report_finding *f)
{
	const struct report_process *p = f->process;

	say(s, "%s threads of %s/%s take turns, as behind one lock: at most one ran for %.0f%% of %s, and they woke each other %s times",
	    count_label(f->threads).text, report_process_name(p),
	    id_label(p->koid).text, percent(f->ns, f->of), TIME(f->of),
	    count_label(f->count).text);
}

static void say_flood(struct report_sentence *s, const struct report_finding *f)
{
	const struct sched_origin *of = f->share->origin->of;

	say(s, "%s ", of->what == KERNEL_SOFTIRQ ? "soft interrupt" : "interrupt");
	say(s, "%s", of->name);
	if (of->what == KERNEL_IRQ)
		say(s, " (irq %" PRIu64 ")", of->number);
	say(s, " took %.0f%% of cpu %u (%s times, %s)", percent(f->ns, f->of), f->cpu,
	    count_label(f->count).text, TIME(f->ns));
	if (!f->thread)
		return;
	if (f->part_ns > f->ns / 2)
		say(s, ", most of it ");
	else
		say(s, ", %.0f%% of it ", percent(f->part_ns, f->ns));
	if (f->thread->is_idle) {
		say(s, "while the CPU was idle");
		return;
	}
	say(s, "from ");
	say_thread(s, f->thread);
}

static void say_occupant(struct report_sentence *s, const struct report_wait *w,
			 const struct report_occupant *o)
{
	if (o->thread->is_idle)
		say(s, "the CPU was idle");
	else if (o->threads > 1)
		say(s, "%s threads \"%s\"", count_label(o->threads).text, report_name(o->thread));
	else
		say_thread_of_class(s, o->thread, o->weight);
	say(s, "%s for %s%s of it", o->thread->is_idle ? "" : " ran there",
	    w->others ? "at least " : "", TIME(o->ns));
}

/* Who had the CPU: at most two threads, and interrupts if they took a notable part. */
static void say_occupants(struct report_sentence *s, const struct report_wait *w)
{
	unsigned int i;

	if (w->limited > w->latency / 2) {
		say(s, "kept from running by %s for %s of it", account_limit_name(w->limit),
		    TIME(w->limited));
		return;
	}
	if (!w->occupant_count)
		say(s, "unknown who ran");
	else if (report_is_shared(w))
		say(s, "%s threads shared its CPU, each at most %.0f%% of the time: ",
		    count_label(w->sharers).text, percent(w->most_ns, w->latency));
	for (i = 0; i < w->occupant_count && i < 2; i++) {
		/* Omit the second one if it had much less than the first. */
		if (i && w->occupants[i].ns < w->occupants[0].ns / 4)
			break;
		say(s, "%s", i ? ", " : "");
		say_occupant(s, w, &w->occupants[i]);
	}
	if (w->thief && w->stolen >= w->latency / NOTABLE_THIEF)
		say(s, "; interrupts took %s of it, most of that %s", TIME(w->stolen),
		    w->thief->of->name);
}

static void say_spike(struct report_sentence *s, const struct report *r,
		      const struct report_finding *f)
{
	say_thread_of_class(s, f->thread, f->wait->weight);
	say(s, " was runnable for %s on cpu %u", TIME(f->ns), f->cpu);
	if (f->wait->is_open)
		say(s, ", still waiting at the end");
	if (f->of)
		say(s, " (usually %s)", TIME(f->of));
	say(s, ": ");
	say_occupants(s, f->wait);
	if (report_is_starved(f->wait))
		say(s, ": a real-time thread keeps its CPU until it sleeps");
	if (report_lacks_irqs(r, f->wait))
		say(s, ": perhaps interrupts or non-preemptible code delayed it; record with "
			"-e irq to see which");
}

static void say_serial(struct report_sentence *s, const struct report *r,
		       const struct report_finding *f)
{
	say(s, "only one of %u CPUs was busy for %.0f%% of %s: ", r->totals.cpus,
	    percent(f->ns, f->of), TIME(f->of));
	say_threads(s, f);
	say(s, " ran alone for %s of that and used one CPU at a time, while the other%s idle",
	    TIME(f->part_ns), r->totals.cpus == 2 ? " was" : "s were");
}

/* --- what limits a program ----------------------------------------------------------------- */

static void say_party(struct report_sentence *s, const struct report_thread *t, uint64_t threads)
{
	if (threads > 1)
		say(s, "%s threads \"%s\"", count_label(threads).text, report_name(t));
	else
		say_thread(s, t);
}

static void say_hold(struct report_sentence *s, const struct report_finding *f)
{
	const struct report_party *victim = &f->parties[0], *via = &f->parties[1];

	say_party(s, f->thread, f->threads);
	say(s, " hold%s up ", f->threads > 1 ? "" : "s");
	say_party(s, victim->thread, victim->threads);
	if (via->thread != f->thread) {
		say(s, " through ");
		say_party(s, via->thread, via->threads);
	}
	say(s, " for %s, %.0f%% of the time, while ", TIME(f->ns), percent(f->ns, f->of));
	say_party(s, f->parties[2].thread, f->parties[2].threads);
	say(s, " ha%s %s CPU", f->parties[2].threads > 1 ? "ve" : "s", f->threads > 1 ? "their" : "its");
}

static void say_limit(struct report_sentence *s, const struct report_finding *f)
{
	const bool is_one = f->threads == 1;
	uint64_t i;

	say_party(s, f->thread, f->threads);
	say(s, " limit%s this program: %s always %s, and ", is_one ? "s" : "", is_one ? "it" : "they",
	    f->thread->n.run < f->ns / f->threads / 2 ? (is_one ? "wants a CPU" : "want CPUs") :
	    is_one ? "runs" : "run");
	for (i = 0; i < f->count && i < REPORT_PARTIES; i++) {
		say(s, "%s", i ? ", " : "");
		say_party(s, f->parties[i].thread, f->parties[i].threads);
	}
	if (f->count > REPORT_PARTIES)
		say(s, " and others");
	say(s, " wait%s for %s", f->count == 1 && f->parties[0].threads == 1 ? "s" : "",
	    is_one ? "it" : "them");
}

/* The waker's stack for those sleeps of the thread that add up to the most time. */
static const struct fxt_call_stack *waker_stack(const struct report *r,
						const struct report_finding *f)
{
	const struct report_stack_list *slept = &r->stacks.of_threads[REPORT_STACK_SLEPT];
	const struct fxt_call_stack *stack = NULL;
	const struct report_waking *w;
	size_t i, j, count;
	uint64_t ns = 0;

	for (i = 0; i < slept->count; i++) {
		if (strcmp(report_name(slept->all[i].thread), report_name(f->thread)))
			continue;
		w = report_wakings_of(&r->stacks, slept->all[i].stack, &count);
		for (j = 0; j < count; j++) {
			if (!w[j].by || !w[j].from || w[j].ns <= ns ||
			    strcmp(report_name(w[j].by), report_name(f->parties[0].thread)))
				continue;
			stack = w[j].from;
			ns = w[j].ns;
		}
	}
	return stack;
}

/* The name of the system call that this function implements, or NULL. */
static const char *call_of(const char *function)
{
	static const char *const before[] = { "__x64_sys_", "__arm64_sys_" };
	size_t i;

	for (i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		if (!strncmp(function, before[i], strlen(before[i])))
			return function + strlen(before[i]);
	return NULL;
}

static void say_place(struct report_sentence *s, const struct report *r,
		      const struct fxt_call_stack *stack)
{
	const char *call = NULL, *name, *first = NULL;
	char text[20];
	uint32_t i;

	for (i = 0; i < stack->count; i++) {
		name = report_frame_name(&r->stacks, stack, i, text);
		call = call ? call : call_of(name);
		if (!first && name != text && !sched_symbol_is_of_scheduler(name))
			first = name;
	}
	if (call && first)
		say(s, ", which was in %s (%s)", call, first);
	else if (first)
		say(s, ", which was in %s", first);
}

static void say_slept(struct report_sentence *s, const struct report *r,
		      const struct report_finding *f)
{
	const struct fxt_call_stack *stack = waker_stack(r, f);

	say_party(s, f->thread, f->threads);
	say(s, " slept %s, %.0f%% of %s time, for ", TIME(f->ns), percent(f->ns, f->of),
	    f->threads > 1 ? "their" : "its");
	say_party(s, f->parties[0].thread, f->parties[0].threads);
	if (stack)
		say_place(s, r, stack);
}

struct report_sentence report_sentence(const struct report *r, const struct report_finding *f)
{
	struct report_sentence s = { .used = 0 };

	switch (f->kind) {
	case REPORT_FINDING_THROTTLED:
		say_throttled(&s, f);
		break;
	case REPORT_FINDING_HELD:
		say_held(&s, r, f);
		break;
	case REPORT_FINDING_CROWD:
		say_crowd(&s, f);
		break;
	case REPORT_FINDING_CONVOY:
		say_convoy(&s, f);
		break;
	case REPORT_FINDING_FLOOD:
		say_flood(&s, f);
		break;
	case REPORT_FINDING_HOLD:
		say_hold(&s, f);
		break;
	case REPORT_FINDING_LIMIT:
		say_limit(&s, f);
		break;
	case REPORT_FINDING_SLEPT:
		say_slept(&s, r, f);
		break;
	case REPORT_FINDING_SPIKE:
		say_spike(&s, r, f);
		break;
	default:
		say_serial(&s, r, f);
	}
	return s;
}

/* --- line breaks between words, to fit the width ---------------------------------------------- */

#define FIRST_INDENT	"  "
#define NEXT_INDENT	"    "

static void print_sentence(const struct text *t, const char *text)
{
	unsigned int wide = t->style->columns, column = strlen(FIRST_INDENT);
	size_t length;

	out_str(t->o, FIRST_INDENT);
	while (*text) {
		length = strcspn(text, " ");
		column += out_safe_fit(t->o, text, length, wide - strlen(NEXT_INDENT));
		text += length;
		if (!*text)
			break;
		text++;
		if (column + 1 + strcspn(text, " ") > wide) {
			out_str(t->o, "\n" NEXT_INDENT);
			column = strlen(NEXT_INDENT);
		} else {
			out_char(t->o, ' ');
			column++;
		}
	}
	out_char(t->o, '\n');
}

void text_findings(const struct text *t)
{
	size_t most = t->style->tables ? SIZE_MAX : SHORT, i;

	if (!t->r->finding_count)
		return;
	text_title(t, "Findings", 0);
	for (i = 0; i < t->r->finding_count && i < most; i++)
		print_sentence(t, report_sentence(t->r, &t->r->findings[i]).text);
	if (i < t->r->finding_count)
		out_printf(t->o, "  and %zu more: --tables\n", t->r->finding_count - i);
}
