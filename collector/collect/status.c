// SPDX-License-Identifier: GPL-2.0-or-later
/* status.c - see status.h. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <fxt/fxt_sched.h>
#include <linux/fxt_sched.h>

#include "status.h"

void status_say(const char *format, ...)
{
	va_list args;

	fputs("fxt-collect: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

static const char *bytes_text(char *text, size_t room, uint64_t bytes)
{
	static const char * const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
	double n = bytes;
	size_t i = 0;

	for (; n >= 1024 && i < 4; i++)
		n /= 1024;
	snprintf(text, room, i ? "%.1f %s" : "%.0f %s", n, units[i]);
	return text;
}

/* The buffer that would have held the worst gap beside what it did hold. */
static uint64_t buffer_that_suffices(const struct options *o,
				     const struct stitch_totals *t)
{
	uint64_t need = o->buffer + t->worst_gap * FXT_SCHED_RECORD_WORDS * FXT_WORD;
	uint64_t size = 64 << 10;

	while (size < need && size < FXT_SCHED_BUFFER_SIZE_MAX)
		size *= 2;
	return size;
}

static void say_losses(const struct options *o, const struct summary *s)
{
	char where[512] = "", size[32];
	size_t used = 0, i;

	for (i = 0; i < s->loss_count && used < sizeof(where) - 32; i++) {
		const struct stream_loss *l = &s->losses[i];

		used += l->stream == FXT_LEDGER_STREAM_NAMES ?
			snprintf(where + used, sizeof(where) - used,
				 "%s%" PRIu64 " names", i ? ", " : "", l->lost) :
			snprintf(where + used, sizeof(where) - used,
				 "%s%" PRIu64 " on cpu %u", i ? ", " : "", l->lost,
				 l->stream);
	}
	status_say("LOST %" PRIu64 " records (%s%s); -b %s would have sufficed; the archive shows where",
		   s->totals.lost, where, i < s->loss_count ? ", ..." : "",
		   options_size_text(size, sizeof(size),
				     buffer_that_suffices(o, &s->totals)));
}

void status_summary(const struct options *o, const char *source,
		    const struct summary *s)
{
	char size[32];

	status_say("recorded %.3f s on %u CPU%s with %s: %" PRIu64 " switches, %" PRIu64 " wakeups",
		   s->duration / 1e9, s->cpus, s->cpus == 1 ? "" : "s", source,
		   s->totals.switches, s->totals.wakeups);
	status_say("named %" PRIu64 " threads of %" PRIu64 " processes",
		   s->threads, s->processes);
	if (s->totals.lost)
		say_losses(o, s);
	else
		status_say("lost no record");
	if (s->skipped)
		status_say("the kernel did not show %" PRIu64 " events to the source, which no count includes: some wakeups may miss",
			   s->skipped);
	bytes_text(size, sizeof(size), s->bytes);
	if (!strcmp(o->output, "-"))
		status_say("wrote %s to standard output", size);
	else
		status_say("wrote %s, %s: open it at https://ui.perfetto.dev or see fxt report %s",
			   o->output, size, o->output);
}
