// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * session.c - see session.h.
 *
 * What flows in: the options. What flows out: an archive. The order of things
 * matters here: tracing is on before the rundown, so that no task is born
 * between them unseen; COMMAND begins after both; after the stop, what is left
 * in the buffers is fetched, then come the names that are still missing and
 * the closing ledgers.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "../lib/fxt_reader.h"
#include "../lib/fxt_writer.h"
#include "child.h"
#include "names.h"
#include "session.h"
#include "source.h"
#include "source_bpf.h"
#include "status.h"
#include "stitch.h"

#define NS_PER_MS	1000000ULL
/* How old a record in an unfinished sub-buffer may get before it is fetched. */
#define HAND_OVER_NS	(200 * NS_PER_MS)
/* Chunks fetched before signals and the clock are looked at again. */
#define CHUNKS_AT_ONCE	64

struct session {
	const struct options *o;
	struct source *source;
	struct fxt_writer *w;
	struct names *names;
	struct stitch *stitch;
	struct child child;
	int out;
	int signals;
	int signal;		/* that ended the recording, or 0 */
	uint64_t began;		/* ns, CLOCK_BOOTTIME */
	uint64_t stopped;	/* ticks of the source's clock */
	struct summary summary;
	struct error *e;
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* A failed write, told with what it was about. */
static int write_failed(struct session *s, int err)
{
	if (err == -EPROTO)
		return fail(s->e, EXIT_FAILED, err,
			    "the source %s gave a chunk without a ledger: this is a bug, please report it",
			    s->source->ops->name);
	return fail(s->e, EXIT_FAILED, err, "cannot write to %s: %s",
		    strcmp(s->o->output, "-") ? s->o->output : "standard output",
		    strerror(-err));
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
		*why = "the module fxt_sched is not loaded";
	} else {
		*e = no_bpf;
		return NULL;
	}
	return ops;
}

static int open_output(struct session *s)
{
	if (!strcmp(s->o->output, "-")) {
		if (isatty(STDOUT_FILENO))
			return fail(s->e, EXIT_USAGE, -EINVAL,
				    "standard output is a terminal: redirect it, or give --output a file");
		s->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	} else {
		s->out = open(s->o->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			      0644);
	}
	if (s->out >= 0)
		return 0;
	return fail(s->e, EXIT_FAILED, -errno,
		    "cannot open %s for writing: %s; give --output another place",
		    s->o->output, strerror(errno));
}

/* Signals arrive through a descriptor: none can interrupt a write halfway. */
static int open_signals(struct session *s)
{
	sigset_t set;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	s->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->signals >= 0)
		return 0;
	return fail(s->e, EXIT_FAILED, -errno, "cannot set up signals: %s",
		    strerror(errno));
}

/* CLOCK_REALTIME in ns at time 0 of the archive, so that it can tell the date. */
static uint64_t epoch_ns(struct session *s)
{
	uint64_t now = s->source->ops->now(s->source);
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec -
	       fxt_ticks_to_ns(now, s->source->ticks_per_second);
}

/* What the archive says of its own making. */
static void describe(struct session *s, char *text, size_t room)
{
	static const char * const clocks[] = { "boot", "mono", "tsc" };
	static const char * const weights[] = { "weight", "prio" };
	struct utsname host;

	uname(&host);
	snprintf(text, room,
		 "collector fxt-collect %s\nsource %s\nclock %s\nweight %s\nbuffer %zu x %u\nkernel %s %s %s\nhost %s\nepoch %" PRIu64 "\n",
		 FXT_VERSION, s->source->ops->name,
		 clocks[s->o->config.clock], weights[s->o->config.weight],
		 s->o->config.subbuf_size, s->o->config.subbuf_count,
		 host.sysname, host.release, host.machine, host.nodename,
		 epoch_ns(s));
}

static int open_archive(struct session *s)
{
	char text[1024];
	int ret;

	describe(s, text, sizeof(text));
	ret = fxt_writer_open(&s->w, s->out);
	if (!ret)
		ret = names_open(&s->names, s->w);
	if (!ret)
		ret = stitch_open(&s->stitch, s->w, s->names, s->source, text);
	return ret ? write_failed(s, ret) : 0;
}

static int rundown(struct session *s)
{
	const struct source_ops *ops = s->source->ops;
	int ret;

	s->e->text[0] = '\0';
	ret = ops->rundown(s->source, names_emit, s->names, s->e);
	if (!ret && ops->names_have_gaps)
		ret = names_fill_gaps(s->names);
	if (!ret)
		ret = fxt_writer_flush(s->w);
	if (ret && !s->e->text[0])
		write_failed(s, ret);
	return ret;
}

/* Fetch chunks: 0 if there are no more, 1 if there may be, or an error. */
static int fetch(struct session *s, bool partial, unsigned int most)
{
	struct chunk c;
	int ret;

	while (most--) {
		ret = s->source->ops->next(s->source, &c, partial, s->e);
		if (ret <= 0)
			return ret;
		ret = stitch_chunk(s->stitch, &c);
		if (ret)
			return write_failed(s, ret);
	}
	return 1;
}

/* Is it time to end? Looks at signals and at the child. */
static bool signalled(struct session *s)
{
	struct signalfd_siginfo info;

	while (read(s->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGCHLD)
			s->signal = info.ssi_signo;
		else if (child_ended(&s->child))
			return true;
	}
	return s->signal;
}

static int wait_for_more(struct session *s, uint64_t until)
{
	struct pollfd fds[] = {
		{ .fd = s->source->poll_fd, .events = POLLIN },
		{ .fd = s->signals, .events = POLLIN },
	};
	uint64_t now = now_ns(), left = until > now ? until - now : 0;
	struct timespec t = { left / 1000000000, left % 1000000000 };

	if (ppoll(fds, 2, &t, NULL) >= 0 || errno == EINTR)
		return 0;
	return fail(s->e, EXIT_FAILED, -errno, "cannot wait for records: %s",
		    strerror(errno));
}

static int record(struct session *s)
{
	uint64_t end = s->o->duration ? s->began + s->o->duration : UINT64_MAX;
	uint64_t hand_over = s->began + HAND_OVER_NS, now;
	int ret;

	for (;;) {
		ret = fetch(s, false, CHUNKS_AT_ONCE);
		if (ret < 0)
			return ret;
		now = now_ns();
		if (signalled(s) || now >= end)
			return 0;
		if (now >= hand_over) {
			while ((ret = fetch(s, true, CHUNKS_AT_ONCE)) > 0)
				;
			if (!ret)
				ret = fxt_writer_flush(s->w);
			if (ret)
				return s->e->text[0] ? ret : write_failed(s, ret);
			hand_over = now_ns() + HAND_OVER_NS;
		} else if (!ret) {
			ret = wait_for_more(s, hand_over < end ? hand_over : end);
			if (ret)
				return ret;
		}
	}
}

static void end_stream(void *arg, const struct stream_stats *stats)
{
	struct session *s = arg;
	struct summary *sum = &s->summary;
	struct stream_loss *losses;

	stitch_stream_end(s->stitch, stats, s->stopped);
	if (stats->stream != FXT_LEDGER_STREAM_NAMES)
		sum->cpus++;
	if (!stats->lost)
		return;
	losses = realloc(sum->losses, (sum->loss_count + 1) * sizeof(*losses));
	if (!losses)
		return;
	sum->losses = losses;
	losses[sum->loss_count++] = (struct stream_loss){ stats->stream, stats->lost };
}

static bool names_were_lost(const struct summary *sum)
{
	size_t i;

	for (i = 0; i < sum->loss_count; i++)
		if (sum->losses[i].stream == FXT_LEDGER_STREAM_NAMES)
			return true;
	return false;
}

/* Events that no stream counts are told in the archive as well. */
static int tell_skipped(struct session *s)
{
	const struct source_ops *ops = s->source->ops;
	char text[64];
	int n;

	s->summary.skipped = ops->skipped ? ops->skipped(s->source) : 0;
	if (!s->summary.skipped)
		return 0;
	n = snprintf(text, sizeof(text), "skipped %" PRIu64 "\n", s->summary.skipped);
	return fxt_writer_blob(s->w, FXT_STR_SESSION, text, n);
}

/* After the stop: what is left in the buffers, ledgers, missing names. */
static int finish(struct session *s)
{
	const struct source_ops *ops = s->source->ops;
	int ret;

	ret = ops->stop(s->source, s->e);
	if (ret)
		return ret;
	s->stopped = ops->now(s->source);
	s->summary.duration = now_ns() - s->began;
	while ((ret = fetch(s, true, CHUNKS_AT_ONCE)) > 0)
		;
	if (!ret)
		ret = ops->stats(s->source, end_stream, s, s->e);
	if (ret)
		return ret;
	ret = tell_skipped(s);
	if (!ret && names_were_lost(&s->summary))
		ret = rundown(s);
	else if (!ret && ops->names_have_gaps)
		ret = names_fill_gaps(s->names);
	if (!ret)
		ret = names_lengthen(s->names);
	if (!ret)
		ret = fxt_writer_flush(s->w);
	if (ret && !s->e->text[0])
		write_failed(s, ret);
	return ret;
}

/* From the first record to the last, with the source open. */
static int run(struct session *s)
{
	int ret;

	if (s->o->command) {
		ret = child_fork(&s->child, s->o->command, s->e);
		if (ret)
			return ret;
	}
	ret = open_archive(s);
	if (!ret)
		ret = s->source->ops->start(s->source, s->e);
	if (ret)
		return ret;
	s->began = now_ns();
	ret = rundown(s);
	if (!ret && s->o->verbose)
		status_say("tracing; %" PRIu64 " threads of %" PRIu64 " processes were there",
			   names_threads(s->names), names_processes(s->names));
	if (!ret && s->o->command)
		ret = child_go(&s->child, s->o->command, s->e);
	if (!ret)
		ret = record(s);
	if (!ret)
		ret = finish(s);
	return ret;
}

static void close_session(struct session *s)
{
	stitch_close(s->stitch);
	names_close(s->names);
	fxt_writer_close(s->w);
	if (s->source)
		s->source->ops->close(s->source);
	if (s->out >= 0)
		close(s->out);
	if (s->signals >= 0) {
		sigset_t none;

		close(s->signals);
		/* All is in the file: what is pending may end us now. */
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
	}
	free(s->summary.losses);
}

int session_run(const struct options *o, struct error *e)
{
	struct session s = {
		.o = o, .e = e, .out = -1, .signals = -1,
		.child = { .go = -1, .failed = -1 },
	};
	const char *why;
	const struct source_ops *ops = choose_source(o, &why, e);
	int ret;

	if (!ops) {
		status_say("%s", e->text);
		return e->code;
	}
	source_bpf_verbose(o->verbose);
	if (o->verbose)
		status_say("%u sub-buffers of %zu KiB per CPU", o->config.subbuf_count,
			   o->config.subbuf_size >> 10);
	ret = open_signals(&s);
	if (!ret)
		ret = ops->open(&s.source, &o->config, e);
	if (!ret)
		ret = open_output(&s);
	if (!ret && !o->quiet)
		status_say("recording with %s (%s: %s)", ops->what, ops->name, why);
	if (!ret)
		ret = run(&s);
	if (!ret) {
		s.summary.totals = *stitch_totals(s.stitch);
		s.summary.threads = names_threads(s.names);
		s.summary.processes = names_processes(s.names);
		s.summary.bytes = fxt_writer_bytes(s.w);
		if (!o->quiet)
			status_summary(o, ops->name, &s.summary);
	}
	/* Before the wait: nothing is traced any more, and people should know. */
	close_session(&s);
	if (ret)
		status_say("%s", e->text);
	/*
	 * Told to end, we pass that on. A recording that failed or that has had
	 * its --duration is no reason to end the command.
	 */
	child_wait(&s.child, s.signal ? SIGTERM : 0);
	if (ret)
		return e->code;
	return o->command ? child_exit_code(&s.child) : EXIT_DONE;
}
