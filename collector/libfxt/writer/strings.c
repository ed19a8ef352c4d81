// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * strings.c - see strings.h.
 *
 * The hash table consists of 16-bit indices, because entries are addressed by index anyway, and a
 * full table has only 24 bytes per entry. Measured against libfxt/map.h, finding one of 500 strings
 * took 38 ns instead of 34, but one of 20,000 took 218 ns instead of 240, and using 60,000 strings
 * in turn 315 ns instead of 400.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_unknown.h>

#include "libfxt/array.h"
#include "libfxt/hash.h"
#include "libfxt/text.h"
#include "strings.h"

/* --- strings and threads of an archive -------------------------------------------------- */

#define PROVIDERS	16	/* with tables at the same time */
#define FIRST_ROOM	64	/* entries of a table; doubled when it is full */

struct entry {
	void *key;			/* its bytes */
	uint32_t hash;
	uint16_t length;		/* of @key */
	uint16_t chain;	/* next entry of the same bucket; here and below, 0: none */
	union {
		uint64_t used;		/* when it was last used, until the table is full */
		struct {		/* in a full table */
			uint16_t newer;	/* the next more recently used one */
			uint16_t older;	/* the next less recently used one */
		};
	};
};

#define RECENT	256

struct table {
	uint16_t capacity;		/* the largest index */
	uint16_t count;			/* indices 1 to @count are in use */
	uint64_t uses;			/* until the table is full */
	uint16_t newest;		/* of a full table: most recently used */
	uint16_t oldest;		/* least recently used; the next entry replaces it */
	uint32_t room;			/* of @entries and of @buckets, a power of two */
	struct entry *entries;
	uint16_t *buckets;
	uint16_t recent[RECENT];	/* tried before the hash is computed */
	uint16_t known[FXT_STR_LAST + 1];	/* of known strings; sure until the table is full */
};

struct provider {
	uint32_t id;			/* valid if @named */
	/* a record has named it; the beginning of an archive belongs to no provider */
	bool named;
	uint64_t used;			/* now when it was last switched to */
	struct table strings;
	struct table threads;
};

struct writer_intern {
	uint64_t now;		/* counts switches between providers */
	struct provider *current;
	struct provider providers[PROVIDERS];
};

/* --- one table -------------------------------------------------------------------- */

static void table_clear(struct table *t)
{
	uint32_t i;

	for (i = 1; i <= t->count; i++)
		free(t->entries[i].key);
	free(t->entries);
	free(t->buckets);
	*t = (struct table){ .capacity = t->capacity };
}

static uint16_t *bucket_of(struct table *t, uint32_t hash)
{
	return &t->buckets[hash & (t->room - 1)];
}

static void bucket_add(struct table *t, uint16_t index)
{
	uint16_t *bucket = bucket_of(t, t->entries[index].hash);

	t->entries[index].chain = *bucket;
	*bucket = index;
}

static void bucket_remove(struct table *t, uint16_t index)
{
	uint16_t *link = bucket_of(t, t->entries[index].hash);

	while (*link != index)
		link = &t->entries[*link].chain;
	*link = t->entries[index].chain;
}

static void use_add(struct table *t, uint16_t index)
{
	struct entry *e = &t->entries[index];

	e->newer = 0;
	e->older = t->newest;
	if (t->newest)
		t->entries[t->newest].newer = index;
	else
		t->oldest = index;
	t->newest = index;
}

static void use_remove(struct table *t, uint16_t index)
{
	struct entry *e = &t->entries[index];

	if (e->newer)
		t->entries[e->newer].older = e->older;
	else
		t->newest = e->older;
	if (e->older)
		t->entries[e->older].newer = e->newer;
	else
		t->oldest = e->newer;
}

/* Make room for one more entry. Index 0 is unused but takes a place. */
static int table_grow(struct table *t)
{
	uint32_t room = t->room ? 2 * t->room : FIRST_ROOM, i;
	struct entry *entries;
	uint16_t *buckets;

	if (t->count + 1U < t->room)
		return 0;
	entries = realloc(t->entries, room * sizeof(*entries));
	if (!entries)
		return -ENOMEM;
	t->entries = entries;
	buckets = calloc(room, sizeof(*buckets));
	if (!buckets)
		return -ENOMEM;
	free(t->buckets);
	t->buckets = buckets;
	t->room = room;
	for (i = 1; i <= t->count; i++)
		bucket_add(t, i);
	return 0;
}

static int by_use(const void *a, const void *b, void *entries)
{
	const struct entry *all = entries;

	return array_order(all[*(const uint16_t *)a].used, all[*(const uint16_t *)b].used);
}

/* The table has become full: link its entries in the order of their use. */
static int table_link(struct table *t)
{
	uint16_t *order = malloc(t->count * sizeof(*order));
	uint16_t i;

	if (!order)
		return -ENOMEM;
	for (i = 0; i < t->count; i++)
		order[i] = i + 1;
	qsort_r(order, t->count, sizeof(*order), by_use, t->entries);
	for (i = 0; i < t->count; i++)
		use_add(t, order[i]);
	free(order);
	return 0;
}

static bool is_full(const struct table *t)
{
	return t->newest;
}

static void make_newest(struct table *t, uint16_t index)
{
	if (!is_full(t)) {
		t->entries[index].used = ++t->uses;
	} else if (t->newest != index) {
		use_remove(t, index);
		use_add(t, index);
	}
}

/* As memcmp(), whose call takes longer than the comparison of a short key. */
static bool is_equal(const void *a, const void *b, size_t length)
{
	const unsigned char *x = a, *y = b;
	uint64_t words[4];

	if (length < sizeof(words[0]) || length > 2 * sizeof(words[0]))
		return !memcmp(a, b, length);
	memcpy(&words[0], x, sizeof(words[0]));
	memcpy(&words[1], y, sizeof(words[0]));
	memcpy(&words[2], x + length - sizeof(words[0]), sizeof(words[0]));
	memcpy(&words[3], y + length - sizeof(words[0]), sizeof(words[0]));
	return words[0] == words[1] && words[2] == words[3];
}

static uint16_t table_find(struct table *t, const void *key, size_t length, uint32_t hash)
{
	const struct entry *e;
	uint16_t index;

	if (!t->room)
		return 0;
	for (index = *bucket_of(t, hash); index; index = e->chain) {
		e = &t->entries[index];
		if (e->hash == hash && e->length == length && !memcmp(e->key, key, length))
			return index;
	}
	return 0;
}

/* Add an entry; in a full table it replaces the oldest. Return: index or -ENOMEM. */
static int table_add(struct table *t, const void *key, size_t length, uint32_t hash)
{
	void *copy = malloc(length);
	uint16_t index;

	if (!copy)
		return -ENOMEM;
	memcpy(copy, key, length);
	if (t->count == t->capacity && !is_full(t) && table_link(t)) {
		free(copy);
		return -ENOMEM;
	}
	if (t->count == t->capacity) {
		index = t->oldest;
		bucket_remove(t, index);
		use_remove(t, index);
		free(t->entries[index].key);
	} else {
		if (table_grow(t)) {
			free(copy);
			return -ENOMEM;
		}
		index = ++t->count;
	}
	t->entries[index] = (struct entry){ .key = copy, .hash = hash, .length = length };
	bucket_add(t, index);
	if (is_full(t))
		use_add(t, index);
	else
		make_newest(t, index);
	return index;
}

/*
 * Most keys are among a few, and a hash that nobody can foresee takes longer than all else. This
 * one is of the first and the last eight bytes.
 */
static uint16_t *recent_of(struct table *t, const void *data, size_t length)
{
	const unsigned char *key = data;
	uint64_t first = 0, last = 0;

	if (length >= sizeof(first)) {
		memcpy(&first, key, sizeof(first));
		memcpy(&last, key + length - sizeof(last), sizeof(last));
	} else {
		first = length + 7 * key[0] + 31 * key[length / 2];
		last = key[length - 1];
	}
	return &t->recent[(first * 31 + last) * 0x9e3779b97f4a7c15ULL >> 32 & (RECENT - 1)];
}

static bool is_key(const struct table *t, uint16_t index, const void *key, size_t length)
{
	const struct entry *e;

	if (!index || index > t->count)
		return false;
	e = &t->entries[index];
	return e->length == length && is_equal(e->key, key, length);
}

/* Is this a known string as readers return it? Callers may have changed the bytes of others. */
static bool is_known(const struct fxt_text *text)
{
	return text->known && text->known <= FXT_STR_LAST &&
	       text->bytes == fxt_known_text(text->known).bytes;
}

static uint16_t *string_hint(struct table *t, const struct fxt_text *text)
{
	return is_known(text) ? &t->known[text->known] : recent_of(t, text->bytes, text->length);
}

/*
 * Find a key that is not empty. @hint: its index, or any other; set to it. Return: its index, 0 if
 * it is not in the table.
 */
static uint16_t table_get(struct table *t, const void *key, size_t length, uint16_t *hint)
{
	uint16_t index = *hint;

	if (is_key(t, index, key, length))
		return index;
	index = table_find(t, key, length, fxt_hash_bytes(key, length));
	if (index)
		*hint = index;
	return index;
}

static uint16_t string_get(struct table *t, const struct fxt_text *text)
{
	uint16_t *hint = string_hint(t, text);
	bool is_there = *hint && hint == &t->known[text->known] && !is_full(t);

	return is_there ? *hint : table_get(t, text->bytes, text->length, hint);
}

/* Find or add a key, and make it the newest. Return: its index or -ENOMEM. */
static int table_use(struct table *t, const void *key, size_t length, uint16_t *hint, bool *added)
{
	int index = table_get(t, key, length, hint);

	*added = !index;
	if (index) {
		make_newest(t, index);
		return index;
	}
	index = table_add(t, key, length, fxt_hash_bytes(key, length));
	if (index > 0)
		*hint = index;
	return index;
}

/* --- providers -------------------------------------------------------------------- */

int writer_intern_open(struct writer_intern **in)
{
	struct provider *p;

	*in = calloc(1, sizeof(**in));
	if (!*in)
		return -ENOMEM;
	for (p = (*in)->providers; p < (*in)->providers + PROVIDERS; p++) {
		p->strings.capacity = FXT_MAX_STRING_INDEX;
		p->threads.capacity = FXT_MAX_THREAD_INDEX;
	}
	(*in)->current = (*in)->providers;
	return 0;
}

static void provider_clear(struct provider *p)
{
	table_clear(&p->strings);
	table_clear(&p->threads);
}

void writer_intern_close(struct writer_intern *in)
{
	struct provider *p;

	if (!in)
		return;
	for (p = in->providers; p < in->providers + PROVIDERS; p++)
		provider_clear(p);
	free(in);
}

/* The provider's tables, or the least recently used ones, which it can take over. */
static struct provider *provider_find(struct writer_intern *in, uint32_t id)
{
	struct provider *p, *oldest = in->providers;

	for (p = in->providers; p < in->providers + PROVIDERS; p++) {
		if (p->id == id)
			return p;
		if (p->used < oldest->used)
			oldest = p;
	}
	return oldest;
}

void writer_intern_provider(struct writer_intern *in, uint32_t id, bool anew)
{
	struct provider *p = provider_find(in, id);

	if (anew || !p->named || p->id != id)
		provider_clear(p);
	p->id = id;
	p->named = true;
	p->used = ++in->now;
	in->current = p;
}

/* --- indices for records ---------------------------------------------------------- */

int writer_intern_string(struct fxt_writer *w, const struct fxt_text *text, uint16_t *ref)
{
	struct table *t = &w->intern->current->strings;
	bool added;
	int index = table_use(t, text->bytes, text->length, string_hint(t, text), &added);

	if (index < 0)
		return index;
	*ref = index;
	if (!added)
		return 0;
	writer_word(w, fxt_string(index, text->length));
	return writer_stream(w, text->bytes, text->length);
}

/* Like writer_intern_string(). A table holds FXT_MAX_THREAD_INDEX threads. */
static int writer_intern_thread(struct fxt_writer *w, const struct fxt_thread_id *thread,
				uint8_t *ref)
{
	const uint64_t key[] = { thread->process, thread->thread };
	struct table *t = &w->intern->current->threads;
	bool added;
	int index = table_use(t, key, sizeof(key), recent_of(t, key, sizeof(key)), &added);

	if (index < 0)
		return index;
	*ref = index;
	if (!added)
		return 0;
	writer_word(w, fxt_thread(index));
	writer_word(w, thread->process);
	return writer_word(w, thread->thread);
}

/* --- references ------------------------------------------------------------------------- */

/* A placeholder for an index that is not known yet. */
#define SOME_INDEX	1

unsigned int writer_parts(enum fxt_kind kind)
{
	switch (kind) {
	case FXT_KIND_INSTANT ... FXT_KIND_FLOW_END:
	case FXT_KIND_LARGE_BLOB:
		return WRITER_CATEGORY | WRITER_NAME | WRITER_THREAD | WRITER_ARGS;
	case FXT_KIND_LARGE_BLOB_BARE:
		return WRITER_CATEGORY | WRITER_NAME;
	case FXT_KIND_BLOB:
		return WRITER_NAME;
	case FXT_KIND_USERSPACE_OBJECT:
		return WRITER_NAME | WRITER_PROCESS | WRITER_ARGS;
	case FXT_KIND_KERNEL_OBJECT:
		return WRITER_NAME | WRITER_ARGS;
	case FXT_KIND_LEGACY_SWITCH:
		return WRITER_TWO_THREADS;
	case FXT_KIND_CONTEXT_SWITCH:
	case FXT_KIND_THREAD_WAKEUP:
		return WRITER_ARGS;
	case FXT_KIND_LOG:
	case FXT_KIND_MODULE:
	case FXT_KIND_MMAP:
	case FXT_KIND_BACKTRACE:
		return WRITER_THREAD;
	default:
		return 0;
	}
}

static void add_string(struct writer_refs *refs, const struct fxt_text *text, uint16_t *ref)
{
	refs->strings[refs->count].text = text;
	refs->strings[refs->count++].ref = ref;
}

/* Return: false if there are too many arguments. */
static bool find_strings(const struct fxt_content *c, struct writer_refs *refs)
{
	unsigned int parts = writer_parts(c->kind), count = parts & WRITER_ARGS ? c->arg_count : 0, i;

	if (parts & WRITER_CATEGORY)
		add_string(refs, &c->category, &refs->category);
	if (parts & WRITER_NAME)
		add_string(refs, &c->name, &refs->name);
	refs->heads = refs->count;
	for (i = 0; i < count && count <= FXT_MAX_ARGS; i++) {
		add_string(refs, &c->args[i].name, &refs->args[i].name);
		refs->args[i].value = 0;
		if (c->args[i].type == FXT_ARG_STRING)
			add_string(refs, &c->args[i].text, &refs->args[i].value);
	}
	return count <= FXT_MAX_ARGS;
}

/* @found: the index, 0 if there is none yet. */
static uint16_t choose_index(struct writer_refs *refs, uint16_t found)
{
	refs->are_new |= !found;
	return found ? found : SOME_INDEX;
}

static bool choose_string(const struct fxt_writer *w, struct writer_refs *refs,
			  const struct fxt_text *text, uint16_t *ref)
{
	bool is_inline = text->ref ? text->ref & FXT_STRING_REF_INLINE : text->length;

	*ref = text->ref;
	if (w->intern) {
		is_inline = text->length > WRITER_INTERN_MAX_STRING;
		*ref = !text->length ? FXT_STRING_REF_EMPTY : is_inline ? 0 :
		       choose_index(refs, string_get(&w->intern->current->strings, text));
	}
	if (!is_inline)
		return true;
	*ref = fxt_string_ref_inline(text->length);
	return text->length <= FXT_MAX_STRING_FIELD;
}

static uint8_t choose_thread(const struct fxt_writer *w, struct writer_refs *refs,
			     const struct fxt_thread_id *id)
{
	const uint64_t key[] = { id->process, id->thread };
	struct table *t;

	if (!w->intern)
		return id->ref;
	t = &w->intern->current->threads;
	return choose_index(refs, table_get(t, key, sizeof(key), recent_of(t, key, sizeof(key))));
}

int writer_choose_refs(const struct fxt_writer *w, const struct fxt_content *c,
		       struct writer_refs *refs)
{
	unsigned int parts = writer_parts(c->kind), i;

	refs->category = refs->name = 0;
	refs->thread = refs->out = refs->in = 0;
	refs->count = 0;
	refs->are_new = false;
	if (!find_strings(c, refs))
		return -EINVAL;
	for (i = 0; i < refs->count; i++)
		if (!choose_string(w, refs, refs->strings[i].text, refs->strings[i].ref))
			return -EINVAL;
	/* Only these names may be invalid UTF-8, which a string record must not contain. */
	if (w->intern && c->kind == FXT_KIND_KERNEL_OBJECT &&
	    !writer_text_is_valid(c->name.bytes, c->name.length))
		refs->name = fxt_string_ref_inline(c->name.length);
	if (parts & WRITER_THREAD)
		refs->thread = choose_thread(w, refs, &c->thread);
	/* A thread record needs a thread id, but these records have only a process. */
	if (parts & WRITER_PROCESS)
		refs->thread = w->intern ? FXT_THREAD_REF_INLINE : c->thread.ref;
	if (parts & WRITER_TWO_THREADS) {
		refs->out = choose_thread(w, refs, &c->legacy.out);
		refs->in = choose_thread(w, refs, &c->legacy.in);
	}
	return 0;
}

/* Find the indices of strings from @from on, before @to. */
static int intern_strings(struct fxt_writer *w, struct writer_refs *refs, unsigned int from,
			  unsigned int to)
{
	uint16_t *ref;
	int ret = 0;

	for (; from < to && !ret; from++) {
		ref = refs->strings[from].ref;
		if (!*ref || *ref & FXT_STRING_REF_INLINE)
			continue;
		if (refs->are_new)
			ret = writer_intern_string(w, refs->strings[from].text, ref);
		else
			make_newest(&w->intern->current->strings, *ref);
	}
	return ret;
}

static int intern_thread(struct fxt_writer *w, const struct writer_refs *refs,
			 const struct fxt_thread_id *thread, uint8_t *ref)
{
	if (refs->are_new)
		return writer_intern_thread(w, thread, ref);
	make_newest(&w->intern->current->threads, *ref);
	return 0;
}

int writer_intern_refs(struct fxt_writer *w, const struct fxt_content *c, struct writer_refs *refs)
{
	int ret = intern_strings(w, refs, 0, refs->heads);

	if (!ret && refs->thread)
		ret = intern_thread(w, refs, &c->thread, &refs->thread);
	if (!ret && refs->out)
		ret = intern_thread(w, refs, &c->legacy.out, &refs->out);
	if (!ret && refs->in)
		ret = intern_thread(w, refs, &c->legacy.in, &refs->in);
	return ret ? ret : intern_strings(w, refs, refs->heads, refs->count);
}

/* --- switches and wakeups in bulk ------------------------------------------------------- */

/* The arguments of hot records, in their order: in switches, in wakeups. */
static const uint16_t hot_names[2][2] = {
	{ FXT_STR_OUTGOING_WEIGHT, FXT_STR_INCOMING_WEIGHT }, { FXT_STR_WEIGHT, FXT_STR_WAKER },
};

/* Where the headers of these arguments are in the record. */
static const uint8_t hot_words[2][2] = { { 4, 5 }, { 3, 4 } };

/* Make both names of a kind the newest, if the archive has them. @refs: set to their indices */
static bool use_hot_names(struct fxt_writer *w, bool is_wakeup, uint16_t refs[2])
{
	struct table *t = &w->intern->current->strings;
	struct fxt_text text;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		text = fxt_known_text(hot_names[is_wakeup][i]);
		refs[i] = string_get(t, &text);
		if (!refs[i])
			return false;
	}
	for (i = 0; i < 2; i++)
		make_newest(t, refs[i]);
	return true;
}

/* Copy records until one whose names have no indices. Return: their number. */
static size_t copy_hot(struct fxt_writer *w, uint64_t *to, const uint64_t *words, size_t count)
{
	uint16_t refs[2][2];
	bool has[2] = { false, false }, is_wakeup;
	unsigned int i;
	size_t n;

	for (n = 0; n < count; n++, words += FXT_HOT_WORDS, to += FXT_HOT_WORDS) {
		is_wakeup = fxt_hot_is_wakeup(words);
		if (!has[is_wakeup] && !use_hot_names(w, is_wakeup, refs[is_wakeup]))
			break;
		has[is_wakeup] = true;
		memcpy(to, words, FXT_HOT_BYTES);
		for (i = 0; i < 2; i++) {
			uint64_t *arg = to + hot_words[is_wakeup][i];

			*arg = (*arg & ~FXT_ARG_NAME) | fxt_put(FXT_ARG_NAME, refs[is_wakeup][i]);
		}
	}
	/* As if each record had used its names in turn. */
	if (n && has[!is_wakeup])
		use_hot_names(w, fxt_hot_is_wakeup(to - FXT_HOT_WORDS), refs[0]);
	return n;
}

size_t fxt_writer_hot(struct fxt_writer *w, const uint64_t *words, size_t count)
{
	uint64_t room[FXT_HOT_RUN * FXT_HOT_WORDS];
	size_t done = 0, most, n;

	if (writer_ready(w) || w->swapped)
		return 0;
	if (!w->intern)
		return writer_words(w, words, count * FXT_HOT_WORDS) ? 0 : count;
	do {
		most = count - done < FXT_HOT_RUN ? count - done : FXT_HOT_RUN;
		n = copy_hot(w, room, words + done * FXT_HOT_WORDS, most);
		done += n;
	} while (!writer_words(w, room, n * FXT_HOT_WORDS) && n == most && done < count);
	return done;
}

/* --- values that the format allows ------------------------------------------------------ */

bool writer_text_is_valid(const char *bytes, size_t length)
{
	return fxt_utf8_valid(bytes, length) == length;
}

/*
 * A string written only as an index is not checked: another record contains it. A writer that
 * interns has checked those that it finds.
 */
static bool strings_are_valid(const struct fxt_content *c, const struct writer_refs *refs)
{
	const struct fxt_text *text;
	unsigned int i;

	for (i = 0; i < refs->count; i++) {
		text = refs->strings[i].text;
		if (text->known || (text == &c->name && c->kind == FXT_KIND_KERNEL_OBJECT) ||
		    (!refs->are_new && !(*refs->strings[i].ref & FXT_STRING_REF_INLINE)))
			continue;
		if (!writer_text_is_valid(text->bytes, text->length))
			return false;
	}
	return true;
}

/* The state of our extension requires the argument with the reason. */
static bool switch_is_valid(const struct fxt_content *c)
{
	unsigned int i;

	if (c->sw.state <= FXT_THREAD_DEAD)
		return true;
	for (i = 0; i < c->arg_count; i++)
		if (c->args[i].name.known == FXT_STR_UNKNOWN ||
		    fxt_text_is(&c->args[i].name, fxt_known_text(FXT_STR_UNKNOWN).bytes))
			return c->sw.state == FXT_SCHED_STATE_UNKNOWN;
	return false;
}

bool writer_is_valid(const struct fxt_content *c, const struct writer_refs *refs)
{
	if (!strings_are_valid(c, refs))
		return false;
	switch (c->kind) {
	case FXT_KIND_INITIALIZATION:
		return c->ticks_per_second;
	case FXT_KIND_PROVIDER_INFO:
	case FXT_KIND_STRING:
	case FXT_KIND_LOG:
	case FXT_KIND_MODULE:
		return writer_text_is_valid(c->name.bytes, c->name.length);
	case FXT_KIND_CONTEXT_SWITCH:
		return switch_is_valid(c);
	case FXT_KIND_LEGACY_SWITCH:
		return c->legacy.state <= FXT_THREAD_DEAD &&
		       c->legacy.state != FXT_THREAD_RUNNING;
	default:
		return true;
	}
}

/* --- string records --------------------------------------------------------------------- */

void writer_note_string(struct fxt_writer *w, uint16_t index)
{
	w->strings[index / 64] |= 1ULL << (index % 64);
}

void writer_note_provider(struct fxt_writer *w, bool anew)
{
	memset(w->strings, 0, sizeof(w->strings));
	w->is_section = !anew;
}

bool writer_has_string(const struct fxt_writer *w, uint16_t index)
{
	if (!index || w->is_section)
		return index <= FXT_MAX_STRING_INDEX;
	return index <= FXT_MAX_STRING_INDEX && w->strings[index / 64] >> (index % 64) & 1;
}
