// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * flight.c - the flight recorder: keep the newest records in memory, write snapshots.
 *
 * A snapshot is taken on SIGUSR1, when the kernel has fired the trigger, and at the end of the
 * recording. The stream of names is read continuously. Nothing is recorded while the buffers are
 * written; then recording continues, and files of programs, which users can make slow, are read for
 * names.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <fxt/fxt_catalogue.h>
#include <fxt/fxt_lock.h>
#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "libfxt/fxt_writer.h"
#include "archive/stitch.h"
#include "fetch.h"
#include "names/names.h"
#include "part.h"
#include "signals.h"
#include "state.h"
#include "status.h"

#define TICK_NS		(200 * NS_PER_MS)
#define FILES_WAIT_NS	(200 * NS_PER_MS)	/* for unwind information; nothing is recorded */

/* --- marks ------------------------------------------------------------------------- */

static struct fxt_arg arg_of(enum fxt_arg_type type, uint16_t name, uint64_t value)
{
	return (struct fxt_arg){ .type = type, .name.ref = name, .u64 = value };
}

/* Write an instant event on our own track. */
static int write_mark(struct session *s, uint16_t name, uint64_t time,
		      const struct fxt_arg *args, unsigned int count)
{
	struct fxt_content c = {
		.kind = FXT_KIND_INSTANT,
		.time = time,
		.thread = { .process = FXT_SCHED_KOID_LOSS, .thread = FXT_SCHED_KOID_LOSS },
		.category.ref = FXT_STR_CATEGORY,
		.name.ref = name,
		.arg_count = count,
	};
	unsigned int i;

	for (i = 0; i < count; i++)
		c.args[i] = args[i];
	return fxt_writer_record(s->w, &c);
}

/* By FXT_SCHED_CAUSE_*; see FXT_CAUSES(). */
static const struct {
	uint32_t argument;
	const char *interrupt;
} causes[] = {
#define CAUSE(cause, group, argument, word, what, interrupt)	\
	[FXT_SCHED_CAUSE_##cause] = { argument, interrupt },
	FXT_CAUSES(CAUSE)
#undef CAUSE
};

/* The kind of the lock that a thread waited for; NULL if it waited for none. */
static const char *lock_kind(const struct trigger_hit *hit)
{
	static const char *const kinds[] = {
#define KIND(kind, name)	[FXT_LOCK_##kind] = name,
		FXT_LOCKS(KIND)
#undef KIND
	};

	return hit->cause == FXT_SCHED_CAUSE_LOCK && hit->lock.address &&
	       hit->lock.kind < FXT_LOCK_KINDS ? kinds[hit->lock.kind] : NULL;
}

/* The value in ns, or the number of threads. */
static uint64_t value_of(const struct trigger_hit *hit, uint64_t rate)
{
	return hit->cause == FXT_SCHED_CAUSE_RUNNABLE ? hit->value :
							fxt_ticks_to_ns(hit->value, rate);
}

/* A lock without a holder: nobody knows who had it. */
static void write_trigger(struct session *s, const struct trigger_hit *hit)
{
	const char *kind = lock_kind(hit);
	struct fxt_arg args[7];
	unsigned int n = 0;

	args[n++] = arg_of(FXT_ARG_KOID, FXT_STR_THREAD, hit->thread);
	args[n++] = arg_of(FXT_ARG_UINT32, FXT_STR_CPU, hit->cpu);
	args[n++] = arg_of(FXT_ARG_UINT64, causes[hit->cause].argument,
			   value_of(hit, s->source->ticks_per_second));
	if (hit->goes_on)
		args[n++] = (struct fxt_arg){
			.type = FXT_ARG_STRING, .name.ref = FXT_STR_UNKNOWN,
			.text.ref = FXT_STR_END,
		};
	if (kind) {
		args[n++] = (struct fxt_arg){
			.type = FXT_ARG_STRING, .name.ref = FXT_STR_LOCK_KIND,
			.text = { .bytes = kind, .length = strlen(kind) },
		};
		args[n++] = arg_of(FXT_ARG_UINT64, FXT_STR_LOCK_ADDRESS, hit->lock.address);
		if (hit->lock.holder)
			args[n++] = arg_of(FXT_ARG_KOID, FXT_STR_HOLDER, hit->lock.holder);
	}
	write_mark(s, FXT_STR_TRIGGER, hit->time, args, n);
}

static int write_marks(struct session *s, const struct trigger_hit *hit)
{
	int ret;

	fxt_writer_process(s->w, FXT_SCHED_KOID_LOSS, FXT_SCHED_PROVIDER_NAME);
	fxt_writer_thread(s->w, FXT_SCHED_KOID_LOSS, FXT_SCHED_KOID_LOSS, FXT_STR_PROCESS,
			  FXT_SCHED_PROVIDER_NAME);
	if (hit && !(s->o->without & WITHOUT_TRIGGER))
		write_trigger(s, hit);
	ret = write_mark(s, FXT_STR_COMPLETE, stitch_totals(s->stitch)->complete, NULL, 0);
	return ret ? session_write_failed(s, ret) : 0;
}

/* --- snapshots ------------------------------------------------------------------------ */

/* @name: of the thread that waited; @ns: for how long */
static void report_lock(struct session *s, const struct trigger_hit *hit, const char *name,
			uint64_t ns)
{
	const char *kind = lock_kind(hit);
	char comm[FXT_SCHED_COMM_SIZE], by[64] = "", of[64] = "";

	if (kind)
		snprintf(of, sizeof(of), " (%s 0x%" PRIx64 ")", kind, hit->lock.address);
	if (hit->lock.holder)
		snprintf(by, sizeof(by), " held by thread %u (%s)", hit->lock.holder,
			 names_comm(s->names, hit->lock.holder, comm));
	status_print("thread %u (%s) %s %.3f ms for a lock%s%s", hit->thread, name,
		     hit->goes_on ? "has waited and still waits," : "waited", ns / 1e6, of, by);
}

static void report_hit(struct session *s, const struct trigger_hit *hit)
{
	uint64_t value = value_of(hit, s->source->ticks_per_second);
	char comm[FXT_SCHED_COMM_SIZE];
	const char *name = hit->thread || fxt_cause_has_thread(hit->cause) ?
			   names_comm(s->names, hit->thread, comm) : "its idle thread";

	switch (hit->cause) {
	case FXT_SCHED_CAUSE_LATENCY:
		status_print("thread %u (%s) %s %.3f ms for cpu %u", hit->thread, name,
			     hit->goes_on ? "has waited and still waits," : "waited", value / 1e6,
			     hit->cpu);
		break;
	case FXT_SCHED_CAUSE_BLOCKED:
	case FXT_SCHED_CAUSE_SLEEP:
		status_print("thread %u (%s) %s %.3f ms%s", hit->thread, name,
			     hit->goes_on ? "has slept and still sleeps," : "slept", value / 1e6,
			     hit->cause == FXT_SCHED_CAUSE_BLOCKED ? " in D" : "");
		break;
	case FXT_SCHED_CAUSE_LOCK:
		report_lock(s, hit, name, value);
		break;
	case FXT_SCHED_CAUSE_RUNNABLE:
		status_print("%" PRIu64 " threads were runnable on cpu %u, while %s ran", value,
			     hit->cpu, name);
		break;
	default:
		status_print("a %s interrupt took %.3f ms of cpu %u, from %s",
			     causes[hit->cause].interrupt, value / 1e6, hit->cpu, name);
	}
}

static void report_snapshot(struct session *s, const struct trigger_hit *hit)
{
	const struct stitch_totals *t = stitch_totals(s->stitch);
	uint64_t rate = s->source->ticks_per_second;

	if (s->o->quiet)
		return;
	if (hit)
		report_hit(s, hit);
	status_print("wrote %s: %" PRIu64 " records, complete for the last %.3f s; %" PRIu64 " older ones were overwritten",
		     s->path, t->written - t->lost,
		     fxt_ticks_to_ns(s->stopped - t->complete, rate) / 1e9, t->before);
}

/* Only for the time that the archive covers completely, from @complete on. */
static int write_extras(struct session *s, uint64_t complete)
{
	int ret = instants_write(&s->instants, s->w, complete);

	if (ret)
		return session_write_failed(s, ret);
	if (s->counters)
		counters_since(s->counters, complete);
	session_count(s, s->stopped);
	session_write_quotas(s, complete);
	return 0;
}

/* Only those since the last snapshot: the others are in no way missing here. */
static void count_missing_stacks(struct session *s)
{
	uint64_t all = s->source->ops->sleep_stacks_dropped(s->source);

	part_count(s, "sleep_stacks_dropped", all - s->stacks_counted);
	s->stacks_counted = all;
}

static int write_buffers(struct session *s, const struct trigger_hit *hit)
{
	struct online online;
	int ret = part_begin(s);

	online_look(&online, s);
	ret = ret ? ret : session_fetch_all(s);
	ret = ret ? ret : session_wait_for_files(s, session_now() + FILES_WAIT_NS, true);
	ret = ret ? ret : online_note(&online, s);
	ret = ret ? ret : session_end_streams(s, false);
	/* After the fetch, whose names are older. */
	ret = ret ? ret : session_catch_up(s);
	ret = ret ? ret : write_extras(s, stitch_totals(s->stitch)->complete);
	if (ret)
		return ret;
	part_count(s, "triggers_ignored", s->summary.ignored);
	count_missing_stacks(s);
	part_count(s, "processes_unread", symbols_unread(&s->symbols));
	return write_marks(s, hit);
}

/* Recording continues meanwhile, except after the last snapshot. */
static int complete_archive(struct session *s, const struct trigger_hit *hit)
{
	int ret = session_end_part(s);

	if (ret)
		return ret;
	s->summary.totals = *stitch_totals(s->stitch);
	snprintf(s->summary.snapshot, sizeof(s->summary.snapshot), "%s", s->path);
	report_snapshot(s, hit);
	return 0;
}

/* A part of the last snapshot is better than none. That of another takes the next one's space. */
static void drop_archive(struct session *s, bool last)
{
	chunks_free(&s->pending.chunks);
	part_drop(s, last || !s->write_error);
}

/* A failed snapshot does not end the recording: there may be space for the next one. */
static int tolerate_failure(struct session *s, int ret)
{
	if (!s->write_error)
		return ret;
	status_print("%s; the recording continues", s->e->text);
	s->e->text[0] = '\0';
	s->write_error = 0;
	s->summary.missed++;
	return 0;
}

/* Called while nothing is recorded, when the archive has all names and none was forgotten. */
static void note_longest(struct session *s)
{
	struct summary_wait *w = &s->summary.longest;
	uint64_t rate = s->source->ticks_per_second, latency;
	struct trigger_hit hit;

	if (!s->o->trigger || !s->source->ops->longest(s->source, &hit))
		return;
	latency = fxt_ticks_to_ns(hit.value, rate);
	if (latency <= w->latency)
		return;
	*w = (struct summary_wait) {
		.time = fxt_ticks_to_ns(hit.time, rate),
		.latency = latency,
		.thread = hit.thread,
		.cpu = hit.cpu,
		.goes_on = hit.goes_on,
	};
	names_comm(s->names, hit.thread, w->comm);
}

static uint64_t after_ticks(const struct session *s)
{
	uint64_t after = s->o->config.trigger.after, rate = s->source->ticks_per_second;

	return after / NS_PER_SECOND * rate + after % NS_PER_SECOND * rate / NS_PER_SECOND;
}

/*
 * Pause or end the recording. If the trigger has fired, @fired and @hit are set, and nothing was
 * recorded afterwards.
 */
static int stop_for_snapshot(struct session *s, bool last, bool *fired, struct trigger_hit *hit)
{
	const struct source_ops *ops = s->source->ops;
	uint64_t asked;
	int ret = 0;

	if (!ops->triggered(s->source, hit))
		ret = session_mark(s, false);
	if (ret)
		return ret;
	asked = ops->now(s->source);
	ret = last ? ops->stop(s->source, s->e) : ops->freeze(s->source, s->e);
	if (ret)
		return ret;
	s->tracing = !last;
	*fired = ops->triggered(s->source, hit);
	if (*fired && hit->time + after_ticks(s) < asked)
		asked = hit->time + after_ticks(s);
	return session_note_stop(s, asked);
}

/* Give the limits to the source, and count the events that they have kept from firing. */
static int pass_limits(struct session *s)
{
	struct raised_limit list[FXT_SCHED_LIMITS_MAX];
	unsigned int count = limits_list(&s->limits, &s->o->config.trigger, list);
	uint64_t ignored = 0;
	int ret = s->source->ops->raise(s->source, list, count, &ignored, s->e);

	s->summary.ignored = s->ignored + ignored;
	return ret;
}

/*
 * May this event make a snapshot? If the number of snapshots is limited, any event may. Otherwise
 * users who fire the trigger often need ever larger values.
 */
static int is_worth(struct session *s, const struct trigger_hit *hit, bool *may)
{
	struct trigger_hit event = *hit;

	*may = true;
	if (s->o->snapshots) {
		s->user = subids_of(&s->limits.subids, hit->user).first;
		return 0;
	}
	event.value = value_of(hit, s->source->ticks_per_second);
	*may = limits_accept(&s->limits, &s->o->config.trigger, &event, session_now(), &s->user);
	s->ignored += !*may;
	return pass_limits(s);
}

/* Continue to record, into empty buffers, from @start (ticks) on. */
static int resume(struct session *s, uint64_t *start)
{
	const struct source_ops *ops = s->source->ops;
	int ret;

	if (s->counters)
		counters_restart(s->counters, ops->now(s->source));
	ret = ops->thaw(s->source, s->e);
	*start = ops->now(s->source);
	return ret ? ret : session_mark(s, true);
}

/* The buffers are frozen. @hit: what has fired the trigger, or NULL. */
static int write_snapshot(struct session *s, bool last, const struct trigger_hit *hit)
{
	uint64_t start = s->start;
	int ret = s->source->ops->names_have_gaps ? names_fill_gaps(s->names) : 0, failed;

	names_found(s->names, s->stopped);
	if (ret)
		ret = session_write_failed(s, ret);
	ret = ret ? ret : write_buffers(s, hit);
	note_longest(s);
	failed = ret;
	ret = last ? 0 : resume(s, &start);
	if (!ret && !failed)
		failed = complete_archive(s, hit);
	if (failed)
		drop_archive(s, last);
	s->start = start;
	if (last)
		return failed;
	if (!ret && failed)
		ret = tolerate_failure(s, failed);
	return ret ? ret : session_write_aside(s);
}

/*
 * @last: the recording ends with this snapshot; @asked: somebody has asked for it, or for the end.
 * An event that is not worth a snapshot costs the records before it.
 */
static int snapshot(struct session *s, bool last, bool asked)
{
	struct trigger_hit hit;
	bool fired, may = true;
	int ret = session_read_quotas(s, true), limited = 0;

	ret = ret ? ret : stop_for_snapshot(s, last, &fired, &hit);
	if (ret)
		return ret;
	s->summary.fired += fired;
	s->user = SOURCE_NO_USER;
	if (fired)
		limited = is_worth(s, &hit, &may);
	if (!may && !last && !asked && !limited)
		return resume(s, &s->start);
	if (asked)
		s->user = SOURCE_NO_USER;
	ret = write_snapshot(s, last, fired ? &hit : NULL);
	if (!last)
		names_forget(s->names);
	return ret ? ret : limited;
}

/* Has the trigger fired, and is --after over? Then the kernel has frozen the buffers. */
static bool is_triggered(struct session *s)
{
	uint64_t rate = s->source->ticks_per_second, passed;
	struct trigger_hit hit;

	if (!s->o->trigger || !s->source->ops->triggered(s->source, &hit))
		return false;
	passed = fxt_ticks_to_ns(s->source->ops->now(s->source) - hit.time, rate);
	return passed > s->o->config.trigger.after;
}

/* Wait until a time; look as often as the source needs whether the trigger fires meanwhile. */
static int wait_and_look(struct session *s, uint64_t until)
{
	uint64_t look = s->source->look_ns, next;
	int ret;

	/* The caller finds out what ends the wait early. */
	do {
		next = look ? session_now() + look : until;
		ret = session_wait(s, next < until ? next : until, false);
	} while (!ret && next < until && session_now() >= next && !is_triggered(s));
	return ret;
}

int flight_run(struct session *s)
{
	uint64_t end = s->o->duration ? s->counted_from + s->o->duration : UINT64_MAX;
	uint64_t tick = s->began, left = s->o->snapshots ? s->o->snapshots : UINT64_MAX;
	bool ends, asked;
	int ret = 0;

	while (!ret) {
		if (limits_relax(&s->limits, session_now()))
			ret = pass_limits(s);
		if (ret)
			break;
		ends = session_ends(s) || session_now() >= end;
		/* The stream of names needs no freeze. */
		ret = session_fetch_all(s);
		if (ret)
			break;
		asked = ends || s->snapshot_asked;
		if (asked || is_triggered(s)) {
			s->snapshot_asked = false;
			ends |= !--left;
			ret = snapshot(s, ends, asked);
			if (ends)
				break;
			continue;
		}
		ret = session_read_quotas(s, false);
		if (ret)
			break;
		live_update(s->live, s);
		tick += TICK_NS;
		if (tick < session_now())
			tick = session_now() + TICK_NS;
		ret = wait_and_look(s, tick < end ? tick : end);
	}
	ret = ret ? ret : pass_limits(s);
	s->summary.duration = session_now() - s->began;
	return ret;
}
