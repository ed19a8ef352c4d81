// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt info: the contents of an archive.
 *
 * In: the records. The scheduling model takes them, because switches show what each CPU did. Of
 * most other events it needs only the time.
 * Out: struct info, printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "sched/model.h"
#include "terminal/memory.h"
#include "walk/archive.h"
#include "walk/filter.h"
#include "command/command_line.h"
#include "info.h"

struct walk {
	struct archive a;
	struct info *info;
	const struct fxt_provider *provider;	/* of the last record */
	struct info_provider *counted;		/* the same, NULL if it is not counted */
	bool is_ours;				/* the archive has marks, and names for them */
	struct fxt_content content;
};

/* The current provider changed or became known. */
static void enter_provider(struct walk *w, const struct fxt_record *rec)
{
	const struct fxt_provider *p = rec->provider;
	struct info *info = w->info;
	struct info_provider *to;
	unsigned int i;

	w->provider = p;
	w->counted = NULL;
	w->is_ours = fxt_text_is(&p->name, FXT_SCHED_PROVIDER_NAME);
	for (i = 0; i < info->provider_count; i++)
		if (info->providers[i].id == p->id)
			break;
	if (i == INFO_PROVIDERS)
		return;
	to = &info->providers[i];
	if (i == info->provider_count) {
		info->provider_count++;
		to->id = p->id;
	}
	memcpy(to->name, p->name.bytes, p->name.length);
	to->name[p->name.length] = '\0';
	to->ticks_per_second = p->ticks_per_second;
	w->counted = to;
}

static void note_time(struct info *info, uint64_t ns)
{
	if (ns < info->first)
		info->first = ns;
	if (ns > info->last)
		info->last = ns;
}

static void note_ledger(struct info *info, const struct fxt_ledger *l)
{
	struct info_stream *s = &info->streams[l->stream];

	s->seen = true;
	streams_add(&info->stream_end, l->stream);
	if (l->kind == FXT_LEDGER_OPENING) {
		s->before = l->written;
		s->lost_before = l->lost;
	}
	/* Ignore smaller counts: the ledger continues a sub-buffer of another part. */
	if (l->written >= s->before)
		s->written = l->written - s->before;
	if (l->lost >= s->lost_before)
		s->lost = l->lost - s->lost_before;
}

static void note_blob(struct walk *w, const struct fxt_record *rec)
{
	const struct fxt_content *c = &w->content;
	struct info *info = w->info;
	__u64 words[FXT_LEDGER_WORDS];
	struct fxt_ledger l;
	uint32_t i;

	if (c->name.known == FXT_STR_LEDGER && rec->size == FXT_LEDGER_WORDS) {
		for (i = 0; i < FXT_LEDGER_WORDS; i++)
			words[i] = fxt_record_word(w->a.r, rec, i);
		if (fxt_sched_get_ledger(words, &l))
			note_ledger(info, &l);
	} else if (c->name.known == FXT_STR_SESSION &&
		   c->blob.bytes <= INFO_SESSION - info->session_bytes) {
		if (c->blob.bytes)
			memcpy(info->session + info->session_bytes, c->blob.data, c->blob.bytes);
		info->session_bytes += c->blob.bytes;
	}
}

static void note_trigger(struct info *info, const struct fxt_content *c, uint64_t time)
{
	struct info_trigger *t = &info->triggers[info->trigger_count];
	unsigned int i;

	if (info->trigger_count == INFO_TRIGGERS)
		return;
	info->trigger_count++;
	t->time = time;
	for (i = 0; i < c->arg_count; i++) {
		const struct fxt_arg *arg = &c->args[i];

		if (arg->name.known == FXT_STR_THREAD && arg->type == FXT_ARG_KOID)
			t->thread = arg->u64;
		else if (arg->name.known == FXT_STR_CPU && arg->type == FXT_ARG_UINT32)
			t->cpu = arg->u64;
		t->goes_on |= arg->name.known == FXT_STR_UNKNOWN &&
			      arg->type == FXT_ARG_STRING && arg->text.known == FXT_STR_END;
		if (arg->type == FXT_ARG_UINT64 && sched_find_cause(arg->name.known, &t->cause))
			t->value = arg->u64;
	}
}

static void note_mark(struct walk *w, const struct fxt_record *rec)
{
	const struct fxt_content *c = &w->content;
	uint64_t time = fxt_ticks_to_ns(c->time, rec->provider->ticks_per_second);

	if (c->thread.thread != FXT_SCHED_KOID_LOSS ||
	    c->category.known != FXT_STR_CATEGORY)
		return;
	if (c->name.known == FXT_STR_TRIGGER)
		note_trigger(w->info, c, time);
	else if (c->name.known == FXT_STR_COMPLETE)
		w->info->complete = time;
}

/* Take the few records of which more is needed than the model takes. */
static int note_content(struct walk *w, const struct fxt_record *rec)
{
	int ret = fxt_reader_content(w->a.r, rec, &w->content);

	if (ret)
		return ret;
	switch (rec->kind) {
	case FXT_KIND_BLOB:
		note_blob(w, rec);
		break;
	case FXT_KIND_PROVIDER_EVENT:
		w->info->buffer_full += w->content.event == FXT_PROVIDER_EVENT_BUFFER_FULL;
		break;
	case FXT_KIND_INSTANT:
		if (w->is_ours)
			note_mark(w, rec);
		break;
	default:
		enter_provider(w, rec);
	}
	return sched_model_content(w->info->model, rec, &w->content);
}

static void count_records(struct walk *w, enum fxt_kind kind, uint64_t records, uint64_t bytes)
{
	struct info *info = w->info;

	info->kinds[kind].records += records;
	info->kinds[kind].bytes += bytes;
	/* The magic number belongs to no provider. */
	if (kind == FXT_KIND_MAGIC)
		return;
	if (w->counted) {
		w->counted->records += records;
		w->counted->bytes += bytes;
	} else {
		info->more_providers += records;
	}
}

static int note_record(struct walk *w, const struct fxt_record *rec)
{
	struct info *info = w->info;
	uint64_t ns;
	int ret = 0;

	if (rec->provider != w->provider && rec->kind != FXT_KIND_MAGIC)
		enter_provider(w, rec);
	count_records(w, rec->kind, 1, rec->size * FXT_WORD);
	switch (rec->kind) {
	case FXT_KIND_MAGIC:
		return 0;
	case FXT_KIND_PROVIDER_INFO:
	case FXT_KIND_PROVIDER_EVENT:
	case FXT_KIND_INITIALIZATION:
	case FXT_KIND_BLOB:
	case FXT_KIND_INSTANT:
		ret = note_content(w, rec);
		break;
	default:
		ret = sched_model_record(info->model, w->a.r, rec);
	}
	if (!ret && filter_event_time(w->a.r, rec, &ns))
		note_time(info, ns);
	return ret;
}

/* Records that the model has taken: in the order of time, of the provider of the previous one. */
static void note_run(struct walk *w, const uint64_t *first, const struct sched_taken *t)
{
	note_time(w->info, first[1]);
	note_time(w->info, t->last);
	count_records(w, FXT_KIND_CONTEXT_SWITCH, t->switches, t->switch_words * FXT_WORD);
	count_records(w, FXT_KIND_THREAD_WAKEUP, t->records - t->switches,
		      (t->words - t->switch_words) * FXT_WORD);
}

/* Likewise, for records all of whose events the model needs. */
static struct sched_taken feed_hot(struct walk *w, const struct fxt_hot_run *run)
{
	const struct sched_totals *totals = sched_model_totals(w->info->model);
	uint64_t before = totals->switches, switches;
	size_t fed = sched_model_hot(w->info->model, run);

	switches = totals->switches - before;
	return (struct sched_taken){
		.records = fed, .words = fed * FXT_HOT_WORDS,
		.switches = switches, .switch_words = switches * FXT_HOT_WORDS,
		.last = fed ? run->words[(fed - 1) * FXT_HOT_WORDS + 1] : 0,
	};
}

/* Feed the model many records at once. Returns false if the next one is none of these. */
static bool read_run(struct walk *w)
{
	struct sched_taken taken;
	struct fxt_sched_run run;
	struct fxt_hot_run hot;

	if (sched_model_accepts_runs(w->info->model)) {
		run = fxt_reader_sched_run(w->a.r, FXT_HOT_RUN);
		if (!run.count)
			return false;
		taken = sched_model_run(w->info->model, &run);
	} else {
		hot = fxt_reader_hot_run(w->a.r, FXT_HOT_RUN);
		if (!hot.count)
			return false;
		run.words = hot.words;
		run.count = hot.count;
		taken = feed_hot(w, &hot);
	}
	if (!taken.records)
		return false;
	note_run(w, run.words, &taken);
	fxt_reader_skip(w->a.r, taken.records, taken.words);
	return taken.records == run.count;
}

static int next_record(struct walk *w, struct fxt_record *rec)
{
	while (read_run(w))
		;
	return fxt_reader_next(w->a.r, rec);
}

static int walk_records(struct walk *w)
{
	struct fxt_record rec;
	int ret;

	while ((ret = next_record(w, &rec)) > 0) {
		ret = note_record(w, &rec);
		if (!archive_continues(&w->a, ret))
			return ret;
	}
	return ret;
}

/* The name of a thread may come after the mark. */
static void name_triggers(struct walk *w)
{
	unsigned int i;

	for (i = 0; i < w->info->trigger_count; i++) {
		struct info_trigger *t = &w->info->triggers[i];
		const struct sched_thread *thread = sched_model_thread(w->info->model, t->thread);

		if (thread)
			memcpy(t->name, thread->name, sizeof(t->name));
	}
}

static int info_of(struct walk *w, struct out *o, const char *path, bool json)
{
	int ret = archive_open(&w->a, path), finished;

	if (ret)
		return ret;
	w->info = new_zero(struct info);
	w->info->first = UINT64_MAX;
	w->info->complete = UINT64_MAX;
	w->provider = NULL;
	w->info->model = sched_model_open(&info_cpus_ops, w->info, 0);
	ret = walk_records(w);
	finished = sched_model_finish(w->info->model);
	ret = ret ? ret : finished;
	name_triggers(w);
	info_cpus_finish(w->info);
	sched_model_close(w->info->model);
	w->info->totals = *fxt_reader_totals(w->a.r);
	w->info->compression = fxt_reader_compression(w->a.r);
	w->info->swapped = fxt_reader_swapped(w->a.r);
	if (!ret || ret == -EBADMSG)
		(json ? info_print_json : info_print_text)(o, w->a.path, w->info);
	out_flush(o);
	free(w->info);
	return archive_close(&w->a, ret);
}

struct command {
	struct archive a;
	bool json;
};

static const struct option_row rows[] = {
	OPTION_TITLE("Output"),
	ROWS_JSON(struct command, json, JSON_LINES),
	ROW_QUIET("show no progress"),
	OPTION_HELP,
	OPTION_TITLE("Input"),
	ROWS_INPUT(struct command, a),
	{ 0 },
};

static int run_info(void *command, const struct operands *operands)
{
	const struct command *c = command;
	struct walk *w = new_zero(struct walk);
	struct out o;
	int i, ret, status = VERB_DONE;

	out_open(&o, STDOUT_FILENO);
	for (i = 0; i < operands->count; i++) {
		w->a = c->a;
		ret = info_of(w, &o, operands->paths[i], c->json);
		status = ret > status ? ret : status;
	}
	free(w);
	return archive_output(&o, NULL, status);
}

const struct verb verb_info = {
	.name = "info",
	.what = "print times, CPUs, clock, records of each kind and losses",
	.about =
		"Prints a summary of each archive: when and where it was recorded, how long, on\n"
		"which CPUs and by which clock, the records of each kind, providers, how long each CPU\n"
		"was busy, idle, offline and unknown, and losses; of a snapshot also its trigger, and\n"
		"the time from which all CPUs are covered.\n",
	.more =
		"FILE is " FXT_SCHED_ARCHIVE " by default.\n",
	.rows = rows,
	.schema = info_schema,
	.bytes = sizeof(struct command),
	.run = run_info,
	.several = true,
	.has_default_archive = true,
};
