// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * session.c - see session.h.
 *
 * What flows in: the options. What flows out: archives. The order of things
 * matters here: COMMAND's process is made while we still have all rights, and
 * waits; then rights are given up; tracing is on before the rundown, so that no
 * task is born between them unseen; COMMAND begins when all is on its way.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_writer.h"
#include "process/lockdown.h"
#include "output/fail.h"
#include "session.h"
#include "internal.h"
#include "source/bpf/bpf.h"
#include "stats.h"
#include "archive/stitch.h"

/* How often to look for the reader of a pipe: nothing tells when it comes. */
#define READER_MS	50

uint64_t session_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

int session_write_failed(struct session *s, int err)
{
	if (err == -EPROTO)
		return fail(s->e, EXIT_FAILED, err,
			    "the source %s gave a chunk that is none: this is a bug, please report it",
			    s->source->ops->name);
	if (err == -ENOMEM)
		return fail(s->e, EXIT_FAILED, err, "no memory for %s", s->o->output);
	s->write_error = err;
	return output_fail(s->e, s->path, err);
}

/* @why: set to what was decisive, for people. */
static const struct source_ops *choose_source(const struct options *o,
					      const char **why, struct error *e)
{
	const struct source_ops *ops = o->source == SOURCE_BPF ? &source_bpf :
								 &source_relay;
	struct error no_module, no_bpf;

	*why = "asked for";
	if (o->source != SOURCE_AUTO) {
		if (ops->available(e))
			return NULL;
	} else if (!source_relay.available(&no_module)) {
		*why = "it is loaded";
	} else if (o->config.clock == CLOCK_KIND_TSC) {
		*e = no_module;
		return NULL;
	} else if (!source_bpf.available(&no_bpf)) {
		ops = &source_bpf;
		*why = lockdown_level() ?
		       "the module fxt_sched is not loaded: lockdown keeps out those that are not signed" :
		       "the module fxt_sched is not loaded";
	} else {
		*e = no_bpf;
		return NULL;
	}
	return ops;
}

/* --- signals --------------------------------------------------------------------- */

static int open_signalfd(const int *signals, size_t count)
{
	sigset_t set;

	sigemptyset(&set);
	while (count--)
		sigaddset(&set, signals[count]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/*
 * Signals arrive through descriptors: none can interrupt a write halfway, and whoever has
 * to wait can wait for them as well.
 */
static int open_signals(struct session *s)
{
	static const int end[] = { SIGINT, SIGTERM, SIGHUP }, other[] = { SIGCHLD, SIGUSR1 };

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	s->end = open_signalfd(end, 3);
	if (s->end >= 0)
		s->signals = open_signalfd(other, 2);
	if (s->signals >= 0)
		return 0;
	return fail(s->e, EXIT_FAILED, -errno, "cannot set up signals: %s",
		    strerror(errno));
}

/* All is in the file: what comes now may end us, but not what has ended the recording. */
static void close_signals(struct session *s)
{
	struct signalfd_siginfo info;
	sigset_t none;

	if (s->end >= 0) {
		while (read(s->end, &info, sizeof(info)) == sizeof(info))
			;
		close(s->end);
	}
	if (s->signals >= 0)
		close(s->signals);
	signal(SIGUSR1, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Has a signal told us to end? */
static bool is_told(const struct session *s)
{
	struct pollfd end = { .fd = s->end, .events = POLLIN };

	return poll(&end, 1, 0) > 0;
}

bool session_ends(struct session *s)
{
	struct signalfd_siginfo info;

	while (read(s->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGUSR1)
			s->snapshot_asked = true;
		else if (child_ended(&s->child))
			return true;
	}
	return is_told(s);
}

int session_open(struct session *s, struct output **out, const char *path,
		 struct output_options *options)
{
	struct pollfd end = { .fd = s->end, .events = POLLIN };
	bool said = s->o->quiet;
	int ret;

	options->broker = s->broker;
	options->end = s->end;
	options->force = s->o->force;
	while ((ret = output_open(out, path, options, s->e)) == -EAGAIN) {
		if (!said)
			status_say("waiting for a reader of the pipe %s", path);
		said = true;
		if (poll(&end, 1, READER_MS))
			return ret;
	}
	if (!ret)
		s->e->text[0] = '\0';
	return ret;
}

int session_wait(struct session *s, uint64_t until, bool records)
{
	struct pollfd fds[] = {
		{ .fd = s->end, .events = POLLIN },
		{ .fd = s->signals, .events = POLLIN },
		{ .fd = s->source->poll_fd, .events = POLLIN },
	};
	uint64_t now = session_now(), left = until > now ? until - now : 0;
	struct timespec t = { left / NS_PER_SECOND, left % NS_PER_SECOND };

	if (ppoll(fds, records ? 3 : 2, &t, NULL) >= 0 || errno == EINTR)
		return 0;
	return fail(s->e, EXIT_FAILED, -errno, "cannot wait for records: %s",
		    strerror(errno));
}

/* --- records ----------------------------------------------------------------------- */

int session_rundown(struct session *s)
{
	const struct source_ops *ops = s->source->ops;
	int ret;

	s->e->text[0] = '\0';
	ret = ops->rundown(s->source, names_note, s->names, s->e);
	if (ret == -ENODATA)
		ret = names_ask_proc(s->names);
	return ret && !s->e->text[0] ? session_write_failed(s, ret) : ret;
}

static void add_missed(void *arg, const struct stream_stats *stats)
{
	struct missed_names *m = arg;

	m->folded += stats->folded;
	if (stats->stream == FXT_LEDGER_STREAM_NAMES)
		m->lost += stats->lost;
}

int session_catch_up(struct session *s)
{
	struct missed_names m = { 0 };
	int ret = s->source->ops->stats(s->source, add_missed, &m, s->e);

	if (ret || (m.folded == s->missed.folded && m.lost == s->missed.lost))
		return ret;
	s->missed = m;
	names_catch_up(s->names, s->source->ops->now(s->source));
	ret = session_rundown(s);
	names_catch_up(s->names, 0);
	/* The forks of those whom it found first are still to come. */
	names_found(s->names, s->source->ops->now(s->source));
	return ret;
}

static bool is_of_names(const struct chunk *c)
{
	struct fxt_ledger ledger;

	return c->bytes >= FXT_LEDGER_WORDS * FXT_WORD &&
	       fxt_sched_get_ledger(c->data, &ledger) &&
	       ledger.stream == FXT_LEDGER_STREAM_NAMES;
}

/* A flight recorder's archives have the names as they are, and not their stream. */
int session_chunk(struct session *s, const struct chunk *c)
{
	bool has_names = is_of_names(c);
	int ret = 0;

	if (has_names && s->o->config.overwrite)
		return names_note(s->names, c->data, c->bytes);
	if (has_names)
		ret = names_noted_in_archive(s->names, c->data, c->bytes);
	else if (s->counters)
		ret = counters_chunk(s->counters, c);
	if (!ret)
		ret = stitch_chunk(s->stitch, c);
	if (!ret && has_names)
		ret = instants_write(&s->instants, s->w, 0);
	if (!ret && has_names)
		ret = lives_write(&s->lives, s->w, s->source->ticks_per_second);
	s->unsafe += c->bytes;
	if (ret || s->unsafe < BOUNDARY_BYTES)
		return ret;
	return part_flush(s);
}

int session_fetch(struct session *s, bool partial, unsigned int most)
{
	struct chunk c;
	int ret;

	while (most--) {
		ret = s->source->ops->next(s->source, &c, partial, s->e);
		if (ret <= 0)
			return ret;
		ret = s->cut.is_on ? cut_chunk(&s->cut, &c) : 0;
		if (!ret && c.bytes)
			ret = session_chunk(s, &c);
		if (ret)
			return s->write_error ? ret : session_write_failed(s, ret);
	}
	return 1;
}

int session_count(struct session *s, uint64_t until)
{
	int ret = s->counters ? counters_write(s->counters, s->w, until) : 0;

	return ret ? session_write_failed(s, ret) : 0;
}

struct ending {
	struct session *s;
	bool breaks;
	int ret;
};

static void end_stream(void *arg, const struct stream_stats *stats)
{
	struct ending *end = arg;
	struct session *s = end->s;
	bool has_names = stats->stream == FXT_LEDGER_STREAM_NAMES;
	int ret = 0;

	if (end->breaks)
		ret = stitch_stream_break(s->stitch, stats, s->stopped);
	else if (!has_names || !s->o->config.overwrite)
		ret = stitch_stream_end(s->stitch, stats, s->stopped);
	if (!ret)
		ret = summary_add(&s->summary, stats);
	if (!end->ret)
		end->ret = ret;
}

int session_end_streams(struct session *s, bool breaks)
{
	struct ending end = { s, breaks, 0 };
	int ret;

	s->summary.stream_count = 0;
	ret = s->source->ops->stats(s->source, end_stream, &end, s->e);
	if (ret)
		return ret;
	return end.ret ? session_write_failed(s, end.ret) : 0;
}

/* --- from beginning to end ------------------------------------------------------------ */

/* What is needed no longer: nobody who breaks in by way of a file gets more. */
static int give_up_rights(struct session *s)
{
	unsigned int keep = PRIVILEGE_KEEP_NONE;
	int ret;

	if (s->source->ops == &source_relay)
		keep |= PRIVILEGE_KEEP_MODULE;
	if (s->o->command)
		keep |= PRIVILEGE_KEEP_KILL;
	ret = privilege_drop(keep, s->e);
	return ret ? ret : privilege_confine(s->e);
}

/* All that takes long or takes rights; nothing is traced yet. */
static int prepare(struct session *s)
{
	const struct options *o = s->o;
	int ret = 0;

	if (o->command)
		ret = child_fork(&s->child, o->command, &s->invoker, s->e);
	if (!ret)
		ret = o->config.overwrite ? part_check_place(s) : part_open(s);
	/* Of whom the source names, /proc need not be asked. */
	if (!ret && s->source->ops->names_have_gaps)
		ret = session_rundown(s);
	if (!ret && (names_prepare(s->names) || host_read(&s->host, "")))
		ret = session_write_failed(s, -ENOMEM);
	names_found(s->names, 0);
	return ret ? ret : give_up_rights(s);
}

static int start(struct session *s)
{
	const struct options *o = s->o;
	int ret;

	if (s->counters)
		counters_restart(s->counters, s->source->ops->now(s->source));
	ret = s->source->ops->start(s->source, s->e);
	if (ret)
		return ret;
	s->tracing = true;
	s->began = session_now();
	s->start = s->source->ops->now(s->source);
	ret = session_rundown(s);
	names_found(s->names, s->source->ops->now(s->source));
	if (!ret && o->verbose)
		status_say("tracing; %" PRIu64 " threads of %" PRIu64 " processes were there",
			   names_threads(s->names), names_processes(s->names));
	/* The thread that compresses comes with the first byte, and has no rights. */
	if (!ret && !o->config.overwrite)
		ret = part_head(s, false);
	if (!ret && o->command)
		ret = child_go(&s->child, o->command, s->e);
	return ret;
}

/* Of execs and renames, instants are made, unless there is no new name to be seen. */
static int take_event(void *arg, const struct names_event *e)
{
	struct session *s = arg;
	int ret = e->is_later ? lives_add(&s->lives, e) : 0;

	if (ret || e->what == FXT_STR_FORK || s->o->without & WITHOUT_INSTANTS)
		return ret;
	return instants_add(&s->instants, e);
}

/* Who waits is known only if all is recorded. */
static int open_extras(struct session *s)
{
	const struct options *o = s->o;

	names_on_event(s->names, take_event, s);
	if (o->without & WITHOUT_COUNTERS || o->config.filter)
		return 0;
	return counters_open(&s->counters, s->source->ticks_per_second);
}

static int run(struct session *s)
{
	int ret = names_open(&s->names, &s->o->names);

	if (!ret)
		ret = open_extras(s);
	if (!ret)
		ret = stitch_open(&s->stitch);
	if (ret)
		return session_write_failed(s, ret);
	ret = prepare(s);
	if (!ret)
		ret = start(s);
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
	part_drop(s);
	stitch_close(s->stitch);
	cut_free(&s->cut);
	host_free(&s->host);
	counters_close(s->counters);
	instants_free(&s->instants);
	lives_free(&s->lives);
	names_close(s->names);
	if (s->source)
		s->source->ops->close(s->source);
	close_signals(s);
	broker_stop(s->broker);
	for (i = 0; i < s->kept_count; i++)
		free(s->kept[i]);
	free(s->kept);
	free(s->summary.streams);
}

static void tell_end(struct session *s, const char *source, int ret)
{
	const struct options *o = s->o;

	if (s->names) {
		s->summary.threads = names_threads(s->names);
		s->summary.processes = names_processes(s->names);
	}
	s->summary.path = s->path;
	s->summary.error = ret ? s->e->text : NULL;
	if (s->stitch && !o->config.overwrite)
		s->summary.totals = *stitch_totals(s->stitch);
	if (!ret && !o->quiet)
		status_summary(o, source, &s->summary);
}

static int open_stats(struct session *s, struct output **stats)
{
	struct output_options options = { .stats = true };

	return s->o->stats ? session_open(s, stats, s->o->stats, &options) : 0;
}

/* Before anything is open that others should not have, and before there are paths. */
static int open_files(struct session *s, struct output **stats)
{
	int ret;

	invoker_find(&s->invoker);
	ret = open_signals(s);
	if (!ret)
		ret = broker_start(&s->broker, &s->invoker, s->end, s->e);
	return ret ? ret : open_stats(s, stats);
}

static int record(struct session *s, const struct source_ops *ops, const char *why)
{
	/* Before BPF is loaded, which takes a second. */
	int ret = part_check_place(s);

	if (!ret)
		ret = ops->open(&s->source, &s->o->config, s->e);
	if (ret)
		return ret;
	if (!s->o->quiet)
		status_say("recording with %s (%s: %s)", ops->what, ops->name, why);
	if (!s->o->quiet && s->o->filter.cgroup_is_empty)
		status_say("--cgroup %s: no thread is in it or below it: nothing is recorded until one enters",
			   s->o->filter.cgroup);
	if (s->source->limit)
		status_say("%s", s->source->limit);
	s->live = live_open(s->o);
	ret = run(s);
	tell_end(s, ops->name, ret);
	return ret;
}

int session_run(const struct options *o, struct error *e)
{
	struct session s = {
		.o = o, .e = e, .signals = -1, .end = -1,
		.child = { .go = -1, .failed = -1 },
	};
	const char *why;
	const struct source_ops *ops = choose_source(o, &why, e);
	struct output *stats = NULL;
	bool told;
	int ret;

	if (!ops) {
		status_say("%s", e->text);
		return e->code;
	}
	source_bpf_verbose(o->verbose);
	if (o->verbose)
		status_say("%u sub-buffers of %zu KiB per CPU", o->config.subbuf_count,
			   o->config.subbuf_size >> 10);
	ret = open_files(&s, &stats);
	if (!ret)
		ret = record(&s, ops, why);
	if (ret)
		status_say("%s", e->text);
	if (stats_write(stats, o, ops->name, &s.summary, e)) {
		status_say("%s", e->text);
		ret = -EIO;
	}
	told = is_told(&s);
	/* Before the wait: nothing is traced any more, and people should know. */
	close_session(&s);
	if (!ret && s.summary.missed)
		e->code = EXIT_INCOMPLETE;
	/*
	 * Told to end, we pass that on. A recording that failed or that has had
	 * its --duration is no reason to end the command.
	 */
	child_wait(&s.child, told ? SIGTERM : 0);
	if (ret || s.summary.missed)
		return e->code;
	return o->command ? child_exit_code(&s.child) : EXIT_DONE;
}
