// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * survey.c - finds out what a part of an archive needs.
 *
 * In: two walks over all records.
 * Out: the range in ns, the process of each thread, and then the threads and processes
 * that occur in the part.
 */
#include <errno.h>
#include <string.h>

#include "sched/session_text.h"
#include "terminal/memory.h"
#include "cut.h"

/* --- the first walk ------------------------------------------------------------ */

void cut_limits(struct cut *c)
{
	filter_begin(&c->filter, c->first);
	if (c->filter.from.set)
		c->from = c->filter.from.ns;
	if (c->filter.to.set)
		c->to = c->filter.to.ns;
}

/* Remembered for archives without other records. */
static void note_provider(struct cut *c, const struct fxt_provider *provider)
{
	struct fxt_provider *first = &c->first_provider;

	if (first->known || !provider->known)
		return;
	*first = *provider;
	memcpy(c->first_name, provider->name.bytes, provider->name.length);
	first->name.bytes = c->first_name;
}

static void survey_session(struct cut *c, const struct fxt_bytes *text)
{
	const char *at = text->data, *end = at + text->bytes;
	struct session_line l;

	while (session_next(&at, end, &l)) {
		if (session_has_key(&l, "filter") && l.length)
			c->hides_threads |= l.length < 5 || memcmp(l.value, "cpus ", 5);
		/* An import may have threads without a weight. */
		c->lacks_weights |= session_has_key(&l, "tool") ||
				    (session_has_key(&l, "weight") && l.length == 4 &&
				     !memcmp(l.value, "none", 4));
	}
}

static void survey_blob(struct cut *c, const struct fxt_record *rec,
			const struct fxt_content *content)
{
	struct fxt_ledger l;
	uint64_t ns;

	if (fxt_ledger_of(content, &l) && l.stream != FXT_LEDGER_STREAM_NAMES) {
		ns = fxt_ticks_to_ns(l.time, rec->provider->ticks_per_second);
		c->begun = ns < c->begun ? ns : c->begun;
		if (l.kind == FXT_LEDGER_CLOSING)
			c->last = ns > c->last ? ns : c->last;
	}
	c->has_ledgers |= content->name.known == FXT_STR_LEDGER;
	if (content->name.known == FXT_STR_SESSION)
		survey_session(c, &content->blob);
}

static void learn_parent(struct cut *c, const struct fxt_content *content)
{
	uint64_t process;
	unsigned int i;

	if (!fxt_object_process(content, &process) || koids_get(&c->parents, process, NULL))
		return;
	for (i = 0; i < content->arg_count; i++) {
		if (content->args[i].type != FXT_ARG_KOID ||
		    content->args[i].name.known != FXT_STR_PARENT || !content->args[i].u64)
			continue;
		koids_set(&c->parents, process, content->args[i].u64);
		return;
	}
}

static void note_time(struct cut *c, uint64_t ns, bool is_scheduling)
{
	c->first = ns < c->first ? ns : c->first;
	if (is_scheduling)
		c->last = ns > c->last ? ns : c->last;
}

int cut_learn(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct cut *c = arg;
	struct fxt_content *content = &c->f.content;
	uint64_t ns;
	int ret;

	if (filter_event_time(r, rec, &ns))
		note_time(c, ns, cut_is_scheduling(rec->kind));
	switch (rec->kind) {
	case FXT_KIND_PROVIDER_INFO:
	case FXT_KIND_INITIALIZATION:
	case FXT_KIND_KERNEL_OBJECT:
	case FXT_KIND_BLOB:
		break;
	default:
		return 0;
	}
	ret = fxt_reader_content(r, rec, content);
	if (ret)
		return ret;
	if (rec->kind == FXT_KIND_BLOB) {
		survey_blob(c, rec, content);
	} else if (rec->kind == FXT_KIND_KERNEL_OBJECT) {
		filter_learn(&c->filter, content);
		learn_parent(c, content);
	} else {
		note_provider(c, rec->provider);
	}
	return 0;
}

size_t cut_learn_hot(void *arg, const struct fxt_provider *provider, const struct fxt_hot_run *run)
{
	size_t i;

	(void)provider;
	for (i = 0; i < run->count; i++)
		note_time(arg, run->words[i * FXT_HOT_WORDS + 1], true);
	return run->count;
}

/* --- the second walk ----------------------------------------------------------- */

/* Koids may name processes as well as threads. */
static void args_occur(struct cut *c, const struct fxt_content *content)
{
	unsigned int i;

	for (i = 0; i < content->arg_count; i++) {
		if (content->args[i].type != FXT_ARG_KOID)
			continue;
		cut_occurs(c, 0, content->args[i].u64, content->time);
		if (!content->args[i].u64 || !cut_is_recent(c, 0, content->args[i].u64))
			koids_set(&c->processes, content->args[i].u64, 0);
	}
}

static void occur(struct cut *c, const struct fxt_content *content)
{
	const struct fxt_legacy_switch *legacy = &content->legacy;

	switch (content->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		cut_occurs(c, 0, content->sw.out, content->time);
		cut_occurs(c, 0, content->sw.in, content->time);
		break;
	case FXT_KIND_THREAD_WAKEUP:
		cut_occurs(c, 0, content->wakeup.thread, content->time);
		if (content->wakeup.has_waker)
			cut_occurs(c, 0, content->wakeup.waker, content->time);
		if (content->wakeup.has_interrupted)
			cut_occurs(c, 0, content->wakeup.interrupted, content->time);
		break;
	case FXT_KIND_LEGACY_SWITCH:
		cut_occurs(c, legacy->out.process, legacy->out.thread, content->time);
		cut_occurs(c, legacy->in.process, legacy->in.thread, content->time);
		break;
	case FXT_KIND_BACKTRACE:
		koids_set(&c->mapped, content->thread.process, 0);
		cut_occurs(c, content->thread.process, content->thread.thread, content->time);
		break;
	default:
		cut_occurs(c, content->thread.process, content->thread.thread, content->time);
		args_occur(c, content);
	}
}

static void note_counter(struct cut *c, const struct fxt_record *rec,
			 const struct fxt_content *content)
{
	uint64_t key;

	if (!cut_counter(rec->provider, content, &key))
		return;
	if (fxt_ticks_to_ns(content->time, rec->provider->ticks_per_second) <= c->from)
		koids_set(&c->counters, key, rec->number);
	occur(c, content);
}

/* Take a record that has a time, or is about an object of a program. */
static void survey_content(struct cut *c, const struct fxt_record *rec, bool is_timed)
{
	const struct fxt_content *content = &c->f.content;

	if (rec->kind == FXT_KIND_THREAD_WAKEUP)
		cut_before_waking(c, rec, content);
	cut_event_wakes(c, rec, content);
	if (c->has_ledgers)
		cut_edges_note(c, rec, content);
	if (streams_is_mark(content))
		return;
	cut_event_run(c, content);
	if (!cut_is_of(c, rec, content))
		return;
	note_counter(c, rec, content);
	if (is_timed && !cut_slices_note(c, rec, content) && !cut_in_time(c, rec, content->time))
		return;
	c->has_records = true;
	occur(c, content);
}

int cut_survey(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct cut *c = arg;
	bool is_timed = fxt_kind_has_time(rec->kind) || rec->kind == FXT_KIND_LARGE_BLOB;
	bool is_blob = rec->kind == FXT_KIND_BLOB;
	int ret;

	c->has_cpus |= cut_is_scheduling(rec->kind);
	ret = cut_before_note(c, r, rec);
	if (ret && ret != -EBADMSG)
		return ret;
	/* A ledger: another stream may follow. */
	if (is_blob)
		c->woken = 0;
	else if (!is_timed && rec->kind != FXT_KIND_USERSPACE_OBJECT)
		return 0;
	ret = fxt_reader_content(r, rec, &c->f.content);
	if (ret)
		return ret;
	if (is_blob)
		cut_edges_ledger(c, rec, &c->f.content);
	else
		survey_content(c, rec, is_timed);
	return 0;
}

size_t cut_survey_hot(void *arg, const struct fxt_provider *provider,
		      const struct fxt_hot_run *run)
{
	const uint64_t *w = run->words;
	struct cut *c = arg;
	struct fxt_hot hot;
	size_t n, i;

	/* A waker's stack precedes, so cut_survey() has to see the wakeup. */
	if (c->woken)
		return 0;
	n = cut_before_hot(c, run);
	for (i = 0; i < n; i++, w += FXT_HOT_WORDS) {
		hot = fxt_hot_get(w, 0, fxt_hot_is_wakeup(w));
		if (!hot.is_wakeup && c->has_ledgers)
			cut_edges_switch(c, provider, &(struct fxt_switch){
				.time = hot.time, .out = hot.thread, .in = hot.other,
				.out_weight = hot.out_weight, .in_weight = hot.weight,
				.cpu = hot.cpu, .has_out_weight = true, .has_in_weight = true,
			});
		if (hot.time < c->from || hot.time > c->to)
			continue;
		c->has_records = true;
		cut_occurs(c, 0, hot.thread, hot.time);
		cut_occurs(c, 0, hot.other, hot.time);
	}
	c->has_cpus |= n;
	return n;
}
