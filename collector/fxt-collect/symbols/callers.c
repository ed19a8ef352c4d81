// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * callers.c - see callers.h.
 *
 * Threads block at few places, so nearly all rules are found in a table. Other rules are requested
 * from processes that read the files, and that usually answer at once. This thread also empties the
 * buffers, so it waits here only for a small part of its time; the caller keeps the chunk until the
 * answer has come. Meanwhile, all stacks of the chunk ask together for what they need next, and
 * those before the first one that waits are complete. A program can have any number of places, so
 * processes and users may ask for so many rules a second only.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "libfxt/clock.h"
#include "libfxt/map.h"
#include "libsym/cfi.h"
#include "libsym/elf_server.h"
#include "callers.h"
#include "source/source.h"

#define FIRST_RULES	1024
#define MOST_RULES	(1U << 16)	/* rules in the table; then all are forgotten */
#define MOST_FILES	4096U		/* likewise */
#define MOST_LINKS	32U		/* links to files; then the one opened first is closed */

#define WAIT_MS		5U		/* at once */
#define CREDIT_MS	20U		/* ns in total, in a short time */
#define SHARE		8U		/* in the long run: 1/SHARE of the time */
#define PATIENCE_MS	2000U		/* a file without an answer so long is not asked again */

/* Rules that a process or user may ask for at once, and in a second. */
#define PROCESS_BURST	4096U
#define PROCESS_RATE	256U
#define USER_BURST	16384U
#define USER_RATE	1024U
#define MOST_ACCOUNTS	4096U	/* then all are forgotten */

/* What a process or a user may ask. */
struct caller_account {
	struct map_node node;
	uint64_t process;	/* its id; @is_user: @user is meant */
	uint32_t user;
	bool is_user;
	uint64_t left;		/* rules, when it was @counted */
	uint64_t counted;
};

/* A file that rules are asked of. */
struct caller_file {
	struct map_node node;
	uint64_t number;	/* of the module */
	uint64_t process;	/* one that has mapped it, see struct elf_place */
	int link;		/* to its reader, -1 if there is none */
	bool is_inside;		/* only in the root directory of @process, see resolve_module() */
	bool is_bad;		/* it cannot be used; do not try again */
	bool has_hello;		/* it was opened: @loads is valid */
	struct elf_load loads[ELF_LOADS];
	size_t load_count;
	bool asked;		/* a question has no answer yet */
	unsigned int opened;	/* how often it was opened */
	uint64_t wanted[ELF_RULES_MOST];	/* addresses of the next question */
	size_t wanted_count;
	uint64_t since;		/* ns, when it was asked, or to be opened */
};

struct caller_rule {
	uint64_t module;	/* its number, plus 1; 0 if the slot is free */
	uint64_t vaddr;
	/* Not 0: the rule has not come; it was wanted when caller_file.opened had this value. */
	unsigned int asked_in;
	bool is_known;
	struct cfi_rule rule;
};

/* --- files -------------------------------------------------------------------------------- */

static void close_link(struct callers *c, struct caller_file *f)
{
	size_t i;

	if (f->link < 0)
		return;
	close(f->link);
	f->link = -1;
	f->asked = false;
	f->wanted_count = 0;
	for (i = 0; i < c->link_count; i++)
		if (c->links[i] == f)
			break;
	memmove(c->links + i, c->links + i + 1, (--c->link_count - i) * sizeof(*c->links));
}

static void give_up(struct callers *c, struct caller_file *f)
{
	close_link(c, f);
	f->is_bad = true;
}

static void forget_files(struct callers *c)
{
	struct caller_file *f;

	map_drain(&c->files, f) {
		close_link(c, f);
		free(f);
	}
}

static struct caller_file *file_of(struct callers *c, const struct module *m)
{
	uint64_t hash = map_hash(m->number, 0);
	struct caller_file *f;

	if (map_find(&c->files, hash, f, f->number == m->number))
		return f;
	if (c->files.count >= MOST_FILES)
		forget_files(c);
	if (!map_new(&c->files, hash, f))
		return NULL;
	f->number = m->number;
	f->link = -1;
	/* "[vdso]" and "//anon" are no files. */
	f->is_bad = m->path[0] != '/' || m->path[1] == '/' || (!m->id.bytes && !m->inode);
	return f;
}

static void open_link(struct callers *c, const struct module *m, struct caller_file *f)
{
	struct elf_place place = {
		.id = m->id, .device = m->device, .inode = m->inode,
		.process = f->is_inside ? f->process : 0,
	};

	if (m->length >= sizeof(place.path)) {
		f->is_bad = true;
		return;
	}
	strcpy(place.path, m->path);
	if (!c->links)
		c->links = calloc(MOST_LINKS, sizeof(*c->links));
	if (c->link_count == MOST_LINKS)
		close_link(c, c->links[0]);
	f->link = c->links ? elf_link_open(c->server, &place, NULL) : -1;
	if (f->link < 0)
		f->is_bad = true;
	else
		c->links[c->link_count++] = f;
	f->has_hello = false;
	f->opened++;
	f->since = clock_ns(CLOCK_MONOTONIC);
}

/* --- rules -------------------------------------------------------------------------------- */

static struct caller_rule *slot_of(const struct callers *c, uint64_t module, uint64_t vaddr)
{
	size_t at = map_hash(module, vaddr) & (c->room - 1);

	while (c->rules[at].module &&
	       (c->rules[at].module != module || c->rules[at].vaddr != vaddr))
		at = (at + 1) & (c->room - 1);
	return &c->rules[at];
}

/* Keep at least half of the slots free. */
static int make_room(struct callers *c)
{
	struct caller_rule *old = c->rules;
	size_t room = c->room, i;

	if (c->count < room / 2)
		return 0;
	if (room == MOST_RULES) {
		memset(old, 0, room * sizeof(*old));
		c->count = 0;
		return 0;
	}
	c->room = room ? 2 * room : FIRST_RULES;
	c->rules = calloc(c->room, sizeof(*c->rules));
	if (!c->rules) {
		c->rules = old;
		c->room = room;
		return -ENOMEM;
	}
	for (i = 0; i < room; i++)
		if (old[i].module)
			*slot_of(c, old[i].module, old[i].vaddr) = old[i];
	free(old);
	return 0;
}

/* --- answers ------------------------------------------------------------------------------ */

static void accept_hello(struct callers *c, struct caller_file *f)
{
	struct elf_hello hello;

	memcpy(&hello, c->packet, sizeof(hello));
	if (c->user_of && f->process && !f->is_inside && elf_is_elsewhere(hello.fault)) {
		close_link(c, f);
		f->is_inside = true;
		return;
	}
	if (hello.fault != ELF_FINE || hello.load_count > ELF_LOADS) {
		give_up(c, f);
		return;
	}
	memcpy(f->loads, hello.loads, sizeof(f->loads));
	f->load_count = hello.load_count;
	f->has_hello = true;
}

static void add_rules(struct callers *c, struct caller_file *f, size_t count)
{
	struct elf_rule answer;
	struct caller_rule *r;
	size_t i;

	f->asked = false;
	for (i = 0; i < count && !make_room(c); i++) {
		memcpy(&answer, c->packet + i * sizeof(answer), sizeof(answer));
		r = slot_of(c, f->number + 1, answer.vaddr);
		c->count += !r->module;
		*r = (struct caller_rule){
			f->number + 1, answer.vaddr, 0, answer.is_known, answer.rule,
		};
	}
}

/* Return: has an answer come within this time? */
static bool receive(struct callers *c, struct caller_file *f, int ms)
{
	long n = elf_link_receive(f->link, c->packet, ms), one = sizeof(struct elf_rule);

	if (!n)
		return false;
	if (n < 0 || (f->has_hello ? n % one : n != sizeof(struct elf_hello)))
		give_up(c, f);
	else if (f->has_hello)
		add_rules(c, f, n / one);
	else
		accept_hello(c, f);
	return true;
}

/* ns that may be waited now. This credit grows with time; waiting uses it up. */
static uint64_t credit(struct callers *c, uint64_t now)
{
	uint64_t most = CREDIT_MS * NS_PER_MS;

	c->credit += c->counted ? (now - c->counted) / SHARE : most;
	c->credit = c->credit > most ? most : c->credit;
	c->counted = now;
	return c->credit;
}

/* An answer has not come. Some files never answer. */
static void wait_later(struct callers *c, struct caller_file *f)
{
	if (f->asked && clock_ns(CLOCK_MONOTONIC) - f->since > PATIENCE_MS * NS_PER_MS)
		give_up(c, f);
	else
		c->waits = true;
}

/* Return: has an answer come? */
static bool wait_for(struct callers *c, struct caller_file *f)
{
	uint64_t begun = clock_ns(CLOCK_MONOTONIC), may = credit(c, begun), took;
	bool came;

	/* A chunk that has to wait anyway does so elsewhere. */
	if (c->waits)
		may = 0;
	if (may > WAIT_MS * NS_PER_MS)
		may = WAIT_MS * NS_PER_MS;
	came = receive(c, f, may / NS_PER_MS);
	took = clock_ns(CLOCK_MONOTONIC) - begun;
	c->credit -= took < c->credit ? took : c->credit;
	c->counted += took;
	if (came)
		return true;
	/* Some files never answer. */
	if (begun - f->since > PATIENCE_MS * NS_PER_MS)
		give_up(c, f);
	else
		c->waits = true;
	return false;
}

/* Return: is the file open, perhaps only now? */
static bool is_open(struct callers *c, const struct module *m, struct caller_file *f)
{
	if (f->link < 0 && !f->is_bad)
		open_link(c, m, f);
	while (f->link >= 0 && !f->has_hello) {
		if (!wait_for(c, f))
			break;
		if (f->link < 0 && !f->is_bad)
			open_link(c, m, f);
	}
	return !f->is_bad && f->has_hello;
}

/* The address in the file of one in a process. */
static bool vaddr_of(struct callers *c, struct caller_file *f, struct mapping *m,
		     uint64_t address, uint64_t *vaddr)
{
	struct elf_file file = { .load_count = f->load_count };

	if (m->vaddr == FXT_SCHED_NO_VADDR) {
		if (!f->has_hello && !is_open(c, m->module, f))
			return false;
		file.load_count = f->load_count;
		memcpy(file.loads, f->loads, sizeof(file.loads));
		if (!elf_vaddr(&file, m->offset, &m->vaddr))
			return false;
	}
	*vaddr = address - m->start + m->vaddr;
	return true;
}

/* Send the addresses that are wanted, unless an answer has not come yet. */
static void send_wanted(struct callers *c, struct caller_file *f)
{
	if (f->link < 0 || !f->has_hello || f->asked || !f->wanted_count)
		return;
	if (!elf_link_ask_rules(f->link, f->wanted, f->wanted_count)) {
		give_up(c, f);
		return;
	}
	f->wanted_count = 0;
	f->asked = true;
	f->since = clock_ns(CLOCK_MONOTONIC);
}

/* --- what may be asked ---------------------------------------------------------------------- */

/* @id is that of a process or a user. Return: NULL without memory */
static struct caller_account *account_of(struct callers *c, uint64_t id, bool is_user)
{
	uint64_t hash = map_hash(id, is_user);
	struct caller_account *a;

	if (map_find(&c->accounts, hash, a, a->process == id && a->is_user == is_user))
		return a;
	if (c->accounts.count >= MOST_ACCOUNTS)
		map_free_all(&c->accounts, struct caller_account);
	if (!map_new(&c->accounts, hash, a))
		return NULL;
	a->process = id;
	a->is_user = is_user;
	a->user = !is_user && c->user_of ? c->user_of(id) : 0;
	a->left = is_user ? USER_BURST : PROCESS_BURST;
	a->counted = clock_ns(CLOCK_MONOTONIC);
	return a;
}

static bool spend_from(struct caller_account *a, uint64_t burst, uint64_t rate)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), more = (now - a->counted) * rate / NS_PER_SECOND;

	if (more) {
		a->left = a->left + more < burst ? a->left + more : burst;
		a->counted = now;
	}
	if (!a->left)
		return false;
	a->left--;
	return true;
}

static bool may_ask(struct callers *c, uint64_t process)
{
	struct caller_account *a = account_of(c, process, false);
	uint32_t user = a ? a->user : 0;

	if (!a || !spend_from(a, PROCESS_BURST, PROCESS_RATE))
		return false;
	a = account_of(c, user, true);
	return a && spend_from(a, USER_BURST, USER_RATE);
}

/* --- questions ---------------------------------------------------------------------------- */

static void want(struct callers *c, struct caller_file *f, uint64_t vaddr)
{
	struct caller_rule *r = slot_of(c, f->number + 1, vaddr);

	c->count += !r->module;
	*r = (struct caller_rule){ f->number + 1, vaddr, f->opened, false, { 0 } };
	f->wanted[f->wanted_count++] = vaddr;
}

/*
 * Request a rule. Then it is in the table, or the answer has not come yet. Only a question counts
 * for @process, not the times before that the file had to be waited for.
 */
static void ask(struct callers *c, const struct module *m, struct caller_file *f, uint64_t vaddr,
		uint64_t process)
{
	if (!is_open(c, m, f))
		return;
	if (f->wanted_count == ELF_RULES_MOST) {
		c->waits = true;
		return;
	}
	if (!may_ask(c, process)) {
		c->refused++;
		return;
	}
	want(c, f, vaddr);
	/* The answer to the previous question comes first. */
	if (c->waits || (f->asked && !wait_for(c, f)) || f->link < 0)
		return;
	send_wanted(c, f);
	if (f->asked)
		wait_for(c, f);
}

/* For the rules of one stack. */
struct search {
	struct callers *c;
	uint64_t process;
	uint64_t time;		/* when it was taken: the mappings of that moment count */
};

static const struct cfi_rule *rule_at(void *arg, uint64_t address)
{
	struct search *s = arg;
	struct mapping *m = images_find(s->c->images, s->process, s->time, address);
	struct caller_file *f = m ? file_of(s->c, m->module) : NULL;
	struct caller_rule *r;
	uint64_t vaddr;

	if (f)
		f->process = s->process;
	if (!f || f->is_bad || make_room(s->c) || !vaddr_of(s->c, f, m, address, &vaddr))
		return NULL;
	r = slot_of(s->c, f->number + 1, vaddr);
	if (r->module && r->asked_in && r->asked_in == f->opened && f->link >= 0) {
		wait_later(s->c, f);
		return NULL;
	}
	if (!r->module || r->asked_in) {
		ask(s->c, m->module, f, vaddr, s->process);
		r = slot_of(s->c, f->number + 1, vaddr);
	}
	return r->module && !r->asked_in && r->is_known ? &r->rule : NULL;
}

/* --- chunks ------------------------------------------------------------------------------- */

/* Words behind the frames of a backtrace. */
static uint64_t copied(const uint64_t *rec, uint64_t words)
{
	return words - FXT_SCHED_STACK_HEAD - fxt_get(FXT_BACKTRACE_FRAMES, rec[0]);
}

static bool is_backtrace(const uint64_t *rec)
{
	return fxt_get(FXT_TYPE, rec[0]) == FXT_RECORD_PROFILER &&
	       fxt_get(FXT_PROFILER_TYPE, rec[0]) == FXT_PROFILER_BACKTRACE;
}

static bool is_malformed(const uint64_t *rec, uint64_t words, uint64_t left)
{
	if (!words || words > left)
		return true;
	return is_backtrace(rec) &&
	       (words < FXT_SCHED_STACK_HEAD ||
		fxt_get(FXT_BACKTRACE_FRAMES, rec[0]) > words - FXT_SCHED_STACK_HEAD);
}

static size_t kernel_frames(const uint64_t *frames, size_t count)
{
	size_t i = 0;

	while (i < count && fxt_sched_is_kernel(frames[i]))
		i++;
	return i;
}

/* Write the record without its copy. Return: words written, not more than the record has */
static uint64_t complete(struct callers *c, uint64_t *to, const uint64_t *rec, uint64_t words)
{
	const uint64_t *frames = rec + FXT_SCHED_STACK_HEAD;
	size_t count = fxt_get(FXT_BACKTRACE_FRAMES, rec[0]), kernel = kernel_frames(frames, count);
	uint32_t flags = fxt_get(FXT_BACKTRACE_FLAGS, rec[0]);
	struct search s = { c, rec[2], rec[1] };
	struct unwinding u = {
		.frames = frames + kernel, .count = count - kernel,
		.copy = frames + count, .words = copied(rec, words),
		.is_sample = !kernel && fxt_sched_sample_ns(flags), .rule = rule_at, .arg = &s,
	};

	memcpy(to, rec, (FXT_SCHED_STACK_HEAD + count) * FXT_WORD);
	if (u.words >= FXT_SCHED_COPY_HEAD && u.count) {
		unwind(&u);
		c->counts.stacks++;
		c->counts.completed += u.added > 0;
		c->counts.lacking += !u.is_whole;
		if (u.found > c->depth)
			u.found = c->depth;
		if (u.found > count - kernel + u.words)
			u.found = count - kernel + u.words;
		memcpy(to + FXT_SCHED_STACK_HEAD + kernel, u.result, u.found * FXT_WORD);
		count = kernel + u.found;
	}
	words = fxt_sched_put_stack((__u64 *)to, rec[1], rec[3], rec[2], count);
	to[0] |= fxt_put(FXT_BACKTRACE_FLAGS, flags);
	return words;
}

static int make_copy(struct callers *c, const struct chunk *chunk)
{
	uint64_t *more;

	if (c->size < chunk->bytes / FXT_WORD) {
		more = realloc(c->words, chunk->bytes);
		if (!more)
			return -ENOMEM;
		c->words = more;
		c->size = chunk->bytes / FXT_WORD;
	}
	return 0;
}

/* Is it the chunk of the last call, which had to wait? */
static bool is_begun(const struct callers *c, const struct chunk *chunk)
{
	return c->from && c->begun_bytes == chunk->bytes &&
	       chunk->bytes >= sizeof(c->begun) &&
	       !memcmp(c->begun, chunk->data, sizeof(c->begun));
}

/* The stack at this place is the first one that waits: begin with it the next time. */
static void stop_at(struct callers *c, const struct chunk *chunk, size_t from, size_t to)
{
	/* Each chunk has a ledger; see source.h. */
	if (chunk->bytes < sizeof(c->begun))
		return;
	memcpy(c->begun, chunk->data, sizeof(c->begun));
	c->begun_bytes = chunk->bytes;
	c->from = from;
	c->to = to;
}

/* Begin with the first stack that waited the last time. Return: also 1 if nothing was to be done */
static int complete_all(struct callers *c, const struct chunk *chunk, size_t *bytes)
{
	const uint64_t *all = chunk->data, *end = all + chunk->bytes / FXT_WORD, *rec = all, *from;
	uint64_t words, *to = NULL, *before;
	bool waited = false;
	int ret;

	if (is_begun(c, chunk)) {
		rec = all + c->from;
		to = c->words + c->to;
	}
	c->from = 0;
	for (from = rec; rec < end; rec += words) {
		words = fxt_get(FXT_SIZE, rec[0]);
		if (is_malformed(rec, words, end - rec))
			return -EPROTO;
		if (!is_backtrace(rec) || !copied(rec, words))
			continue;
		if (!to) {
			ret = make_copy(c, chunk);
			if (ret)
				return ret;
			to = c->words;
		}
		memcpy(to, from, (rec - from) * FXT_WORD);
		to += rec - from;
		if (!c->waits)
			c->counts_before = c->counts;
		before = to;
		to += complete(c, to, rec, words);
		from = rec + words;
		if (c->waits && !waited)
			stop_at(c, chunk, rec - all, before - c->words);
		waited |= c->waits;
	}
	if (!to)
		return 1;
	memcpy(to, from, (end - from) * FXT_WORD);
	to += end - from;
	*bytes = (to - c->words) * FXT_WORD;
	return 0;
}

int callers_chunk(struct callers *c, struct chunk *chunk, bool is_last)
{
	size_t bytes = 0, i;
	int ret;

	c->waits = false;
	ret = complete_all(c, chunk, &bytes);
	for (i = c->link_count; i--; )
		send_wanted(c, c->links[i]);
	if (ret)
		return ret < 0 ? ret : 0;
	if (c->waits && !is_last) {
		c->counts = c->counts_before;
		return 1;
	}
	c->from = 0;
	chunk->data = c->words;
	chunk->bytes = bytes;
	return 0;
}

bool callers_wait(struct callers *c, int ms)
{
	struct caller_file *files[MOST_LINKS];
	struct pollfd fds[MOST_LINKS];
	size_t count = 0, i;

	for (i = 0; i < c->link_count; i++) {
		if (c->links[i]->has_hello && !c->links[i]->asked)
			continue;
		files[count] = c->links[i];
		fds[count++] = (struct pollfd){ .fd = c->links[i]->link, .events = POLLIN };
	}
	if (!count)
		return true;
	if (poll(fds, count, ms) <= 0)
		return false;
	for (i = 0; i < count; i++)
		if (fds[i].revents)
			receive(c, files[i], 0);
	return true;
}

void callers_close(struct callers *c)
{
	forget_files(c);
	free(c->links);
	free(c->rules);
	free(c->words);
	map_free_all(&c->accounts, struct caller_account);
	*c = (struct callers){ .counts = c->counts, .refused = c->refused };
}
