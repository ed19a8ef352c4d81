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

/* Does the description have a line "filter " about anything other than CPUs? */
static bool hides_threads(const struct fxt_bytes *text)
{
	static const char key[] = "filter ", cpus[] = "cpus ";
	const char *line = text->data, *end = line + text->bytes, *stop;

	for (; line < end; line = stop + 1) {
		stop = memchr(line, '\n', end - line);
		stop = stop ? stop : end;
		if ((size_t)(stop - line) > sizeof(key) + sizeof(cpus) &&
		    !memcmp(line, key, sizeof(key) - 1) &&
		    memcmp(line + sizeof(key) - 1, cpus, sizeof(cpus) - 1))
			return true;
	}
	return false;
}

/* Does the description have this line? It is not its first one. */
static bool has_line(const struct fxt_bytes *text, const char *line)
{
	return memmem(text->data, text->bytes, line, strlen(line));
}

static void take_blob(struct cut *c, const struct fxt_record *rec,
		      const struct fxt_content *content)
{
	struct fxt_ledger l;
	uint64_t ns;

	if (cut_ledger(content, &l) && l.stream != FXT_LEDGER_STREAM_NAMES) {
		ns = fxt_ticks_to_ns(l.time, rec->provider->ticks_per_second);
		c->begun = ns < c->begun ? ns : c->begun;
		if (l.kind == FXT_LEDGER_CLOSING)
			c->last = ns > c->last ? ns : c->last;
	}
	c->has_ledgers |= content->name.known == FXT_STR_LEDGER;
	if (content->name.known != FXT_STR_SESSION || !content->blob.bytes)
		return;
	c->hides_threads |= hides_threads(&content->blob);
	c->lacks_weights |= has_line(&content->blob, "\nweight none\n");
}

static int learn_parent(struct cut *c, const struct fxt_content *content)
{
	uint64_t process;
	unsigned int i;

	if (!fxt_object_process(content, &process) || koids_get(&c->parents, process, NULL))
		return 0;
	for (i = 0; i < content->arg_count; i++)
		if (content->args[i].type == FXT_ARG_KOID &&
		    content->args[i].name.known == FXT_STR_PARENT && content->args[i].u64)
			return koids_set(&c->parents, process, content->args[i].u64);
	return 0;
}

int cut_learn(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct cut *c = arg;
	struct fxt_content *content = &c->f.content;
	uint64_t ns;
	int ret;

	if (filter_event_time(r, rec, &ns)) {
		c->first = ns < c->first ? ns : c->first;
		if (cut_is_scheduling(rec->kind))
			c->last = ns > c->last ? ns : c->last;
	}
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
	if (rec->kind == FXT_KIND_BLOB)
		take_blob(c, rec, content);
	else if (rec->kind != FXT_KIND_KERNEL_OBJECT)
		note_provider(c, rec->provider);
	else if (!(ret = filter_learn(&c->filter, content)))
		ret = learn_parent(c, content);
	return ret;
}

/* --- the second walk ----------------------------------------------------------- */

/* Koids may name processes as well as threads. */
static int args_occur(struct cut *c, const struct fxt_content *content)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < content->arg_count && !ret; i++) {
		if (content->args[i].type != FXT_ARG_KOID)
			continue;
		ret = cut_occurs(c, 0, content->args[i].u64, content->time);
		if (!ret)
			ret = koids_set(&c->processes, content->args[i].u64, 0);
	}
	return ret;
}

static int occur(struct cut *c, const struct fxt_content *content)
{
	const struct fxt_legacy_switch *legacy = &content->legacy;
	int ret;

	switch (content->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
		ret = cut_occurs(c, 0, content->sw.out, content->time);
		return ret ? ret : cut_occurs(c, 0, content->sw.in, content->time);
	case FXT_KIND_THREAD_WAKEUP:
		ret = cut_occurs(c, 0, content->wakeup.thread, content->time);
		if (!ret && content->wakeup.has_waker)
			ret = cut_occurs(c, 0, content->wakeup.waker, content->time);
		if (!ret && content->wakeup.has_interrupted)
			ret = cut_occurs(c, 0, content->wakeup.interrupted, content->time);
		return ret;
	case FXT_KIND_LEGACY_SWITCH:
		ret = cut_occurs(c, legacy->out.process, legacy->out.thread, content->time);
		return ret ? ret : cut_occurs(c, legacy->in.process, legacy->in.thread, content->time);
	case FXT_KIND_BACKTRACE:
		ret = koids_set(&c->mapped, content->thread.process, 0);
		return ret ? ret : cut_occurs(c, content->thread.process, content->thread.thread,
					      content->time);
	default:
		ret = cut_occurs(c, content->thread.process, content->thread.thread, content->time);
		return ret ? ret : args_occur(c, content);
	}
}

static int note_counter(struct cut *c, const struct fxt_record *rec,
			const struct fxt_content *content, uint64_t key)
{
	uint64_t ns = fxt_ticks_to_ns(content->time, rec->provider->ticks_per_second);
	int ret = ns <= c->from ? koids_set(&c->counters, key, rec->number) : 0;

	return ret ? ret : occur(c, content);
}

int cut_survey(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct cut *c = arg;
	struct fxt_content *content = &c->f.content;
	bool is_timed = fxt_kind_has_time(rec->kind) || rec->kind == FXT_KIND_LARGE_BLOB;
	int ret, reaches;
	uint64_t key;

	c->has_cpus |= cut_is_scheduling(rec->kind);
	ret = cut_before_take(c, r, rec);
	if (ret && ret != -EBADMSG)
		return ret;
	/* A ledger: another stream may follow. */
	if (rec->kind == FXT_KIND_BLOB) {
		c->woken = 0;
		ret = fxt_reader_content(r, rec, content);
		return ret ? ret : cut_edges_ledger(c, rec, content);
	}
	if (!is_timed && rec->kind != FXT_KIND_USERSPACE_OBJECT)
		return 0;
	ret = fxt_reader_content(r, rec, content);
	if (!ret && rec->kind == FXT_KIND_THREAD_WAKEUP)
		ret = cut_before_waking(c, rec, content);
	if (!ret)
		ret = cut_event_wakes(c, rec, content);
	if (!ret && c->has_ledgers)
		ret = cut_edges_take(c, rec, content);
	if (ret || streams_is_mark(content))
		return ret;
	cut_event_run(c, content);
	if (!cut_is_of(c, rec, content))
		return 0;
	if (cut_counter(rec->provider, content, &key)) {
		ret = note_counter(c, rec, content, key);
		if (ret)
			return ret;
	}
	reaches = is_timed ? cut_slices_take(c, rec, content) : 1;
	if (reaches < 0)
		return reaches;
	if (!reaches && !cut_in_time(c, rec, content->time))
		return 0;
	c->has_records = true;
	return occur(c, content);
}
