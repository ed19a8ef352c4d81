// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write.c - an archive as a trace of Perfetto, for tools that read nothing else.
 *
 * In: an archive, in two walks: names and the host first, then everything else.
 * Out: a file of packets. Records that packets cannot express are counted and reported.
 */
#include <inttypes.h>

#include <fxt/fxt_sched.h>

#include "formats/ftrace/ftrace.h"
#include "formats/json/fields.h"
#include "sched/kernel_event.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "walk/io.h"
#include "formats/formats.h"
#include "perfetto.h"

struct walk {
	struct perfetto p;
	struct ftrace *f;
	uint8_t host[FXT_MAX_STRING_FIELD];	/* packets that describe the host */
	size_t host_bytes;
};

static bool is_host(const struct fxt_content *c)
{
	return c->kind == FXT_KIND_BLOB && c->blob_type == FXT_BLOB_PERFETTO &&
	       c->name.known == FXT_STR_CATEGORY;
}

static bool is_of_json(const struct fxt_record *rec)
{
	return fxt_text_is(&rec->provider->name, JSON_PROVIDER);
}

/* --- first walk ---------------------------------------------------------------------- */

static int note_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct walk *w = arg;
	struct fxt_content *c = &w->p.content;
	uint64_t forked;
	int ret;

	if (rec->kind != FXT_KIND_KERNEL_OBJECT && rec->kind != FXT_KIND_BLOB)
		return 0;
	ret = fxt_reader_content(r, rec, c);
	if (ret)
		return ret;
	if (is_host(c) && !w->p.has_host && c->blob.bytes) {
		memcpy(w->host, c->blob.data, c->blob.bytes);
		w->host_bytes = c->blob.bytes;
		w->p.has_host = true;
	}
	if (c->kind == FXT_KIND_BLOB && c->name.known == FXT_STR_SYMBOLS)
		sched_symbols_parse(&w->p.symbols, rec->provider->id, &c->blob);
	if (c->kind == FXT_KIND_BLOB && is_of_json(rec))
		perfetto_frames(&w->p);
	if (c->kind == FXT_KIND_KERNEL_OBJECT) {
		perfetto_parent(&w->p);
		forked = fxt_ticks_to_ns(lives_fork(c), rec->provider->ticks_per_second);
		lives_learn(&w->p.lives, c, forked);
	}
	ftrace_note(w->f, c, r, rec);
	return 0;
}

/* --- second walk ----------------------------------------------------------------------- */

/* Samples take function names from symbols. */
static void copy_packets(struct walk *w)
{
	const struct fxt_content *c = &w->p.content;

	if (c->blob_type != FXT_BLOB_PERFETTO) {
		if (c->name.known == FXT_STR_SESSION)
			w->p.left_out[LEFT_SESSION]++;
		else if (c->name.known != FXT_STR_LEDGER && c->name.known != FXT_STR_SYMBOLS)
			w->p.left_out[LEFT_BLOB]++;
	} else if (!is_host(c) || c->blob.bytes != w->host_bytes ||
		   memcmp(c->blob.data, w->host, c->blob.bytes)) {
		out_bytes(w->p.packets.o, c->blob.data, c->blob.bytes);
	}
}

static void write_event(struct walk *w, const struct fxt_record *rec, uint64_t ns)
{
	const struct fxt_content *c = &w->p.content;
	struct kernel_event k;
	bool is_kernel = kernel_event_decode(&k, rec->provider, c) && !k.fault;

	/* ftrace_record() has handled the former. */
	if ((is_kernel && kernel_event_is_as(k.what, FXT_AS_PERFETTO)) ||
	    (c->kind == FXT_KIND_INSTANT && is_of_json(rec) && perfetto_sample(&w->p, ns)))
		return;
	w->p.is_wait = is_kernel && k.what == KERNEL_LOCK && kernel_event_releaser(&k, c);
	perfetto_request_of(&w->p, is_kernel ? &k : NULL);
	perfetto_event(&w->p, ns, fxt_ticks_to_ns(c->end, rec->provider->ticks_per_second));
}

/* Sleeps have packets in the archive. */
static void write_backtrace(struct walk *w, const struct fxt_record *rec, uint64_t ns)
{
	struct kernel_event k;

	if (!kernel_event_decode(&k, rec->provider, &w->p.content) || k.fault ||
	    k.what != KERNEL_SAMPLE ||
	    !perfetto_ran(&w->p, rec->provider->id, ns, k.args.sample.ns, ftrace_stream(w->f)))
		w->p.left_out[LEFT_STACK]++;
}

static void write_other(struct walk *w, const struct fxt_record *rec, uint64_t ns)
{
	const struct fxt_content *c = &w->p.content;

	switch (c->kind) {
	case FXT_KIND_INSTANT ... FXT_KIND_FLOW_END:
	case FXT_KIND_LOG:
		write_event(w, rec, ns);
		break;
	case FXT_KIND_KERNEL_OBJECT:
		if (c->object_type == FXT_OBJECT_PROCESS || c->object_type == FXT_OBJECT_THREAD)
			perfetto_name(&w->p, rec->provider->ticks_per_second);
		else
			w->p.left_out[LEFT_OBJECT]++;
		break;
	case FXT_KIND_BLOB:
		copy_packets(w);
		break;
	case FXT_KIND_BACKTRACE:
		write_backtrace(w, rec, ns);
		break;
	case FXT_KIND_PROVIDER_INFO ... FXT_KIND_THREAD:	/* metadata */
		break;
	case FXT_KIND_MODULE:
	case FXT_KIND_MMAP:
		w->p.left_out[LEFT_MAPPING]++;
		break;
	case FXT_KIND_LARGE_BLOB:
	case FXT_KIND_LARGE_BLOB_BARE:
		w->p.left_out[LEFT_BLOB]++;
		break;
	case FXT_KIND_USERSPACE_OBJECT:
		w->p.left_out[LEFT_OBJECT]++;
		break;
	default:
		w->p.left_out[LEFT_OTHER]++;
	}
}

static int write_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct walk *w = arg;
	int ret = ftrace_record(w->f, r, rec);
	uint64_t ns = 0;

	if (ret)
		return ret;
	if (fxt_kind_has_time(rec->kind))
		ns = fxt_ticks_to_ns(fxt_record_word(r, rec, 1), rec->provider->ticks_per_second);
	w->p.latest = ns > w->p.latest ? ns : w->p.latest;
	if (rec->kind >= FXT_KIND_LEGACY_SWITCH && rec->kind <= FXT_KIND_THREAD_WAKEUP)
		return 0;
	ret = fxt_reader_content(r, rec, &w->p.content);
	if (!ret)
		write_other(w, rec, ns);
	return ret;
}

static void report_left_out(const struct perfetto *p, const char *path)
{
	static const char *const names[] = {
		[LEFT_SESSION] = "text about the recording", [LEFT_BLOB] = "blobs",
		[LEFT_MAPPING] = "modules and mappings", [LEFT_STACK] = "raw stacks",
		[LEFT_OBJECT] = "objects other than threads",
		[LEFT_COUNTER] = "counter values that are not numbers",
		[LEFT_OPERATION] = "events of asynchronous operations while too many are open",
		[LEFT_CPU] = "events of CPUs from 1024 on", [LEFT_OTHER] = "other records",
	};
	char text[512] = "";
	size_t n = 0;
	int i;

	for (i = 0; i < LEFT_OUTS; i++)
		if (p->left_out[i])
			n += snprintf(text + n, sizeof(text) - n, "%s%" PRIu64 " of %s",
				      n ? ", " : "", p->left_out[i], names[i]);
	if (n)
		message("fxt: %s: these records cannot be written as Perfetto's packets and are omitted: %s\n",
			path, text);
}

static int write_packets(void *arg, struct io *io, struct out *o)
{
	struct walk *w = arg;
	int ret;

	w->p.packets = (struct packets){ .o = o, .part = perfetto_part, .arg = &w->p };
	w->p.wait_end = perfetto_wait_end;
	w->p.flows.most = PERFETTO_FLOWS;
	packets_begin(&w->p.packets);
	out_bytes(o, w->host, w->host_bytes);
	ftrace_begin(w->f, o, &w->p);
	ret = io_walk(io, o, write_record, w);
	/* Late events do no harm, because Perfetto sorts. */
	ftrace_finish(w->f);
	perfetto_sched_finish(&w->p);
	perfetto_names_finish(&w->p);
	packets_finish(&w->p.packets);
	perfetto_bundles_finish(&w->p);
	report_left_out(&w->p, io->a.path);
	return io_close(io, o, ret);
}

static void free_walk(struct walk *w)
{
	ftrace_close(w->f);
	perfetto_sched_free(&w->p);
	packets_free(&w->p.packets);
	perfetto_parts_free(&w->p);
	koids_free(&w->p.tracks);
	koids_free(&w->p.parents);
	perfetto_frames_free(&w->p.frames);
	perfetto_ran_free(&w->p.ran);
	sched_symbols_free(&w->p.symbols);
	free(w->p.has_symbol);
	lives_free(&w->p.lives);
	free(w);
}

int perfetto_write(struct io *io)
{
	static const struct ftrace_walks walks = { .note = note_record, .write = write_packets };
	struct walk *w = new_zero(struct walk);
	int ret;

	w->f = ftrace_open(&perfetto_sched, false);
	ret = ftrace_convert(io, &walks, w);
	free_walk(w);
	return ret;
}

bool perfetto_is_ours(int fd)
{
	struct result_ends e;

	return result_read_ends(fd, &e) && result_begins(&e, PACKETS_HEAD);
}
