// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * session.c - one recording, from its start to the finished file.
 *
 * The order matters: COMMAND's process is created while the recorder still has all privileges, and
 * waits; then privileges are dropped. Tracing starts before the rundown, so that no task is born
 * unseen between them. COMMAND starts last.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fxt/fxt_sched.h>

#include "libfxt/address.h"
#include "libfxt/clock.h"
#include "libfxt/fxt_writer.h"
#include "archive/stitch.h"
#include "fetch.h"
#include "names/names.h"
#include "output/socket.h"
#include "part.h"
#include "process/priority.h"
#include "process/subids.h"
#include "signals.h"
#include "source/bpf/bpf.h"
#include "source/cgroups.h"
#include "state.h"
#include "stats.h"
#include "status.h"

/* --- when to start ---------------------------------------------------------------------- */

/* No event announces that the wall clock was set. */
#define LOOK_NS		NS_PER_SECOND

static void announce_start(const struct session *s)
{
	time_t at = s->start_at.at / NS_PER_SECOND;
	char text[40];
	struct tm tm;

	if (s->o->quiet || !localtime_r(&at, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		return;
	status_print("waiting until %s.%03llu to start", text,
		     s->start_at.at % NS_PER_SECOND / NS_PER_MS);
}

/*
 * Wait until --start-at; follow changes of the wall clock meanwhile. Return: 0; -EINTR, with @s->e
 * filled in, if a signal ends the recording before it has begun
 */
static int session_await_start(struct session *s)
{
	struct pollfd end = { .fd = s->end, .events = POLLIN };
	uint64_t now = clock_ns(CLOCK_REALTIME), left;
	struct timespec t;

	s->start_at = s->o->start_at;
	if (!s->start_at.at)
		return 0;
	if (now >= s->start_at.at) {
		status_print("--start-at: that time had passed before the recording was prepared");
		start_at_missed(&s->start_at, now);
	}
	announce_start(s);
	for (; now < s->start_at.at; now = clock_ns(CLOCK_REALTIME)) {
		left = s->start_at.at - now;
		if (left > LOOK_NS)
			left = LOOK_NS;
		t = (struct timespec){ left / NS_PER_SECOND, left % NS_PER_SECOND };
		ppoll(&end, 1, &t, NULL);
		if (signals_ended(s))
			return fail(s->e, EXIT_FAILED, -EINTR,
				    "ended by a signal before --start-at; nothing is recorded");
	}
	return 0;
}

/*
 * Tracing has started. With --start-at, durations and segments are counted from that time, so that
 * recordings of many machines end, and divide, at the same time.
 */
static void session_note_start(struct session *s)
{
	uint64_t now = clock_ns(CLOCK_REALTIME);

	s->began = session_now();
	s->late = s->start_at.at && now > s->start_at.at ? now - s->start_at.at : 0;
	s->counted_from = s->began - s->late;
	/* The compressing thread reads it. */
	__atomic_store_n(&s->until, s->o->duration ? s->counted_from + s->o->duration : 0,
			 __ATOMIC_RELAXED);
}

/* --- archives that end early ------------------------------------------------------------ */

/*
 * End an archive that cannot be continued, because the disk is full or a limit was reached, at a
 * record boundary: truncate the file so that its trailer fits.
 *
 * Closing ledgers count the missing records. They are shown as a loss up to the time at which
 * tracing was stopped.
 */

/* Space for a slice, an event, names and a ledger per stream; file systems round up. */
#define END_BYTES	(256 << 10)
#define STREAM_BYTES	512

/* Records still in the buffers are dropped; their producers have counted them. */
static int stop_after_failure(struct session *s)
{
	const struct source_ops *ops = s->source->ops;
	struct error e;
	int ret = ops->stop(s->source, &e);

	s->tracing = false;
	s->stopped = ops->now(s->source);
	s->summary.duration = session_now() - s->began;
	return ret;
}

/* Use the same writer: it has registered the strings that the trailer refers to. */
static int write_end(struct session *s, uint64_t kept)
{
	int ret = fxt_writer_cut(s->w, kept);

	if (!ret && !kept)
		ret = -ENODATA;
	ret = ret ? ret : stitch_back(s->stitch, kept);
	ret = ret ? ret : session_end_streams(s, true);
	ret = ret ? ret : fxt_writer_flush(s->w);
	return ret ? ret : output_boundary(s->out);
}

/* NULL for another error. */
static const char *lack_of_room(int err)
{
	switch (err) {
	case -ENOSPC:
		return "no space left";
	case -EDQUOT:
		return "no space left in the quota";
	case -EFBIG:
		return "no space left below the limit of files (ulimit -f)";
	}
	return NULL;
}

static const char *why_not_sent(int err)
{
	switch (err) {
	case -EPIPE:
	case -ECONNRESET:
		return "the receiver has closed the connection";
	case -ETIMEDOUT:
		return "the receiver does not accept data, or its machine cannot be reached";
	case -ECANCELED:
		return "the receiver has stopped reading";
	}
	return strerror(-err);
}

/* The error text of other failures is already complete. */
static void describe_failure(struct session *s, bool is_valid)
{
	const char *path = strcmp(s->path, "-") ? s->path : "standard output";
	const char *no_room = lack_of_room(s->write_error);
	double after = s->summary.duration / 1e9;

	if (fxt_address_is(s->path))
		fail(s->e, EXIT_INCOMPLETE, s->write_error,
		     "%s: %s; recording ended after %.3f s; the receiver has the archive only up "
		     "to there",
		     path, why_not_sent(s->write_error), after);
	else if (s->write_error == -EPIPE)
		fail(s->e, EXIT_INCOMPLETE, -EPIPE,
		     "%s: the reader has closed the pipe; recording ended after %.3f s", path, after);
	else if (s->write_error == -ECANCELED)
		fail(s->e, EXIT_INCOMPLETE, -ECANCELED,
		     "%s: the reader has stopped reading; recording ended after %.3f s; the archive is truncated in the middle of a record",
		     path, after);
	else if (no_room && is_valid)
		fail(s->e, EXIT_INCOMPLETE, s->write_error,
		     "%s: %s; recording ended after %.3f s; the archive is valid up to there, without the last %" PRIu64 " records; free some space, or use --compress, --max-size or --rotate with --keep",
		     path, no_room, after, stitch_totals(s->stitch)->lost);
	else if (no_room)
		fail(s->e, EXIT_INCOMPLETE, s->write_error,
		     "%s: %s; recording ended after %.3f s; there was no space for the end of the archive either, so it does not count what it lacks, and its last record may be incomplete; free some space",
		     path, no_room, after);
}

/* End the archive after a failed write, which is in @write_error and @e. */
static void salvage(struct session *s)
{
	uint64_t safe, room, kept;
	bool is_valid = false;

	if (s->tracing && stop_after_failure(s))
		return;
	if (s->out && s->w && s->write_error != -EPIPE) {
		safe = output_safe(s->out);
		room = END_BYTES + STREAM_BYTES * (stitch_totals(s->stitch)->streams + 2);
		is_valid = !output_cut(s->out, safe > room ? safe - room : 0, &kept) &&
			   !write_end(s, kept);
	}
	describe_failure(s, is_valid);
	if (!s->out)
		return;
	fxt_writer_close(s->w);
	s->w = NULL;
	s->summary.bytes += output_bytes(s->out);
	output_close(s->out, true);
	s->out = NULL;
}

/* --- recordings ------------------------------------------------------------------------- */

/* Why BPF is used. @err: from available() of the module. */
static const char *why_no_module(int err)
{
	switch (err) {
	case -ENODEV:
		return lockdown_level() ?
		       "the module fxt_sched is not loaded: lockdown refuses unsigned modules" :
		       "the module fxt_sched is not loaded";
	case -EPROTO:
		return "the loaded module fxt_sched has another version";
	case -EACCES:
	case -EPERM:
		return "the module fxt_sched may not be used";
	}
	return "the module fxt_sched cannot be used";
}

/* @why: set to the reason for the choice, for a message. */
static const struct source_ops *choose_source(const struct options *o,
					      const char **why, struct error *e)
{
	const struct source_ops *ops = o->source == SOURCE_BPF ? &source_bpf :
								 &source_relay;
	struct error no_module, no_bpf;
	int err;

	*why = "requested";
	if (o->source != SOURCE_AUTO) {
		if (ops->available(e))
			return NULL;
		return ops;
	}
	if (o->tracepoints.count || o->config.trigger.limit[FXT_SCHED_CAUSE_RUNNABLE]) {
		*why = o->tracepoints.count ?
		       "only BPF records tracepoints that are chosen by name" :
		       "only BPF sees the lengths of run queues";
		return source_bpf.available(e) ? NULL : &source_bpf;
	}
	err = source_relay.available(&no_module);
	if (!err) {
		*why = "it is loaded";
		return ops;
	}
	*why = why_no_module(err);
	if (o->config.clock != CLOCK_KIND_TSC && !source_bpf.available(&no_bpf))
		return &source_bpf;
	*e = o->config.clock == CLOCK_KIND_TSC || err != -ENODEV ? no_module : no_bpf;
	return NULL;
}

/* Drop privileges that recording does not need, so that an attacker could not use them. */
static int drop_privileges(struct session *s)
{
	unsigned int keep = s->source->keep;
	int ret;

	if (s->o->command)
		keep |= PRIVILEGE_KEEP_KILL;
	if (s->symbols.has_user)
		keep |= PRIVILEGE_KEEP_PERF;
	ret = privilege_drop(keep, s->e);
	return ret ? ret : privilege_confine(keep, s->e);
}

/* Do everything slow or privileged before tracing starts. */
static int prepare(struct session *s)
{
	const struct options *o = s->o;
	int ret = 0;

	if (o->command)
		ret = child_fork(&s->child, o->command, &s->invoker, s->e);
	if (!ret)
		ret = o->config.overwrite ? part_check_place(s) : part_open(s);
	/* Tasks that the source names need no lookup in /proc. */
	if (!ret && s->source->ops->names_have_gaps)
		ret = session_rundown(s);
	if (!ret && (names_prepare(s->names) || host_read(&s->host, "")))
		ret = session_write_failed(s, -ENOMEM);
	names_found(s->names, 0);
	return ret ? ret : drop_privileges(s);
}

/* CPUs that are offline when recording begins. */
static int note_offline(struct session *s)
{
	struct online online;

	online_look(&online, s);
	return online_note(&online, s);
}

static int start_tracing(struct session *s)
{
	const struct options *o = s->o;
	int ret;

	if (s->counters)
		counters_restart(s->counters, s->source->ops->now(s->source));
	ret = s->source->ops->start(s->source, s->e);
	if (ret)
		return ret;
	s->tracing = true;
	s->start = s->source->ops->now(s->source);
	session_note_start(s);
	ret = session_mark(s, true);
	ret = ret ? ret : note_offline(s);
	if (ret)
		return ret;
	if (s->quotas && quotas_read(s->quotas, s->start))
		return session_write_failed(s, -ENOMEM);
	ret = session_rundown(s);
	names_found(s->names, s->source->ops->now(s->source));
	if (!ret && o->verbose)
		status_print("tracing; %" PRIu64 " threads of %" PRIu64 " processes exist",
			     names_threads(s->names), names_processes(s->names));
	/* The compressing thread is created with the first byte, without privileges. */
	if (!ret && !o->config.overwrite)
		ret = part_head(s, false);
	/* Otherwise this is done while records come. */
	if (!ret && o->config.overwrite)
		ret = session_walk_on(s);
	if (!ret && o->command)
		ret = child_go(&s->child, o->command, s->e);
	return ret;
}

/* Execs and renames become instant events. */
static int add_event(void *arg, const struct names_event *e)
{
	struct session *s = arg;
	int ret = e->is_later ? task_events_add(&s->reuses, e) : 0;

	if (ret || e->what == FXT_STR_FORK || s->o->without & WITHOUT_INSTANTS)
		return ret;
	return task_events_add(&s->instants, e);
}

/* Waiting threads are known only in an unfiltered recording. */
static int open_extras(struct session *s)
{
	const struct options *o = s->o;
	int ret = 0;

	names_on_event(s->names, add_event, s);
	if (s->source->events & FXT_SCHED_EVENTS_THROTTLE)
		ret = quotas_open(&s->quotas, o->filter.cgroup,
				  !(o->without & WITHOUT_COUNTERS));
	if (!ret && o->config.stacks.what)
		ret = symbols_open(&s->symbols, &o->config, !o->no_symbols);
	if (!(o->without & WITHOUT_PERFETTO_STACKS))
		sleeps_open(&s->symbols.sleeps, &o->config, s->source->ticks_per_second);
	if (ret || o->without & WITHOUT_COUNTERS || o->config.filter)
		return ret;
	return counters_open(&s->counters, s->source->ticks_per_second);
}

static int prepare_and_run(struct session *s)
{
	const struct source_filter *filter = s->o->config.filter;
	int ret = names_open(&s->names, &s->o->names);

	if (!ret) {
		names_read_by(s->names, &s->symbols.texts);
		ret = open_extras(s);
	}
	ret = ret ? ret : stitch_open(&s->stitch);
	if (ret)
		return session_write_failed(s, ret);
	tracks_read(&s->tracks, "", s->source->events, &s->o->tracepoints);
	stitch_track(s->stitch, &s->tracks, source_record_words(&s->o->config));
	stitch_edges(s->stitch, s->o->config.overwrite,
		     filter && (filter->pid_count || filter->comm || filter->cgroup));
	ret = prepare(s);
	ret = ret ? ret : session_await_start(s);
	if (ret == -EINTR)
		part_drop(s, false);
	ret = ret ? ret : start_tracing(s);
	if (!ret)
		ret = s->o->config.overwrite ? flight_run(s) : record_run(s);
	live_close(s->live);
	s->live = NULL;
	if (ret && s->write_error && !s->o->config.overwrite)
		salvage(s);
	return ret;
}

static void close_session(struct session *s)
{
	size_t i;

	live_close(s->live);
	part_drop(s, true);
	stitch_close(s->stitch);
	cut_free(&s->cut);
	session_drop_aside(s);
	chunks_free(&s->pending.chunks);
	host_free(&s->host);
	counters_close(s->counters);
	quotas_close(s->quotas);
	task_events_free(&s->instants);
	task_events_free(&s->reuses);
	symbols_close(&s->symbols);
	names_close(s->names);
	if (s->source)
		s->source->ops->close(s->source);
	signals_close(s);
	broker_stop(s->broker);
	for (i = 0; i < s->kept_count; i++)
		free(s->kept[i].path);
	free(s->kept);
	subids_free(&s->limits.subids);
	free(s->summary.streams);
}

/* Files whose functions are unknown, by reason. */
static void report_faults(const struct resolution *user)
{
	size_t i;

	for (i = ELF_FINE + 1; i < ELF_FAULTS; i++)
		if (user->faults[i])
			status_print("functions are unknown of %" PRIu64 " program%s or librar%s: "
				"%s %s",
				     user->faults[i], user->faults[i] == 1 ? "" : "s",
				     user->faults[i] == 1 ? "y" : "ies", user->example[i],
				     resolve_fault(i));
}

static void report_symbols(const struct session *s)
{
	const struct symbols *sym = &s->symbols;

	if (sym->unnamed)
		status_print("stacks have no names of functions of the kernel: /proc/kallsyms shows no addresses; record as root, or with CAP_SYSLOG, and kernel.kptr_restrict below 2");
	if (sym->live_error)
		status_print("programs that started while recording have no names of functions: perf events: %s",
			     strerror(-sym->live_error));
	if (sym->live.error)
		status_print("programs that started on a CPU that came online have no names of functions: perf events: %s%s",
			     strerror(-sym->live.error), sym->live.error == -EACCES ?
			     "; set kernel.perf_event_paranoid to 2 or less" : "");
	if (s->sampling_error)
		status_print("CPUs that came online have no samples, or only later ones: %s%s",
			     strerror(-s->sampling_error), s->sampling_error == -EACCES ?
			     "; set kernel.perf_event_paranoid to 2 or less" : "");
	if (sym->sleeps.dropped)
		status_print("%" PRIu64 " switches and stacks exceed the limit of samples for "
			"Perfetto per archive; use --rotate",
			     sym->sleeps.dropped);
	if (sym->callers.counts.lacking)
		status_print("%" PRIu64 " of %" PRIu64 " stacks of programs may lack frames: files have no unwind information (.eh_frame) or were read too late, or frames take more than %u bytes of the stack",
			     sym->callers.counts.lacking, sym->callers.counts.stacks,
			     FXT_SCHED_COPY_STACK * FXT_WORD);
	if (sym->callers.refused)
		status_print("%" PRIu64 " times a program asked for more unwind information than a process and a user may; their stacks lack frames",
			     sym->callers.refused);
	if (!sym->user.addresses)
		return;
	if (sym->names)
		status_print("named %" PRIu64 " of %" PRIu64 " addresses in programs", sym->user.named,
			     sym->user.addresses);
	report_faults(&sym->user);
}

static void report_end(struct session *s, const char *source, int ret)
{
	const struct options *o = s->o;

	if (s->names) {
		s->summary.threads = names_threads(s->names);
		s->summary.processes = names_processes(s->names);
	}
	if (s->source) {
		s->summary.user_stacks_dropped = s->source->ops->user_stacks_dropped(s->source);
		s->summary.sleep_stacks_dropped = s->source->ops->sleep_stacks_dropped(s->source);
	}
	s->summary.mappings_lost = symbols_lost(&s->symbols);
	s->summary.mappings_most = s->symbols.images.most_lost;
	s->summary.mappings_most_by = s->symbols.images.most_lost_by;
	s->summary.mappings_left_out = s->symbols.user.left_out;
	s->summary.processes_unread = symbols_unread(&s->symbols);
	s->summary.frames_left_out = s->symbols.frames_left_out;
	s->summary.texts_late = s->symbols.texts.late;
	s->summary.stacks_incomplete = s->symbols.callers.counts.lacking;
	s->summary.path = s->path;
	s->summary.error = ret ? s->e->text : NULL;
	if (s->stitch && !o->config.overwrite)
		s->summary.totals = *stitch_totals(s->stitch);
	if (ret || o->quiet) {
		status_losses(o, &s->summary);
		return;
	}
	status_summary(o, source, &s->summary);
	report_symbols(s);
}

static int open_stats(struct session *s, struct output **stats)
{
	struct output_options options = { .stats = true };

	return s->o->stats ? session_open(s, stats, s->o->stats, &options) : 0;
}

/*
 * Fork the broker, and what reads programs, before anything is open that they should not inherit,
 * and before the first path.
 */
static int open_files(struct session *s, struct output **stats)
{
	int ret;

	invoker_find(&s->invoker);
	ret = signals_open(s);
	relay_use(&s->o->tls);
	ret = ret ? ret : broker_start(&s->broker, &s->invoker, s->end, s->e);
	if (!ret && symbols_prepare(&s->symbols))
		ret = fail(s->e, EXIT_FAILED, -EAGAIN,
			   "cannot start the process that reads programs: %s", strerror(EAGAIN));
	if (!ret && s->o->trigger && subids_read(&s->limits.subids, SUBIDS_FILE))
		ret = fail(s->e, EXIT_FAILED, -ENOMEM, "cannot read " SUBIDS_FILE ": %s",
			   strerror(ENOMEM));
	return ret ? ret : open_stats(s, stats);
}

static void report_throttle(const struct session *s)
{
	const char *hook = s->source->throttle_hook, *lacks = cgroups_lack_quotas();

	if (!hook)
		status_print("throttled cgroups: no slices, because %s; counters from cpu.stat",
			     s->source->ops == &source_bpf ?
			     "this kernel does not let programs be attached to throttle_cfs_rq" :
			     "the module has no hook for them");
	else if (lacks)
		status_print("throttled cgroups: slices by %s; no counters, because %s", hook, lacks);
	else
		status_print("throttled cgroups: slices by %s, counters from cpu.stat", hook);
}

#define SAMPLE_RATE_FILE	"/proc/sys/kernel/perf_event_max_sample_rate"

/* Nothing counts the samples that the kernel leaves out. */
static void warn_of_rate(unsigned int hz)
{
	FILE *f = fopen(SAMPLE_RATE_FILE, "re");
	unsigned int most;

	if (f && fscanf(f, "%u", &most) == 1 && most < hz)
		status_print("--stacks oncpu:%u: kernel.perf_event_max_sample_rate is %u, so samples may be missing; raise it, or use a lower rate",
			     hz, most);
	if (f)
		fclose(f);
}

static int open_and_run(struct session *s, const struct source_ops *ops, const char *why)
{
	/* Check before loading BPF, which takes a second. */
	int ret = part_check_place(s);

	ret = ret ? ret : ops->open(&s->source, &s->o->config, s->e);
	if (ret)
		return ret;
	if (!s->o->quiet)
		status_print("recording with %s (%s: %s)", ops->what, ops->name, why);
	if (!s->o->quiet && s->o->filter.cgroup_is_empty)
		status_print("--cgroup %s: no thread in it or below it; nothing is recorded until one enters",
			     s->o->filter.cgroup);
	if (s->source->limit)
		status_print("%s", s->source->limit);
	if (s->source->lacking[0])
		status_print("--events all: left out %s", s->source->lacking);
	if (s->source->events & FXT_SCHED_EVENTS_THROTTLE && !s->o->quiet)
		report_throttle(s);
	if (s->o->config.stacks.what & STACKS_ONCPU)
		warn_of_rate(s->o->config.stacks.hz);
	s->live = live_open(s->o);
	ret = prepare_and_run(s);
	report_end(s, ops->name, ret);
	return ret;
}

int session_run(const struct options *o, struct error *e)
{
	struct session s = {
		.o = o, .e = e, .signals = -1, .end = -1, .symbols.server.socket = -1,
		.user = SOURCE_NO_USER,
		.child = { .go = -1, .failed = -1 },
	};
	const char *why;
	const struct source_ops *ops = choose_source(o, &why, e);
	struct output *stats = NULL;
	bool ended, has_failed;
	int ret;

	if (!ops) {
		status_print("%s", e->text);
		return e->code;
	}
	source_bpf_verbose(o->verbose);
	if (o->verbose)
		status_print("%u sub-buffers of %zu KiB per CPU", o->config.subbuf_count,
			     o->config.subbuf_size >> 10);
	ret = open_files(&s, &stats);
	/* Not earlier, because the processes that open and parse files keep their own. */
	priority_raise();
	ret = ret ? ret : open_and_run(&s, ops, why);
	priority_restore();
	if (ret)
		status_print("%s", e->text);
	if (stats_write(stats, o, ops->name, &s.summary, e)) {
		status_print("%s", e->text);
		ret = -EIO;
	}
	ended = signals_ended(&s);
	/* Close before waiting for COMMAND: tracing has ended, and the summary says so. */
	close_session(&s);
	has_failed = ret || s.summary.missed;
	if (!ret && s.summary.missed)
		e->code = EXIT_INCOMPLETE;
	if (!has_failed && o->fail_on_loss && summary_lacks(&s.summary)) {
		e->code = EXIT_LOST;
		has_failed = true;
	}
	/*
	 * COMMAND gets a signal that ended the recording. Neither a failed recording nor the end of
	 * --duration ends it.
	 */
	child_wait(&s.child, ended ? SIGTERM : 0);
	if (has_failed)
		return e->code;
	return o->command ? child_exit_code(&s.child) : EXIT_DONE;
}
