// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - fxt blame: who waited, and who had the CPU meanwhile.
 *
 * In: an archive, options.
 * Out: pairs of a victim and a culprit, as text, JSON or CSV. Each is a thread, all threads of one
 * name, a process or a cgroup; the culprit may also be an interrupt, a cgroup's quota, an idle CPU,
 * or unknown. The times of a victim's pairs add up to its waiting time, as fxt why divides it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "command/command_line.h"
#include "command/history_answer.h"
#include "account/waits.h"
#include "write/labels.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/terminal.h"
#include "walk/io.h"
#include "why/words.h"
#include "table/schema.h"
#include "liboutput/json.h"

#define TOP	20
#define PARTY	32	/* columns */

/* Limit of pairs, besides PAIRS_TURN for each turn; others of a victim are one pair. */
#define PAIRS_LEAST	65536
#define PAIRS_TURN	2
#define PAIRS_CACHED	16384
#define PARTIES_NEAR	2048	/* their pairs are found without a search */
#define COLD_STEPS	24	/* to find one of the other pairs */

enum blame_key {
	BLAME_NAME,
	BLAME_THREAD,
	BLAME_PROCESS,
	BLAME_CGROUP,
	BLAME_KEYS
};

/* Threads that are counted together. */
struct blame_party {
	struct map_node node;
	uint32_t number;
	uint32_t thread;		/* the first of them */
	uint64_t id;			/* with @text, what they have in common */
	const char *text;		/* or NULL */
	struct blame_pair *others;	/* all culprits beyond the limit, or NULL */
};

/* A victim and a culprit, on one cache line: there may be millions, and waits add to any. */
struct blame_pair {
	uint32_t victim;	/* number of a party */
	uint32_t wait;		/* the last one that was added, see struct blame */
	/* the culprit; with WHY_THREAD @id is the number of a party; ns of all waits */
	struct { uint8_t who; uint32_t id; uint64_t ns; } by;
	uint64_t count : 63;	/* waits */
	uint64_t is_throttled : 1; /* the culprit is a cgroup's quota, not an interrupt */
	uint64_t wait_ns;	/* of @wait so far */
	uint64_t longest;	/* ns, of the (first) longest one */
	uint64_t longest_from;	/* ns, when its first part began */
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct blame_pair) == 64, "a line of the cache");

#define WHY_BY(pair)	((struct why_by){ .who = (pair)->by.who, .id = (pair)->by.id })

struct blame_entry {
	struct map_node node;
	struct blame_pair *pair;
};

struct blame {
	const struct history *h;
	struct account account;
	enum blame_key key;		/* what threads are grouped by */
	uint64_t from;			/* ns; only waits between @from and @to count */
	uint64_t to;
	struct scope scope;		/* the victims */
	bool *is_victim;		/* by thread */
	uint64_t threads;		/* number of victims */
	struct map by_key;
	struct blame_party **parties;
	size_t party_count;
	uint32_t *party_of;		/* by thread; with cgroups, its last one */
	uint64_t *moves;		/* ns, between cgroups, sorted */
	size_t move_count;
	uint32_t wait;			/* number of the last wait */
	struct tape tape;		/* of pairs */
	struct map map;
	uint32_t *near;			/* by the numbers of the first parties: 1 + that of the pair */
	size_t near_count;		/* of these parties */
	struct blame_pair **pairs;	/* those with most time first, once all waits are added */
	size_t pair_count;
	uint64_t waited;		/* ns that all victims waited */
	uint64_t others;		/* ns of pairs beyond the limit */
};

/* --- parties ----------------------------------------------------------------------------- */

static const char *cgroup_at(const struct blame *b, uint32_t thread, uint64_t time)
{
	const char *cgroup = sched_cgroup_at(b->h->threads[thread]->sched, time);

	return cgroup ? cgroup : "?";
}

/* The text that identifies a party; NULL: its number does. */
static const char *text_of(const struct blame *b, uint32_t thread)
{
	switch (b->key) {
	case BLAME_NAME:
		return history_name(b->h, thread);
	case BLAME_CGROUP:
		return cgroup_at(b, thread, UINT64_MAX);
	default:
		return NULL;
	}
}

static uint64_t number_of(const struct blame *b, uint32_t thread)
{
	const struct sched_process *owner = b->h->threads[thread]->sched->owner;

	if (b->key == BLAME_PROCESS && owner)
		return (uint64_t)owner->id + (1ULL << 32);
	return b->key == BLAME_NAME || b->key == BLAME_CGROUP ? 0 : thread;
}

static uint32_t find_party(struct blame *b, uint32_t thread, const char *text)
{
	uint64_t id = number_of(b, thread);
	uint64_t hash = map_hash(id, text ? fxt_hash_bytes(text, strlen(text)) : 0);
	struct blame_party *p;

	if (map_get(&b->by_key, hash, p, p->id == id && (!text || !strcmp(p->text, text)))) {
		p->number = b->party_count;
		p->thread = thread;
		p->id = id;
		p->text = text;
		array_more(b->parties, b->party_count);
		b->parties[b->party_count++] = p;
	}
	return p->number;
}

static void add_moves(struct blame *b, const struct sched_cgroups *c)
{
	size_t i;

	for (i = 0; c && i < c->count; i++) {
		if (!c->list[i].from)
			continue;
		array_more(b->moves, b->move_count);
		b->moves[b->move_count++] = c->list[i].from;
	}
}

static int by_number(const void *a, const void *b)
{
	return array_order(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Find when any thread moved to another cgroup: between these times all stay where they are. */
static void find_moves(struct blame *b)
{
	const struct sched_thread *t;
	uint32_t i;

	for (i = 0; i < b->h->thread_count; i++) {
		t = b->h->threads[i]->sched;
		add_moves(b, t->apart);
		if (t->owner && t->owner->leader == t)
			add_moves(b, &t->owner->cgroups);
	}
	if (b->move_count)
		qsort(b->moves, b->move_count, sizeof(*b->moves), by_number);
}

/* The party of a thread at a time, until the next move. */
static uint32_t party_at(struct blame *b, uint32_t thread, uint64_t time)
{
	if (!b->move_count)
		return b->party_of[thread];
	return find_party(b, thread, cgroup_at(b, thread, time));
}

static void find_parties(struct blame *b)
{
	uint32_t i;

	b->party_of = must(calloc(b->h->thread_count + 1, sizeof(*b->party_of)));
	b->is_victim = must(calloc(b->h->thread_count + 1, sizeof(*b->is_victim)));
	history_find_scope(b->h, &b->scope);
	for (i = 0; i < b->h->thread_count; i++) {
		b->is_victim[i] = history_is_in(b->h, &b->scope, i);
		b->threads += b->is_victim[i] && b->h->threads[i]->last;
		b->party_of[i] = find_party(b, i, text_of(b, i));
	}
	if (b->key == BLAME_CGROUP)
		find_moves(b);
	b->near_count = b->party_count < PARTIES_NEAR ? b->party_count : PARTIES_NEAR;
	b->near = must(calloc(b->near_count * b->near_count + 1, sizeof(*b->near)));
}

static const char *blame_party_name(const struct blame *b, uint32_t party)
{
	uint32_t thread = b->parties[party]->thread;
	const struct sched_process *owner = b->h->threads[thread]->sched->owner;

	if (b->key == BLAME_PROCESS && owner)
		return *owner->name ? owner->name : "?";
	return b->key == BLAME_CGROUP ? b->parties[party]->text : history_name(b->h, thread);
}

static uint64_t blame_party_id(const struct blame *b, uint32_t party)
{
	uint32_t thread = b->parties[party]->thread;
	const struct sched_process *owner = b->h->threads[thread]->sched->owner;

	if (b->key == BLAME_THREAD)
		return history_koid(b->h, thread);
	return b->key == BLAME_PROCESS && owner ? owner->koid : 0;
}

/* --- pairs ------------------------------------------------------------------------------- */

static struct blame_pair *add_pair(struct blame *b, const struct blame_pair *like)
{
	struct blame_pair *p = tape_add(&b->tape);

	*p = *like;
	return p;
}

static struct blame_pair *others_of(struct blame *b, uint32_t victim)
{
	const struct blame_pair like = { .victim = victim, .by = { .who = WHY_OTHERS } };
	struct blame_party *party = b->parties[victim];

	if (!party->others)
		party->others = add_pair(b, &like);
	return party->others;
}

/* The place for the number of the pair of two of the first parties, or NULL. */
static uint32_t *place_of(struct blame *b, const struct blame_pair *like)
{
	if (like->by.who != WHY_THREAD || like->is_throttled || like->victim >= b->near_count ||
	    like->by.id >= b->near_count)
		return NULL;
	return &b->near[like->victim * b->near_count + like->by.id];
}

/* Is the limit of pairs of threads reached? */
static bool is_full(const struct blame *b, const struct blame_pair *like)
{
	return like->by.who == WHY_THREAD &&
	       b->tape.count >= PAIRS_LEAST + PAIRS_TURN * b->h->turns.count;
}

static struct blame_pair *search(struct blame *b, const struct blame_pair *like)
{
	uint64_t hash = map_hash((uint64_t)like->victim << 32 | like->by.id,
				 like->by.who << 1 | like->is_throttled);
	struct blame_entry *e;

	map_find(&b->map, hash, e, e->pair->victim == like->victim &&
		 e->pair->by.who == like->by.who && e->pair->by.id == like->by.id &&
		 e->pair->is_throttled == like->is_throttled);
	if (e)
		return e->pair;
	if (is_full(b, like))
		return others_of(b, like->victim);
	e = new_zero(struct blame_entry);
	e->pair = add_pair(b, like);
	map_put(&b->map, &e->node, hash);
	return e->pair;
}

/* A pair beyond the limit stays there, so that the sums of all others have all waits. */
static struct blame_pair *pair_of(struct blame *b, const struct blame_pair *like)
{
	uint32_t *place = place_of(b, like);

	if (place && *place)
		return tape_at(&b->tape, *place - 1);
	if (like->by.who == WHY_OTHERS || (place && is_full(b, like)))
		return others_of(b, like->victim);
	if (!place)
		return search(b, like);
	*place = b->tape.count + 1;
	return add_pair(b, like);
}

/* Add ns of the current wait; @from: ns, when they began */
static void add_to_pair(struct blame *b, struct blame_pair *p, uint64_t ns, uint64_t from)
{
	p->by.ns += ns;
	b->others += p->by.who == WHY_OTHERS ? ns : 0;
	if (p->wait != b->wait) {
		p->wait_ns = 0;
		p->count++;
	}
	p->wait = b->wait;
	p->wait_ns += ns;
	if (p->wait_ns > p->longest) {
		p->longest = p->wait_ns;
		p->longest_from = from;
	}
}

static void add(struct blame *b, const struct account_part *part, struct why_by by)
{
	uint32_t thread = history_turn(b->h, part->turn)->thread;
	struct blame_pair like = {
		.victim = party_at(b, thread, part->from),
		.by = { .who = by.who, .id = by.id },
		.is_throttled = part->cause == WHY_THROTTLED,
	};

	if (by.who == WHY_THREAD)
		like.by.id = party_at(b, by.id, part->from);
	b->waited += by.ns;
	add_to_pair(b, pair_of(b, &like), by.ns, part->from);
	if (b->tape.count > PAIRS_CACHED)
		steps_charge(&b->account.steps, COLD_STEPS);
}

static void add_part(void *arg, const struct account_part *part, const struct why_by *by,
		     size_t count)
{
	const struct why_by unknown = { .who = WHY_NOBODY, .ns = part->to - part->from };
	struct blame *b = arg;
	const struct filter *f = b->scope.asked;
	size_t i;

	if (f->by_cpu && (part->cpu == HISTORY_NO_CPU || !filter_has_cpu(f, part->cpu)))
		return;
	if (!count)
		add(b, part, unknown);
	for (i = 0; i < count; i++)
		add(b, part, by[i]);
}

/* The number of moves before a time. */
static size_t moves_before(const struct blame *b, uint64_t time)
{
	return array_front(b->move_count, i, b->moves[i] < time);
}

/* Add a part of a wait, from one move between cgroups to the next one. */
static void add_turn(struct blame *b, uint32_t number, uint64_t from, uint64_t to)
{
	size_t i;

	if (from >= to)
		return;
	account_rewind(&b->account, to);
	for (i = moves_before(b, to); i && b->moves[i - 1] > from; i--) {
		if (!steps_spend(&b->account.steps))
			break;
		if (b->moves[i - 1] < to)
			account_turn(&b->account, number, b->moves[i - 1], to, add_part, b);
		to = b->moves[i - 1];
	}
	account_turn(&b->account, number, from, to, add_part, b);
}

/* Add the wait that ends with a turn, or its selected part. */
static void add_wait(struct blame *b, uint32_t number)
{
	const struct history_turn *t = history_turn(b->h, number);
	uint64_t to = t->has_run ? t->from : history_turn_end(b->h, t);

	if (t->begin == HISTORY_UNSEEN || !b->is_victim[t->thread] || history_was_moved(t))
		return;
	b->wait++;
	add_turn(b, number, later(t->ready, b->from), earlier(to, b->to));
	while (t->begin == HISTORY_MOVED && t->ready > b->from) {
		number = t->before;
		to = t->ready;
		t = history_turn(b->h, number);
		add_turn(b, number, later(t->ready, b->from), earlier(to, b->to));
	}
}

static int by_time(const void *a, const void *b)
{
	const struct blame_pair *x = *(struct blame_pair *const *)a;
	const struct blame_pair *y = *(struct blame_pair *const *)b;

	return array_order(y->by.ns, x->by.ns) ?: array_order(x->victim, y->victim) ?:
	       array_order(x->by.who, y->by.who) ?: array_order(x->by.id, y->by.id);
}

static void blame_find(struct blame *b, const struct history *h)
{
	uint64_t i;

	account_open(&b->account, h, h->turns.count, false);
	tape_open(&b->tape, sizeof(struct blame_pair), TAPE_MUCH);
	b->h = h;
	find_parties(b);
	for (i = 1; i <= h->turns.count; i++) {
		add_wait(b, i);
		if (tape_passed(i - 1, i))
			tape_leave(&h->turns, i - 1);
	}
	account_close(&b->account);
	b->pair_count = b->tape.count;
	b->pairs = must(calloc(b->pair_count + 1, sizeof(*b->pairs)));
	for (i = 0; i < b->pair_count; i++)
		b->pairs[i] = tape_at(&b->tape, i);
	qsort(b->pairs, b->pair_count, sizeof(*b->pairs), by_time);
}

static void blame_free(struct blame *b)
{
	map_free_all(&b->by_key, struct blame_party);
	map_free_all(&b->map, struct blame_entry);
	if (b->h)
		tape_close(&b->tape);
	free(b->parties);
	free(b->party_of);
	free(b->moves);
	free(b->near);
	free(b->is_victim);
	free(b->pairs);
}

/* --- the command line -------------------------------------------------------------------- */

struct command {
	struct archive a;
	struct filter filter;
	struct blame blame;
	uint64_t top;
	bool json;
	bool csv;
	struct out out;
};

static bool key_word(unsigned int i, struct option_word *w)
{
	static const char *const names[BLAME_KEYS] = {
		[BLAME_NAME] = "name",
		[BLAME_THREAD] = "thread",
		[BLAME_PROCESS] = "process",
		[BLAME_CGROUP] = "cgroup",
	};

	w->name = i < BLAME_KEYS ? names[i] : NULL;
	return w->name;
}

static const struct option_row rows[] = {
	OPTION_TITLE("Output"),
	OPTION(0, "by", "KEY", "group victims and culprits by {words} (default: name)",
	       .kind = OPTION_WORD, .words = key_word, OPTION_SETS_INDEX(struct command, blame.key)),
	OPTION(0, "top", "N", "print the N pairs with most time (default: 20; with --json or --csv: all)",
	       OPTION_SETS_NUMBER(struct command, top, 1, 0, TOP_WRONG)),
	ROWS_JSON(struct command, json, JSON_OBJECT),
	OPTION(0, "csv", NULL, "print a line of comma-separated values for each pair, for spreadsheets",
	       OPTION_SETS_BOOL(struct command, csv)),
	ROW_NO_PAGER,
	ROW_QUIET("show no progress"),
	OPTION_HELP,
	OPTION_TITLE("Threads (select the victims)"),
	ROWS_THREADS(struct command, filter),
	OPTION_TITLE("Filters (select what is counted)"),
	ROW_CPU(struct command, filter, "count only waits for these CPUs: 0,2-5"),
	ROWS_TIMES(struct command, filter),
	OPTION_TITLE("Input"),
	ROWS_INPUT(struct command, a),
	{ 0 },
};

/* --- output ------------------------------------------------------------------------------ */

static const char *culprit_name(const struct command *c, const struct blame_pair *p)
{
	return p->by.who == WHY_THREAD ? blame_party_name(&c->blame, p->by.id) :
					 why_by_name(c->blame.h, &WHY_BY(p));
}

static uint64_t culprit_id(const struct command *c, const struct blame_pair *p)
{
	return p->by.who == WHY_THREAD ? blame_party_id(&c->blame, p->by.id) : 0;
}

/* Returns the number of columns printed. */
static unsigned int print_party(struct command *c, const char *name, uint64_t id)
{
	struct label label = id_label(id);
	unsigned int room = id ? PARTY - 1 - strlen(label.text) : PARTY;
	unsigned int taken = out_safe_fit(&c->out, name, strlen(name), room);

	if (!id)
		return taken;
	out_printf(&c->out, "/%s", label.text);
	return taken + 1 + strlen(label.text);
}

static void print_pair(struct command *c, const struct blame_pair *p)
{
	const struct blame *b = &c->blame;
	const char *kind = why_by_kind(c->blame.h, &WHY_BY(p));
	unsigned int taken;

	out_printf(&c->out, "%8s %5.1f%% %8s %8s  ", time_label(p->by.ns).text,
		   percent_of(p->by.ns, b->waited),
		   count_label(p->count).text, time_label(p->longest).text);
	taken = print_party(c, blame_party_name(b, p->victim), blame_party_id(b, p->victim));
	out_printf(&c->out, "%*s", taken < PARTY ? (int)(PARTY + 2 - taken) : 2, "");
	if (p->by.who == WHY_ORIGIN)
		out_printf(&c->out, "%s ", p->is_throttled ? "the quota of" : kind);
	print_party(c, culprit_name(c, p), culprit_id(c, p));
	out_char(&c->out, '\n');
}

static void print_text(struct command *c)
{
	const struct blame *b = &c->blame;
	size_t top = c->top ? c->top : TOP, i;

	scope_print(&c->out, &b->scope, b->threads);
	out_printf(&c->out, "They waited for %s in total: who had the CPU meanwhile\n\n",
		   time_label(b->waited).text);
	out_printf(&c->out, "  waited of all    times  longest  %-*s  %s\n", PARTY, "victim",
		   "culprit");
	for (i = 0; i < b->pair_count && i < top; i++)
		print_pair(c, b->pairs[i]);
	if (b->pair_count > top)
		out_printf(&c->out, "%zu more pairs; --top %zu shows all\n", b->pair_count - top,
			   b->pair_count);
	if (b->others)
		out_printf(&c->out, "So many threads waited for each other that %s of their time is "
			   "summed up as (others); the other rows may have more than is shown\n",
			   time_label(b->others).text);
}

static const struct schema victim[] = {
	MEMBER("name", IS_TEXT | OR_NULL),
	MEMBER("id", IS_NUMBER | OR_ABSENT, .about = "of a thread or a process"),
	{ 0 }
};

static const struct schema culprit[] = {
	{ .is = IS_HERE, .of = victim },
	MEMBER("kind", IS_TEXT | OR_ABSENT, .about = "what it is, if not a thread"),
	{ 0 }
};

static const struct schema pair[] = {
	MEMBER("victim", IS_OBJECT, .of = victim),
	MEMBER("culprit", IS_OBJECT, .of = culprit),
	MEMBER("ns", IS_NS, .about = "that the victim waited while the culprit had the CPU"),
	MEMBER("count", IS_NUMBER, .about = "of such waits"),
	MEMBER("longest_ns", IS_NS),
	MEMBER("longest_from_ns", IS_TIME),
	{ 0 }
};

static const struct schema schema[] = {
	MEMBER("archive", IS_TEXT),
	{ .is = IS_HERE, .of = schema_command },
	MEMBER("by", IS_WORD, .words = "name|thread|process|cgroup"),
	MEMBER("waited_ns", IS_NS, .about = "of all victims"),
	MEMBER("others_ns", IS_NS, .about = "of waited_ns, of pairs that are not distinguished"),
	MEMBER("pairs", IS_LIST, .about = "those with most time first", .of = pair),
	{ 0 }
};

static void json_party(struct json *j, const char *key, const char *name, uint64_t id,
		       const char *kind)
{
	json_object(j, key);
	json_text(j, "name", name);
	if (id)
		json_number(j, "id", id);
	if (kind)
		json_text(j, "kind", kind);
	json_end(j, '}');
}

static void print_json(struct command *c)
{
	const struct blame *b = &c->blame;
	size_t top = c->top ? c->top : SIZE_MAX, i;
	struct json j = { .o = &c->out };
	struct option_word key;
	const struct blame_pair *p;

	key_word(b->key, &key);
	json_begin(&j, '{');
	json_text(&j, "archive", c->a.path);
	scope_print_json(&j, &b->scope, b->threads);
	json_text(&j, "by", key.name);
	json_number(&j, "waited_ns", b->waited);
	json_number(&j, "others_ns", b->others);
	json_array(&j, "pairs");
	for (i = 0; i < b->pair_count && i < top; i++) {
		p = b->pairs[i];
		json_object(&j, NULL);
		json_party(&j, "victim", blame_party_name(b, p->victim),
			   blame_party_id(b, p->victim), NULL);
		json_party(&j, "culprit", culprit_name(c, p), culprit_id(c, p),
			   why_by_kind(c->blame.h, &WHY_BY(p)));
		json_number(&j, "ns", p->by.ns);
		json_number(&j, "count", p->count);
		json_number(&j, "longest_ns", p->longest);
		json_number(&j, "longest_from_ns", p->longest_from);
		json_end(&j, '}');
	}
	json_end(&j, ']');
	json_end(&j, '}');
	out_char(&c->out, '\n');
}

static void csv_party(struct command *c, const char *name, uint64_t id)
{
	out_csv(&c->out, name, strlen(name), false);
	out_char(&c->out, ',');
	if (id)
		out_u64(&c->out, id);
	out_char(&c->out, ',');
}

static void print_csv(struct command *c)
{
	const struct blame *b = &c->blame;
	size_t top = c->top ? c->top : SIZE_MAX, i;
	const struct blame_pair *p;
	const char *kind;

	out_str(&c->out, "victim,victim_id,culprit,culprit_id,kind,ns,count,longest_ns,longest_from_ns\n");
	for (i = 0; i < b->pair_count && i < top; i++) {
		p = b->pairs[i];
		kind = why_by_kind(c->blame.h, &WHY_BY(p));
		csv_party(c, blame_party_name(b, p->victim), blame_party_id(b, p->victim));
		csv_party(c, culprit_name(c, p), culprit_id(c, p));
		out_printf(&c->out, "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
			   kind ? kind : "thread", p->by.ns, (uint64_t)p->count, p->longest,
			   p->longest_from);
	}
}

/* --- the command ------------------------------------------------------------------------- */

static int print(struct command *c)
{
	limits_warn(c->a.path, &c->filter, c->blame.h->first);
	if (!c->blame.threads && scope_is_asked(&c->blame.scope))
		return scope_is_empty(&c->blame.scope, c->a.path);
	if (!c->blame.pair_count) {
		message("fxt: %s: no thread waited in that time; run fxt report to list the threads\n",
			c->a.path);
		return VERB_NOTHING;
	}
	out_open(&c->out, STDOUT_FILENO);
	terminal_page();
	if (c->json)
		print_json(c);
	else if (c->csv)
		print_csv(c);
	else
		print_text(c);
	return archive_output(&c->out, NULL, VERB_DONE);
}

static int blame(void *command, struct history *h)
{
	struct command *c = command;
	int status;

	c->blame.scope.asked = &c->filter;
	c->blame.from = c->filter.from.set ? c->filter.from.ns : 0;
	c->blame.to = c->filter.to.set ? c->filter.to.ns : UINT64_MAX;
	blame_find(&c->blame, h);
	status = print(c);
	blame_free(&c->blame);
	return status;
}

static int run_blame(void *command, const struct operands *operands)
{
	struct command *c = command;

	if (c->json && c->csv)
		return archive_usage("blame", "--csv", "--json and --csv are different outputs; "
			"give only one of the two");
	return history_answer("blame", &c->a, operands->paths[0], &c->filter, blame, c);
}

const struct verb verb_blame = {
	.name = "blame",
	.what = "sum up who waited for a CPU, and who had it meanwhile",
	.about =
		"Sums up, for each pair of a victim and a culprit, how long the victim waited for a\n"
		"CPU while the culprit had it. Interrupts, quotas of cgroups and idle CPUs are culprits,\n"
		"too; time without a known culprit is reported as unknown. The rows of a victim "
		"add up\n"
		"to its waiting time.\n",
	.more =
		HELP_FILE
		HELP_EXIT,
	.rows = rows,
	.schema = schema,
	.bytes = sizeof(struct command),
	.filter_at = offsetof(struct command, filter),
	.run = run_blame,
	.has_default_archive = true,
};
