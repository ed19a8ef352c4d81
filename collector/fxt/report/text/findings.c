// SPDX-License-Identifier: GPL-2.0-or-later
/* findings.c - what is wrong, in words, and at the top of the text report. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sched/functions.h"
#include "sections.h"

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

static void say_thread(struct report_sentence *s, const struct report_thread *t)
{
	if (t->sched->koid)
		say(s, "%s/%s", report_name(t), id_label(t->sched->koid).text);
	else
		say(s, "%s", report_name(t));
}

/* One thread, or all threads of one name. */
static void say_party(struct report_sentence *s, const struct report_party *p)
{
	if (p->is_own && p->threads > 1)
		say(s, "each other");
	else if (p->threads > 1)
		say(s, "%s %sthreads \"%s\"", count_label(p->threads).text,
		    p->is_other ? "other " : "", report_name(p->thread));
	else
		say_thread(s, p->thread);
}

/*
 * Parties in a list, with their parts of their own time, or of @of ns; if they @have_classes, with
 * those that are not that of most threads.
 */
static void say_parties(struct report_sentence *s, const struct report_party *p, size_t count,
			uint64_t of, bool have_classes)
{
	struct report_class class = { "" };
	size_t i;

	for (i = 0; i < count && i < REPORT_PARTIES && p[i].thread; i++) {
		say(s, "%s", !i ? "" : i + 1 == count ? " and " : ", ");
		say_party(s, &p[i]);
		if (have_classes)
			class = report_class(p[i].thread->sched->weight);
		if (*class.text)
			say(s, " (%s%s", class.text, of || p[i].of ? "" : ")");
		if (of || p[i].of)
			say(s, "%s%.0f%%)", *class.text ? ", " : " (",
			    percent_of(p[i].ns, of ? of : p[i].of));
	}
	if (count > REPORT_PARTIES)
		say(s, " and %zu more", count - REPORT_PARTIES);
}

static size_t count_parties(const struct report_party *p)
{
	size_t count = 0;

	while (count < REPORT_PARTIES && p[count].thread)
		count++;
	return count;
}

static bool is_one(const struct report_finding *f)
{
	return f->victim.threads <= 1;
}

/* How much of its time, how often, and how long at most. */
static void say_loss(struct report_sentence *s, const struct report_finding *f, const char *did,
		     const char *unit)
{
	say_party(s, &f->victim);
	say(s, " %s %s%.0f%% of %s time (%s in %s %s%s, longest %s%s)", did, f->is_part ? "at least " : "",
	    percent_of(f->victim.ns, f->victim.of), is_one(f) ? "its" : "their", TIME(f->victim.ns),
	    count_label(f->count).text, unit, f->count == 1 ? "" : "s", TIME(f->longest),
	    f->is_open ? ", not over at the end" : "");
}

/* Did the victim itself wait, or sleep until threads that waited? */
static void say_waited(struct report_sentence *s, const struct report_finding *f)
{
	size_t count = count_parties(f->through);
	bool is_mixed = f->direct >= f->victim.ns / 10;

	if (f->is_inversion)
		say(s, "priority inversion: ");
	if (f->direct >= f->victim.ns - f->victim.ns / 10) {
		say_loss(s, f, "waited", "wait");
		return;
	}
	say_loss(s, f, "lost", is_mixed ? "part" : "sleep");
	if (!count)
		return;
	say(s, "%s asleep until ", is_mixed ? ", partly" : "");
	say_parties(s, f->through, count, 0, f->is_inversion);
	say(s, ", which waited");
}

static void say_culprits(struct report_sentence *s, const struct report_finding *f)
{
	uint64_t of = f->kind == REPORT_FINDING_SPIKE || f->kind == REPORT_FINDING_TRIGGER ?
		      f->victim.of : f->victim.ns, named = 0;
	size_t i;

	for (i = 0; i < REPORT_PARTIES; i++)
		named += f->culprits[i].ns;
	if (!f->culprit_count)
		say(s, " behind many threads, each for less than a tenth of that");
	else if (f->is_own)
		say(s, " behind each other");
	else
		say(s, " %sbehind ", named < of - of / 10 ? "mostly " : "");
	if (!f->is_own)
		say_parties(s, f->culprits, f->culprit_count,
			    f->culprits[0].ns < of - of / 10 ? of : 0, true);
	if (f->cpu != REPORT_NO_CPU)
		say(s, " on cpu %u", f->cpu);
}

static void say_others(struct report_sentence *s, const struct report_finding *f)
{
	if (f->other_count) {
		say(s, "; so did ");
		say_parties(s, f->others, f->other_count, 0, false);
	}
	if (f->sleeper_count) {
		say(s, "; ");
		say_parties(s, f->sleepers, f->sleeper_count, 0, false);
		say(s, " slept until %s meanwhile", f->other_count ? "one of these" :
		    is_one(f) ? "it" : "one of them");
	}
}

static bool is_ksoftirqd(const struct report_party *p)
{
	return p->thread && !strncmp(report_name(p->thread), "ksoftirqd/", strlen("ksoftirqd/"));
}

/* What an archive without interrupts cannot show. */
static void say_unrecorded(struct report_sentence *s, const struct report_finding *f)
{
	if (s->r->kernel.has[KERNEL_SOFTIRQ] || s->r->kernel.has[KERNEL_IRQ] || !f->culprit_count ||
	    f->direct < f->victim.ns / 2)
		return;
	if (is_ksoftirqd(&f->culprits[0]))
		say(s, ", which serves soft interrupts: record with -e irq to see which");
	else if (report_is_real_time(f->victim.thread->sched->weight) && f->culprits[0].thread &&
		 !report_is_real_time(f->culprits[0].thread->sched->weight))
		say(s, ": perhaps interrupts or non-preemptible code delayed it; record with "
			"-e irq to see which");
}

static void say_behind(struct report_sentence *s, const struct report_finding *f)
{
	say_waited(s, f);
	say_culprits(s, f);
	say_unrecorded(s, f);
	if (f->idle_ns)
		say(s, ", while cpu %u was idle for %.0f%% of the time: %s%s", f->idle_cpu,
		    percent_of(f->idle_ns, report_window(s->r)),
		    f->is_bound ? "it may run on no other CPU" : "check the affinity", f->is_bound ? "" : is_one(f) ? "" : " of the threads");
	if (f->back.thread) {
		say(s, "; ");
		say_party(s, &f->back);
		say(s, " waited %.0f%% behind it", percent_of(f->back.ns, f->back.of));
	}
	say_others(s, f);
}

/* The cgroup of a finding had used up its quota, whose file is named where it is known. */
static void say_quota(struct report_sentence *s, const struct report_finding *f)
{
	say(s, "%s%s had used up its quota%s", *f->cgroup == '/' ? "cgroup " : "", f->cgroup,
	    s->r->totals.archive->has_v2 ? " (cpu.max)" : "");
}

static void say_throttled(struct report_sentence *s, const struct report_finding *f)
{
	say_waited(s, f);
	say(s, " because ");
	say_quota(s, f);
	say(s, ": raise it, or run less in it at once");
	say_others(s, f);
}

/* Why threads did not run although their CPU was idle, as far as it is known. */
static void say_holder(struct report_sentence *s, const struct report_finding *f)
{
	const char *them = is_one(f) ? "it" : "them";
	const struct report_quota *quota = report_quota_of(s->r, f->victim.thread);
	/* If that is recorded, it is said where it was. */
	const char *host = s->r->kernel.has[KERNEL_STEAL] ? "" : " or the host of a virtual machine";

	if (f->is_near) {
		say_quota(s, f);
		say(s, " on that CPU then, and kept %s from running if %s in it", them,
		    is_one(f) ? "it was" : "they were");
	} else if (quota && !s->r->kernel.has[KERNEL_THROTTLE]) {
		say(s, "cgroup %s used up its quota in %s period%s, which probably kept %s from running: raise its quota, or run less in it at once",
		    quota->path, count_label(quota->counts[1]).text,
		    quota->counts[1] == 1 ? "" : "s", them);
	} else if (f->host >= f->victim.ns / 2) {
		say(s, "the host of this virtual machine probably kept %s from running", them);
	} else if (s->r->totals.archive->lacks_quotas) {
		say(s, "CPU hotplug%s may have kept %s from running", host, them);
	} else if (s->r->totals.archive->has_throttle || s->r->kernel.has[KERNEL_THROTTLE]) {
		say(s, "throttling does not explain it; CPU hotplug%s may have kept %s from running",
		    host, them);
	} else if (f->cgroup && s->r->totals.archive->has_v2) {
		say(s, "perhaps the quota of cgroup %s kept %s from running; record with -e throttle to see that",
		    f->cgroup, them);
	} else {
		say(s, "a quota of a cgroup%s CPU hotplug%s may have kept %s from running; record with -e throttle to see quotas",
		    *host ? "," : " or", host, them);
	}
}

static void say_held(struct report_sentence *s, const struct report_finding *f)
{
	say_waited(s, f);
	say(s, " while %s CPU was idle: ", is_one(f) ? "its" : "their");
	say_holder(s, f);
	say_others(s, f);
}

static void say_limited(struct report_sentence *s, const struct report_finding *f)
{
	say_waited(s, f);
	say(s, ", kept from running by %s", f->limit);
	say_others(s, f);
}

static void say_origin(struct report_sentence *s, const struct sched_origin *of)
{
	say(s, "%s %s", of->what == KERNEL_SOFTIRQ ? "soft interrupt" : "interrupt", of->name);
	if (of->what == KERNEL_IRQ)
		say(s, " (irq %" PRIu64 ")", of->number);
}

static void say_interrupt(struct report_sentence *s, const struct report_finding *f)
{
	say_loss(s, f, "lost", "part");
	say(s, " to %s", f->culprit_count > 1 ? "interrupts, most of it to " : "");
	say_origin(s, f->origin);
	if (f->cpu != REPORT_NO_CPU)
		say(s, " on cpu %u", f->cpu);
	say_others(s, f);
}

/* "lock (futex 0x7f01, wanted in transfer, held mostly by auditor/17, given away in f)" */
static void say_lock(struct report_sentence *s, const struct report_lock *lock)
{
	bool is_lock = sched_origin_is_lock(lock->of);

	if (is_lock)
		say(s, "lock (%s %s", lock->of->name, lock->address);
	else
		say(s, "futex that is not known to be a lock (%s", lock->address);
	if (lock->waited_in && lock->waited_in_ns >= lock->total / 2)
		say(s, ", %s in %s", is_lock ? "wanted" : "waited for", lock->waited_in);
	if (lock->most && lock->most_ns >= lock->total / 2) {
		say(s, ", held mostly by ");
		say_thread(s, lock->most);
	}
	if (lock->woken_from && lock->woken_from_ns >= lock->total / 2)
		say(s, ", %s %s", is_lock ? "given away in" : "woken from", lock->woken_from);
	say(s, ")");
}

static void say_locked(struct report_sentence *s, const struct report_finding *f)
{
	say_loss(s, f, "waited", "wait");
	say(s, " for a ");
	say_lock(s, f->lock);
	say_others(s, f);
}

/* If locks were recorded, nothing is guessed. */
static void say_turns(struct report_sentence *s, const struct report_finding *f)
{
	say(s, ", take turns");
	if (f->lock) {
		say(s, " behind one ");
		say_lock(s, f->lock);
	} else if (!s->r->totals.archive->has_locks) {
		say(s, ", as behind one lock");
	} else {
		say(s, ", and not behind one lock that is known");
	}
}

static void say_convoy(struct report_sentence *s, const struct report_finding *f)
{
	say(s, "%s threads of %s/%s, such as ", count_label(f->victim.threads).text,
	    report_process_name(f->victim.thread->process),
	    id_label(f->victim.thread->process->koid).text);
	say_thread(s, f->victim.thread);
	say_turns(s, f);
	say(s, ": each slept or waited %s%.0f%% of its time while "
	       "others of them ran (%s in %s parts, longest %s)", f->is_part ? "at least " : "",
	    percent_of(f->victim.ns, f->victim.of), TIME(f->victim.ns), count_label(f->count).text,
	    TIME(f->longest));
}

static void say_limit(struct report_sentence *s, const struct report_finding *f)
{
	say_party(s, &f->victim);
	say(s, " limit%s this program: %s%s %.0f%% of %s time, and ", is_one(f) ? "s" : "",
	    is_one(f) ? "it " : "they ", f->victim.thread->n.run < f->victim.ns / f->victim.threads / 2 ?
	    (is_one(f) ? "wants a CPU" : "want CPUs") : is_one(f) ? "runs" : "run",
	    percent_of(f->victim.ns, f->victim.of), is_one(f) ? "its" : "their");
	say_parties(s, f->sleepers, f->sleeper_count, 0, false);
	say(s, " sleep%s %suntil %s", f->sleeper_count == 1 && f->sleepers[0].threads == 1 ? "s" : "",
	    f->is_part ? "at least so long " : "", is_one(f) ? "it" : "them");
}

static void say_slow(struct report_sentence *s, const struct report_finding *f)
{
	say_party(s, &f->victim);
	say(s, " slept %.0f%% of its time (%s in %s sleeps, %s on average) until ",
	    percent_of(f->victim.ns, f->victim.of), TIME(f->victim.ns),
	    count_label(f->count).text, TIME(f->longest));
	if (f->origin)
		say(s, "interrupts, most of them with %s, and ", f->origin->name);
	else
		say(s, "interrupts, %s, and ", s->r->kernel.has[KERNEL_TIMER] ?
		    "but those of its own timers" : "as of a timer or a device");
	if (f->others[0].ns)
		say(s, "each of the %s others like it at most %s", count_label(f->others[0].threads).text,
		    TIME(f->others[0].ns));
	else
		say(s, "none of the %s others like it did", count_label(f->others[0].threads).text);
}

static void say_slept(struct report_sentence *s, const struct report_finding *f)
{
	say_loss(s, f, "slept", "sleep");
	say(s, " until ");
	say_parties(s, f->culprits, f->culprit_count, 0, false);
	say(s, ", which waited for a device");
	if (f->function)
		say(s, ", in %s", f->function);
}

static void say_requests(struct report_sentence *s, const struct report_finding *f)
{
	const struct sched_origin *of = f->origin;
	size_t count = count_parties(f->through);

	say_loss(s, f, "slept", "sleep");
	if (count && f->direct < f->victim.ns - f->victim.ns / 10) {
		say(s, ", %suntil ", f->direct >= f->victim.ns / 10 ? "partly " : "");
		say_parties(s, f->through, count, 0, false);
		say(s, ",");
	}
	if (f->of_origin >= f->victim.ns / 2)
		say(s, " %sfor %s of %s", f->of_origin < f->victim.ns - f->victim.ns / 10 ? "mostly " : "",
		    kernel_event_operations(of->number), of->name);
	else
		say(s, " for requests, %.0f%% of that for %s of %s",
		    percent_of(f->of_origin, f->victim.ns), kernel_event_operations(of->number), of->name);
	if (f->queued >= f->victim.ns / 2)
		say(s, ", mostly in queues");
	if (f->is_own) {
		say(s, ", behind %s own requests", is_one(f) ? "its" : "their");
	} else if (f->culprit_count) {
		say(s, ", behind requests of ");
		say_parties(s, f->culprits, f->culprit_count, f->victim.ns, false);
	}
	say_others(s, f);
}

/* A single wait, which is spike or trigger. */
static void say_wait(struct report_sentence *s, const struct report_finding *f)
{
	struct report_class class = report_class(f->victim.thread->sched->weight);

	say_party(s, &f->victim);
	if (*class.text)
		say(s, " (%s)", class.text);
	say(s, " was runnable for %s%s", TIME(f->victim.of),
	    f->kind == REPORT_FINDING_TRIGGER ? ", which fired the trigger," : "");
	if (f->is_open)
		say(s, ", still waiting at the end");
	if (f->usual)
		say(s, " (usually %s)", TIME(f->usual));
	if (f->culprit_count && f->culprits[0].thread)
		say_culprits(s, f);
	else if (f->limit)
		say(s, ", %s of it kept from running by %s", TIME(f->victim.ns), f->limit);
	else if (f->origin) {
		say(s, ", %s of it behind ", TIME(f->victim.ns));
		say_origin(s, f->origin);
	} else if (f->cgroup)
		say(s, ", %s of it because of the quota of %s", TIME(f->victim.ns), f->cgroup);
	else if (f->victim.ns)
		say(s, ", %s of it while its CPU was idle", TIME(f->victim.ns));
	else
		say(s, "; unknown who ran");
	say_unrecorded(s, f);
}

/* A sleep or a wait for a lock, which fired the trigger. */
static void say_sleep(struct report_sentence *s, const struct report_finding *f)
{
	const struct fxt_call_stack *slept = s->r->trigger_stacks.slept;
	bool is_lock = s->r->cause == FXT_SCHED_CAUSE_LOCK;
	char text[SCHED_ADDRESS_BYTES];

	say_party(s, &f->victim);
	say(s, " %s for %s%s", sched_cause_sleeps(s->r->cause) ? "slept" : "waited",
	    TIME(f->victim.of), sched_cause_how(s->r->cause));
	if (is_lock && f->through[0].thread) {
		say(s, " that ");
		say_thread(s, f->through[0].thread);
		say(s, " held");
	} else if (is_lock && s->r->trigger_lock.of) {
		say(s, " whose holder is not known");
	}
	if (slept && slept->count)
		say(s, ", in %s", sched_function_name(s->r->stacks.symbols, slept, 0, text));
	say(s, ", which fired the trigger");
	if (f->is_open)
		say(s, ", still %s at the end", sched_cause_sleeps(s->r->cause) ? "asleep" : "waiting");
	if (!is_lock && f->through[0].thread) {
		say(s, ", until ");
		say_thread(s, f->through[0].thread);
		say(s, " woke it");
	}
	if (f->culprit_count && f->culprits[0].thread) {
		say(s, ", %s of it", TIME(f->victim.ns));
		say_culprits(s, f);
	}
}

static void say_trigger(struct report_sentence *s, const struct report_finding *f)
{
	if (s->r->cause != FXT_SCHED_CAUSE_LATENCY)
		say_sleep(s, f);
	else
		say_wait(s, f);
}

static void say_serial(struct report_sentence *s, const struct report_finding *f)
{
	say(s, "only one of %u CPUs was busy for %.0f%% of %s: ", s->r->totals.cpus,
	    percent_of(f->victim.of, report_window(s->r)), TIME(report_window(s->r)));
	say_party(s, &f->victim);
	say(s, " ran alone for %s of that and used one CPU at a time, while the other%s idle",
	    TIME(f->victim.ns), s->r->totals.cpus == 2 ? " was" : "s were");
}

static void say_steal(struct report_sentence *s, const struct report_finding *f)
{
	say(s, "the host of this virtual machine ran something else on cpu %u for %.0f%% of the time (%s)",
	    f->cpu, percent_of(f->victim.ns, f->victim.of), TIME(f->victim.ns));
	if (f->victim.thread->host) {
		say(s, "; of such time on all CPUs, ");
		say_party(s, &f->victim);
		say(s, " had more than any other thread (%s)", TIME(f->victim.thread->host));
	}
}

/* A program can also ask the kernel to reclaim memory of a cgroup. */
static void say_memory(struct report_sentence *s, const struct report_finding *f)
{
	bool is_compaction = f->origin->number == FXT_STR_COMPACTION;

	say_loss(s, f, "spent", is_compaction ? "compaction" : "reclaim");
	say(s, " in %s of memory: ", f->origin->name);
	if (is_compaction)
		say(s, "the kernel moved pages to get contiguous free ones");
	else if (f->origin->number == FXT_STR_DIRECT_RECLAIM)
		say(s, "the kernel had too few free pages");
	else if (f->cgroup)
		say(s, "probably cgroup %s, or one above it, reached its limit (memory.high, memory.max)",
		    f->cgroup);
	else
		say(s, "probably a memory cgroup reached its limit; its name is not known");
}

/* Where in the runs that was is not known. */
static void say_stolen(struct report_sentence *s, const struct report_finding *f)
{
	if (f->host >= f->victim.ns / 20 && f->host)
		say(s, "; up to %s of that the host of this virtual machine had the CPU", TIME(f->host));
}

static void say_recorder(struct report_sentence *s, const struct report_finding *f)
{
	say_waited(s, f);
	say(s, " behind the recorder, fxt-collect");
	say_others(s, f);
}

static void say_unknown(struct report_sentence *s, const struct report_finding *f)
{
	say_waited(s, f);
	say(s, "; who had the CPU is not known");
	say_others(s, f);
}

struct report_sentence report_sentence(const struct report *r, const struct report_finding *f)
{
	static void (*const say_kind[])(struct report_sentence *, const struct report_finding *) = {
		[REPORT_FINDING_TRIGGER] = say_trigger,
		[REPORT_FINDING_THROTTLED] = say_throttled,
		[REPORT_FINDING_HELD] = say_held,
		[REPORT_FINDING_LIMITED] = say_limited,
		[REPORT_FINDING_BEHIND] = say_behind,
		[REPORT_FINDING_INTERRUPT] = say_interrupt,
		[REPORT_FINDING_CONVOY] = say_convoy,
		[REPORT_FINDING_LIMIT] = say_limit,
		[REPORT_FINDING_SLOW] = say_slow,
		[REPORT_FINDING_SLEPT] = say_slept,
		[REPORT_FINDING_REQUEST] = say_requests,
		[REPORT_FINDING_LOCK] = say_locked,
		[REPORT_FINDING_MEMORY] = say_memory,
		[REPORT_FINDING_SPIKE] = say_wait,
		[REPORT_FINDING_SERIAL] = say_serial,
		[REPORT_FINDING_STEAL] = say_steal,
		[REPORT_FINDING_CROWD] = say_behind,
		[REPORT_FINDING_UNKNOWN] = say_unknown,
		[REPORT_FINDING_RECORDER] = say_recorder,
	};
	struct report_sentence s = { .r = r };

	say_kind[f->kind](&s, f);
	say_stolen(&s, f);
	return s;
}

#define FIRST_INDENT	"  "
#define NEXT_INDENT	"    "

/* With line breaks between words, to fit the width. */
static void print_sentence(const struct text *t, const char *text)
{
	unsigned int wide = t->columns, column = strlen(FIRST_INDENT);
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
	size_t i;

	if (!text_report(t)->finding_count && !text_report(t)->unlooked)
		return;
	text_title(t, "Findings", 0);
	for (i = 0; i < text_report(t)->finding_count; i++)
		print_sentence(t, report_sentence(text_report(t), &text_report(t)->findings[i]).text);
	if (text_report(t)->unlooked)
		out_printf(t->o, FIRST_INDENT "%s more threads waited and were not analysed; select some, or use fxt blame\n",
			   count_label(text_report(t)->unlooked).text);
}
