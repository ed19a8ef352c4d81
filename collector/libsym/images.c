// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * images.c - see images.h.
 *
 * The life of a process is cut into eras by its forks (its own, and those of later processes with
 * its id) and execs. In an era its mappings do not overlap and are in order: a new mapping cuts
 * away the parts of others that it replaces. These parts are kept for a while, because addresses of
 * an earlier time may still come.
 *
 * A forked process gets no copies of its parent's mappings, because its exec would drop most of
 * them; its addresses are looked up in the parent. So a process that has ended is kept as long as
 * it has children without an exec.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched_stack.h>

#include "libfxt/array.h"
#include "images.h"

/* --- pieces ----------------------------------------------------------------------------- */

/* A mapping, or a part of one. */
struct piece {
	struct mapping m;	/* valid from @m.time on */
	uint64_t until;		/* time when another mapping replaces it */
	struct piece *next;
};

/* An era, from @time on. */
struct pieces {
	uint64_t time;
	enum mapping_kind kind;	/* event that began it; MAPPING_FILE: unknown */
	uint64_t parent;	/* of a fork */
	struct piece **now;	/* by address; these do not overlap */
	size_t count;
	size_t room;
	struct piece **old;	/* that were replaced last */
	size_t old_count;
	size_t old_next;	/* of @old, is forgotten next */
	uint64_t latest;	/* time of the newest piece */
};

#define MOST_ERAS	16

struct process {
	struct map_node node;
	struct images *im;	/* that has it */
	uint64_t id;
	struct pieces *eras[MOST_ERAS];	/* by time */
	size_t count;
	size_t bytes;		/* of memory, roughly */
	uint64_t lost;
	bool has_ended;
	bool is_needed;
};

static void count_bytes(struct process *p, size_t bytes)
{
	p->bytes += bytes;
	p->im->bytes += bytes;
}

static void count_lost(struct process *p, uint64_t lost)
{
	struct images *im = p->im;

	im->lost += lost;
	p->lost += lost;
	if (p->lost <= im->most_lost)
		return;
	im->most_lost = p->lost;
	im->most_lost_by = p->id;
}

static void free_unused(struct images *im, struct module *m)
{
	if (m->uses)
		return;
	map_remove(&im->modules, &m->node);
	free(m->path);
	free(m);
}

/* Drop a use of the module, and free the module after its last use. */
static void drop_module(struct images *im, struct module *m)
{
	m->uses--;
	free_unused(im, m);
}

/* Memory, including its place in the array and a share of its file's name. */
static size_t bytes_of(const struct piece *p)
{
	return sizeof(*p) + sizeof(struct module) + p->m.module->length + 64;
}

static struct piece *part_of(const struct mapping *m, uint64_t start, uint64_t end, uint64_t until)
{
	struct piece *p = malloc(sizeof(*p));

	if (!p)
		return NULL;
	*p = (struct piece){ .m = *m, .until = until };
	p->m.start = start;
	p->m.end = end;
	p->m.offset += start - m->start;
	if (p->m.vaddr != FXT_SCHED_NO_VADDR)
		p->m.vaddr += start - m->start;
	p->m.module->uses++;
	return p;
}

static void free_piece(struct images *im, struct piece *piece)
{
	drop_module(im, piece->m.module);
	free(piece);
}

/* Free a piece whose bytes were counted. */
static void forget_piece(struct process *p, struct piece *piece)
{
	count_bytes(p, -bytes_of(piece));
	free_piece(p->im, piece);
}

/* --- replaced pieces ---------------------------------------------------------------------- */

/* Keep a replaced piece. If there are too many, the oldest one is forgotten. */
static int keep_old(struct process *p, struct pieces *e, struct piece *piece)
{
	struct piece **slot;

	if (!piece)
		return -ENOMEM;
	if (!e->old)
		e->old = calloc(PIECES_OLD, sizeof(*e->old));
	if (!e->old) {
		free_piece(p->im, piece);
		return -ENOMEM;
	}
	if (e->old_count < PIECES_OLD) {
		slot = &e->old[e->old_count++];
	} else {
		slot = &e->old[e->old_next];
		e->old_next = (e->old_next + 1) % PIECES_OLD;
		forget_piece(p, *slot);
		count_lost(p, 1);
	}
	*slot = piece;
	count_bytes(p, bytes_of(piece));
	return 0;
}

static bool has(const struct piece *p, uint64_t time, uint64_t at)
{
	return at >= p->m.start && at < p->m.end && p->m.time <= time && time < p->until;
}

/* The index of the first piece that ends after @at. */
static size_t first_after(const struct pieces *e, uint64_t at)
{
	return array_front(e->count, i, e->now[i]->m.end <= at);
}

/* NULL if the piece with that address at that time is unknown. */
static struct piece *pieces_find(const struct pieces *e, uint64_t time, uint64_t at)
{
	size_t i = first_after(e, at);

	if (i < e->count && has(e->now[i], time, at))
		return e->now[i];
	for (i = 0; i < e->old_count; i++)
		if (has(e->old[i], time, at))
			return e->old[i];
	return NULL;
}

/* --- add ------------------------------------------------------------------------------------ */

struct change {
	struct process *p;
	struct pieces *e;
	const struct mapping *m;
	size_t first;		/* of the pieces that overlap the new mapping */
	size_t end;
	struct piece **list;	/* replaces them */
	size_t count;
	bool failed;		/* without memory */
};

static void put_part(struct change *c, const struct mapping *m, uint64_t start, uint64_t end)
{
	struct piece *piece = start < end ? part_of(m, start, end, UINT64_MAX) : NULL;

	if (piece)
		c->list[c->count++] = piece;
	else if (start < end)
		c->failed = true;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Take a piece that overlaps. @from: where the rest of the new mapping begins; advanced */
static void meet(struct change *c, struct piece *p, uint64_t *from)
{
	const struct mapping *m = c->m;
	uint64_t start = most(p->m.start, m->start), end = least(p->m.end, m->end);
	bool is_newer = p->m.time > m->time;
	struct piece *old;

	if (is_newer) {
		old = part_of(m, start, end, p->m.time);
		put_part(c, m, *from, start);
		put_part(c, &p->m, p->m.start, p->m.end);
		*from = end;
	} else {
		old = part_of(&p->m, start, end, m->time);
		put_part(c, &p->m, p->m.start, start);
		if (p->m.end > m->end) {
			put_part(c, m, *from, m->end);
			put_part(c, &p->m, m->end, p->m.end);
			*from = m->end;
		}
	}
	if (keep_old(c->p, c->e, old))
		c->failed = true;
}

/* Free the pieces in the range, and put the list in their place. */
static int replace_pieces(struct change *c)
{
	struct pieces *e = c->e;
	size_t gone = c->end - c->first, behind = e->count - c->end, room = e->room, i;
	struct piece **more;

	if (e->count - gone + c->count > room) {
		room = room ? 2 * room : 8;
		if (room < e->count + c->count)
			room = e->count + c->count;
		more = reallocarray(e->now, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		e->now = more;
		e->room = room;
	}
	for (i = c->first; i < c->end; i++)
		forget_piece(c->p, e->now[i]);
	memmove(e->now + c->first + c->count, e->now + c->end, behind * sizeof(*e->now));
	memcpy(e->now + c->first, c->list, c->count * sizeof(*e->now));
	for (i = 0; i < c->count; i++)
		count_bytes(c->p, bytes_of(c->list[i]));
	e->count = e->count - gone + c->count;
	return 0;
}

/* /proc and an event can report the same mapping; some programs map the same again and again. */
static bool is_known(const struct pieces *e, const struct mapping *m)
{
	size_t i = first_after(e, m->start);
	const struct mapping *p = i < e->count ? &e->now[i]->m : NULL;

	return p && p->module == m->module && p->time <= m->time && p->start <= m->start &&
	       p->end >= m->end && p->start - p->offset == m->start - m->offset;
}

/*
 * Add a mapping; @uses of its module grows by one for each piece of it. Takes time in proportion to
 * the pieces that the mapping replaces, and to move those after it. Return: 0 or -ENOMEM.
 */
static int pieces_add(struct process *p, struct pieces *e, const struct mapping *m)
{
	struct change c = { .p = p, .e = e, .m = m };
	uint64_t from = m->start;
	size_t i;

	if (m->start >= m->end || is_known(e, m))
		return 0;
	c.first = c.end = first_after(e, m->start);
	while (c.end < e->count && e->now[c.end]->m.start < m->end)
		c.end++;
	/* An overlapping piece becomes two at most, with a part of the new one between them. */
	c.list = calloc(3 * (c.end - c.first) + 1, sizeof(*c.list));
	if (!c.list)
		return -ENOMEM;
	for (i = c.first; i < c.end; i++)
		meet(&c, e->now[i], &from);
	put_part(&c, m, from, m->end);
	if (c.failed || replace_pieces(&c)) {
		c.failed = true;
		while (c.count)
			free_piece(p->im, c.list[--c.count]);
	}
	free(c.list);
	if (m->time > e->latest)
		e->latest = m->time;
	return c.failed ? -ENOMEM : 0;
}

/* --- remove ----------------------------------------------------------------------------------- */

/* Remove pieces that were mapped after @time. Return: a list of them. */
static struct piece *pieces_remove_later(struct process *p, struct pieces *e, uint64_t time)
{
	struct piece *list = NULL;
	size_t i, count = 0;

	for (i = 0; i < e->count; i++) {
		if (e->now[i]->m.time <= time) {
			e->now[count++] = e->now[i];
			continue;
		}
		count_bytes(p, -bytes_of(e->now[i]));
		e->now[i]->next = list;
		list = e->now[i];
	}
	e->count = count;
	e->latest = time;
	return list;
}

static int by_worth(const void *a, const void *b)
{
	const struct mapping *x = &(*(struct piece *const *)a)->m;
	const struct mapping *y = &(*(struct piece *const *)b)->m;

	if (!x->module->id.bytes != !y->module->id.bytes)
		return x->module->id.bytes ? 1 : -1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->start < y->start ? -1 : 1;
}

static int by_start(const void *a, const void *b)
{
	const struct mapping *x = &(*(struct piece *const *)a)->m;
	const struct mapping *y = &(*(struct piece *const *)b)->m;

	return x->start < y->start ? -1 : 1;
}

static void free_old(struct process *p, struct pieces *e)
{
	while (e->old_count)
		forget_piece(p, e->old[--e->old_count]);
	e->old_next = 0;
}

/*
 * Forget half of the pieces, and all that were replaced. Pieces without a file go first, then the
 * oldest.
 */
static void pieces_halve(struct process *p, struct pieces *e)
{
	size_t gone = e->count / 2, i;

	count_lost(p, gone + e->old_count);
	free_old(p, e);
	if (!gone)
		return;
	qsort(e->now, e->count, sizeof(*e->now), by_worth);
	for (i = 0; i < gone; i++)
		forget_piece(p, e->now[i]);
	e->count -= gone;
	memmove(e->now, e->now + gone, e->count * sizeof(*e->now));
	qsort(e->now, e->count, sizeof(*e->now), by_start);
}

static int visit_list(struct piece **list, size_t count, uint64_t process,
		      int (*visit)(void *arg, uint64_t process, struct mapping *m), void *arg)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < count && !ret; i++) {
		if (!list[i]->m.is_used)
			continue;
		list[i]->m.is_used = false;
		ret = visit(arg, process, &list[i]->m);
	}
	return ret;
}

/* See images_each_used(). */
static int pieces_each_used(struct pieces *e, uint64_t process,
			    int (*visit)(void *arg, uint64_t process, struct mapping *m), void *arg)
{
	int ret = visit_list(e->old, e->old_count, process, visit, arg);

	return ret ? ret : visit_list(e->now, e->count, process, visit, arg);
}

/* --- images ----------------------------------------------------------------------------- */

#define MOST_PARENTS	32	/* successive forks without an exec */
#define LOST_BEFORE_TRY	4096	/* because making room takes time */
#define ERA_BYTES	(sizeof(struct pieces) + 32)
#define PROCESS_BYTES	(sizeof(struct process) + 32)

/* --- modules ------------------------------------------------------------------------------- */

/* The key of a module. A build id that is found later does not belong to it. */
struct wanted {
	const char *path;
	size_t length;
	const struct elf_id *id;
	uint64_t device;
	uint64_t inode;
};

static uint64_t hash_of(const struct wanted *w)
{
	return map_hash(map_hash(w->device, w->inode),
			map_hash(fxt_hash_bytes(w->path, w->length),
				 fxt_hash_bytes(w->id->id, w->id->bytes)));
}

static bool is_wanted(const struct module *m, const struct wanted *w)
{
	if (m->length != w->length || memcmp(m->path, w->path, w->length) ||
	    m->device != w->device || m->inode != w->inode)
		return false;
	return w->inode || (m->id.bytes == w->id->bytes &&
			    !memcmp(m->id.id, w->id->id, w->id->bytes));
}

static struct module *module_of(struct images *im, const struct wanted *w)
{
	uint64_t hash = hash_of(w);
	struct module *m;
	char *path;

	if (map_find(&im->modules, hash, m, is_wanted(m, w)))
		return m;
	path = strndup(w->path, w->length);
	if (!path || !map_new(&im->modules, hash, m)) {
		free(path);
		return NULL;
	}
	m->path = path;
	m->length = w->length;
	m->id = *w->id;
	m->device = w->device;
	m->inode = w->inode;
	m->number = im->module_count++;
	return m;
}

struct module *images_module(struct images *im, const char *path, size_t length,
			     const struct elf_id *id)
{
	return module_of(im, &(struct wanted){ .path = path, .length = length, .id = id });
}

struct module *images_file(struct images *im, const char *path, size_t length, uint64_t device,
			   uint64_t inode)
{
	const struct elf_id none = { .bytes = 0 };

	return module_of(im, &(struct wanted){ path, length, &none, device, inode });
}

static bool images_same_file(const struct module *a, const struct module *b)
{
	return a == b || (a->id.bytes && a->id.bytes == b->id.bytes &&
			  !memcmp(a->id.id, b->id.id, a->id.bytes) && !strcmp(a->path, b->path));
}

/* --- processes ------------------------------------------------------------------------------- */

static struct process *find_process(const struct images *im, uint64_t id)
{
	struct process *p;

	return map_find(&im->processes, map_hash(id, 0), p, p->id == id);
}

static struct process *get_process(struct images *im, uint64_t id)
{
	struct process *p = find_process(im, id);
	struct pieces *era = p ? NULL : calloc(1, sizeof(*era));

	if (p)
		return p;
	if (!era || !map_new(&im->processes, map_hash(id, 0), p)) {
		free(era);
		return NULL;
	}
	p->im = im;
	p->eras[0] = era;
	p->id = id;
	p->count = 1;
	count_bytes(p, PROCESS_BYTES + ERA_BYTES);
	return p;
}

static void free_era(struct process *p, struct pieces *e)
{
	size_t i;

	count_bytes(p, -ERA_BYTES);
	free_old(p, e);
	for (i = 0; i < e->count; i++)
		forget_piece(p, e->now[i]);
	free(e->now);
	free(e->old);
	free(e);
}

/* Free a process that is no longer in the table. */
static void free_process(struct process *p)
{
	while (p->count)
		free_era(p, p->eras[--p->count]);
	p->im->bytes -= PROCESS_BYTES;
	free(p);
}

bool images_began(const struct images *im, uint64_t process)
{
	const struct process *p = find_process(im, process);
	size_t i;

	for (i = 0; p && i < p->count; i++)
		if (p->eras[i]->kind != MAPPING_FILE)
			return true;
	return false;
}

void images_exit(struct images *im, uint64_t process)
{
	struct process *p = find_process(im, process);

	if (p)
		p->has_ended = true;
}

/* --- room ------------------------------------------------------------------------------------- */

/* Mark a process that has not ended as needed, and the parents whose mappings it has. */
static void need(const struct images *im, struct process *p)
{
	unsigned int parents = 0;
	const struct pieces *last;

	while (p && !p->is_needed && parents++ < MOST_PARENTS) {
		p->is_needed = true;
		last = p->eras[p->count - 1];
		p = last->kind == MAPPING_FORK ? find_process(im, last->parent) : NULL;
	}
}

static void forget_ended(struct images *im)
{
	struct map_node *n, *next;
	struct process *p;

	map_each(&im->processes, p)
		if (!p->has_ended)
			need(im, p);
	for (n = im->processes.oldest; n; n = next) {
		next = n->newer;
		p = map_entry(n, struct process, node);
		if (!p->is_needed) {
			map_remove(&im->processes, n);
			free_process(p);
		}
	}
	map_each(&im->processes, p)
		p->is_needed = false;
}

/* Forget half of the mappings of a process that has too many. */
static void halve(struct process *p)
{
	size_t i;

	for (i = 0; i < p->count; i++)
		pieces_halve(p, p->eras[i]);
}

/* Make room. The processes with the most memory lose mappings first. */
static void make_room(struct images *im)
{
	struct process *p;

	forget_ended(im);
	while (im->bytes > IMAGES_BYTES - IMAGES_BYTES / 8 && im->each > IMAGES_LEAST) {
		im->each /= 2;
		map_each(&im->processes, p)
			if (p->bytes > im->each)
				halve(p);
	}
}

/* Return: false if the mapping has no room, which is counted. */
static bool has_room(struct process *p)
{
	if (p->im->bytes >= IMAGES_BYTES) {
		count_lost(p, 1);
		return false;
	}
	if (p->bytes >= p->im->each)
		halve(p);
	return true;
}

/* --- eras ----------------------------------------------------------------------------- */

/* The index of the first era after @time. */
static size_t after(const struct process *p, uint64_t time)
{
	size_t i = p->count;

	while (i && p->eras[i - 1]->time > time)
		i--;
	return i;
}

static int add_piece(struct process *p, const struct mapping *m)
{
	size_t i = after(p, m->time);

	if (i)
		return pieces_add(p, p->eras[i - 1], m);
	/* The mapping is older than everything known of the process. */
	count_lost(p, 1);
	return 0;
}

/*
 * Events of several CPUs do not come in order, so later mappings may exist. They move to the new
 * era.
 */
static int move_later(struct process *p, struct pieces *from, uint64_t time)
{
	struct piece *later = pieces_remove_later(p, from, time), *next;
	int ret = 0;

	for (; later; later = next) {
		next = later->next;
		ret = ret ? ret : add_piece(p, &later->m);
		free_piece(p->im, later);
	}
	return ret;
}

static int add_era(struct process *p, const struct mapping *m)
{
	struct pieces *e = calloc(1, sizeof(*e)), *last;
	size_t i;

	if (!e)
		return -ENOMEM;
	e->time = m->time;
	e->kind = m->kind;
	e->parent = m->kind == MAPPING_FORK ? m->parent : 0;
	if (p->count == MOST_ERAS) {
		count_lost(p, p->eras[0]->count);
		free_era(p, p->eras[0]);
		memmove(p->eras, p->eras + 1, --p->count * sizeof(p->eras[0]));
	}
	i = after(p, m->time);
	memmove(p->eras + i + 1, p->eras + i, (p->count - i) * sizeof(p->eras[0]));
	p->eras[i] = e;
	p->count++;
	count_bytes(p, ERA_BYTES);
	last = i ? p->eras[i - 1] : NULL;
	return last && last->latest > m->time ? move_later(p, last, m->time) : 0;
}

int images_add(struct images *im, uint64_t process, const struct mapping *m)
{
	struct process *p;
	int ret = 0;

	if (!im->each)
		im->each = IMAGES_EACH;
	if (im->bytes >= IMAGES_BYTES &&
	    (!im->is_full || im->lost - im->tried >= LOST_BEFORE_TRY)) {
		make_room(im);
		im->is_full = im->bytes >= IMAGES_BYTES;
		im->tried = im->lost;
	}
	if (im->bytes >= IMAGES_BYTES && !find_process(im, process)) {
		im->lost++;
		if (m->kind == MAPPING_FILE)
			free_unused(im, m->module);
		return 0;
	}
	p = get_process(im, process);
	if (!p)
		return -ENOMEM;
	if (m->kind == MAPPING_FORK)
		p->has_ended = false;
	if (m->kind == MAPPING_FILE)
		m->module->uses++;
	if (has_room(p))
		ret = m->kind == MAPPING_FILE ? add_piece(p, m) : add_era(p, m);
	if (m->kind == MAPPING_FILE)
		drop_module(im, m->module);
	return ret;
}

/* --- find ----------------------------------------------------------------------------- */

struct mapping *images_find(struct images *im, uint64_t process, uint64_t time, uint64_t at)
{
	struct process *p = find_process(im, process);
	unsigned int parents = 0;
	const struct pieces *e;
	struct piece *piece;
	size_t i;

	while (p && parents++ < MOST_PARENTS) {
		i = after(p, time);
		if (!i)
			return NULL;
		e = p->eras[i - 1];
		piece = pieces_find(e, time, at);
		if (piece)
			return &piece->m;
		if (e->kind != MAPPING_FORK)
			return NULL;
		time = e->time;
		p = find_process(im, e->parent);
	}
	return NULL;
}

/* /proc and an event can report the same mapping, one with the build id, one without. */
bool images_same_place(const struct mapping *a, const struct mapping *b)
{
	return a == b || (a && b && images_same_file(a->module, b->module) &&
			  a->start - a->offset == b->start - b->offset);
}

/* Was another file mapped at the address in this era, and replaced later than @first? */
static bool had_another(const struct pieces *e, const struct mapping *m, uint64_t first,
			uint64_t last, uint64_t at)
{
	size_t i;

	for (i = 0; i < e->old_count; i++)
		if (at >= e->old[i]->m.start && at < e->old[i]->m.end &&
		    e->old[i]->m.time <= last && e->old[i]->until > first &&
		    !images_same_place(m, &e->old[i]->m))
			return true;
	return false;
}

struct mapping *images_steady(struct images *im, uint64_t process, uint64_t first, uint64_t last,
			      uint64_t at)
{
	struct mapping *m = images_find(im, process, last, at);
	const struct process *p = find_process(im, process);
	size_t i, end = m ? after(p, last) : 0;

	if (!m || !images_same_place(m, images_find(im, process, first, at)))
		return NULL;
	for (i = after(p, first); i <= end; i++) {
		if (had_another(p->eras[i - 1], m, first, last, at) ||
		    (i < end && !images_same_place(m, images_find(im, process, p->eras[i]->time - 1, at))))
			return NULL;
	}
	return m;
}

struct mapping *images_use(struct images *im, uint64_t process, uint64_t time, uint64_t at)
{
	struct mapping *m = images_find(im, process, time, at), own;
	struct process *p = find_process(im, process);
	size_t i = m ? after(p, time) : 0;

	if (m && !pieces_find(p->eras[i - 1], time, at)) {
		/* A parent has the mapping: give this process its own, from its fork on. */
		own = *m;
		own.time = p->eras[i - 1]->time;
		if (images_add(im, process, &own))
			return NULL;
		m = images_find(im, process, time, at);
	}
	if (m)
		m->is_used = true;
	return m;
}

int images_each_used(struct images *im,
		     int (*visit)(void *arg, uint64_t process, struct mapping *m), void *arg)
{
	struct process *p;
	size_t i;
	int ret = 0;

	map_each(&im->processes, p) {
		for (i = 0; i < p->count && !ret; i++)
			ret = pieces_each_used(p->eras[i], p->id, visit, arg);
		if (ret)
			break;
	}
	return ret;
}

void images_free(struct images *im)
{
	struct process *p;
	struct module *m;

	map_drain(&im->processes, p)
		free_process(p);
	map_drain(&im->modules, m) {
		free(m->path);
		free(m);
	}
	*im = (struct images){ 0 };
}
