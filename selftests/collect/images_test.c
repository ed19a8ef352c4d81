// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The mappings of processes: an address belongs to the file that was mapped there at that time;
 * memory is limited, and one process reaches its limit long before others are affected; dropped
 * mappings are counted; the cost of a mapping does not grow with their number.
 */
#include "harness.h"

#include <fxt/fxt_sched_stack.h>

#include "libsym/images.h"

#define HONEST	1ULL		/* a process with a few mappings */
#define FLOODER	2ULL

FIXTURE(images)
{
	struct images im;
	struct module *a;
	struct module *b;
	unsigned int used;
	uint64_t last[3];	/* by process: where the last used mapping begins */
};

FIXTURE_SETUP(images)
{
	const struct elf_id id = { .id = { 1 }, .bytes = 1 }, other = { .id = { 2 }, .bytes = 1 };

	memset(self, 0, sizeof(*self));
	self->a = images_module(&self->im, "/a", 2, &id);
	self->b = images_module(&self->im, "/a", 2, &other);
	ASSERT_EQ(self->a, images_module(&self->im, "/abc", 2, &id));
	ASSERT_NE(self->a, self->b);
	self->a->uses++;
	self->b->uses++;
}

FIXTURE_TEARDOWN(images) { }

static int map_it(FIXTURE_DATA(images) *self, uint64_t process, uint64_t time, uint64_t start,
		  struct module *module)
{
	const struct mapping m = {
		.time = time, .start = start, .end = start + 0x1000, .module = module,
		.vaddr = FXT_SCHED_NO_VADDR,
	};

	return images_add(&self->im, process, &m);
}

/* Map a new file each time, as memfd_create() makes them. */
static int map_recent(FIXTURE_DATA(images) *self, uint64_t process, uint64_t time, uint64_t start)
{
	const struct elf_id none = { .bytes = 0 };
	char path[64];
	int n = snprintf(path, sizeof(path), "/memfd:%llu", (unsigned long long)time);

	return map_it(self, process, time, start, images_module(&self->im, path, n, &none));
}

static int fork_it(FIXTURE_DATA(images) *self, uint64_t process, uint64_t time, uint64_t parent)
{
	const struct mapping m = { .time = time, .kind = MAPPING_FORK, .parent = parent };

	return images_add(&self->im, process, &m);
}

static int exec_it(FIXTURE_DATA(images) *self, uint64_t process, uint64_t time)
{
	const struct mapping m = { .time = time, .kind = MAPPING_EXEC };

	return images_add(&self->im, process, &m);
}

static struct module *module_at(FIXTURE_DATA(images) *self, uint64_t process, uint64_t time,
				uint64_t at)
{
	const struct mapping *m = images_find(&self->im, process, time, at);

	return m ? m->module : NULL;
}

static int take_used(void *arg, uint64_t process, struct mapping *m)
{
	FIXTURE_DATA(images) *self = arg;

	self->used++;
	self->last[process] = m->start;
	return 0;
}

/* Events of several CPUs may arrive out of the order of time. */
TEST_F(images, time_decides)
{
	ASSERT_EQ(0, map_it(self, 1, 20, 0x1000, self->b));
	ASSERT_EQ(0, map_it(self, 1, 10, 0x1000, self->a));
	EXPECT_EQ(NULL, module_at(self, 1, 9, 0x1000));
	EXPECT_EQ(self->a, module_at(self, 1, 10, 0x1000));
	EXPECT_EQ(self->a, module_at(self, 1, 19, 0x1fff));
	EXPECT_EQ(self->b, module_at(self, 1, 20, 0x1000));
	EXPECT_EQ(NULL, module_at(self, 1, 20, 0x2000));
	EXPECT_EQ(NULL, module_at(self, 2, 20, 0x1000));
}

TEST_F(images, children_have_what_the_parent_had)
{
	ASSERT_EQ(0, fork_it(self, 2, 20, 1));
	ASSERT_EQ(0, map_it(self, 1, 10, 0x1000, self->a));
	ASSERT_EQ(0, map_it(self, 1, 30, 0x1000, self->b));
	ASSERT_EQ(0, fork_it(self, 3, 25, 2));
	EXPECT_EQ(NULL, module_at(self, 2, 15, 0x1000));
	EXPECT_EQ(self->a, module_at(self, 2, 40, 0x1000));
	EXPECT_EQ(self->a, module_at(self, 3, 40, 0x1000));
	EXPECT_EQ(self->b, module_at(self, 1, 40, 0x1000));
	ASSERT_EQ(0, exec_it(self, 3, 50));
	EXPECT_EQ(self->a, module_at(self, 3, 49, 0x1000));
	EXPECT_EQ(NULL, module_at(self, 3, 50, 0x1000));
	/* The process id is reused. */
	ASSERT_EQ(0, fork_it(self, 1, 60, 3));
	EXPECT_EQ(NULL, module_at(self, 1, 60, 0x1000));
}

/* Two files take turns at one address, in one program, and in lives with one process id. */
TEST_F(images, what_was_not_always_there_is_not_steady)
{
	const struct mapping *m;

	ASSERT_EQ(0, map_it(self, 1, 10, 0x1000, self->a));
	ASSERT_EQ(0, map_it(self, 1, 10, 0x5000, self->a));
	ASSERT_EQ(0, map_it(self, 1, 20, 0x1000, self->b));
	ASSERT_EQ(0, map_it(self, 1, 30, 0x1000, self->a));
	EXPECT_EQ(NULL, images_steady(&self->im, 1, 15, 40, 0x1000));
	EXPECT_NE(NULL, images_steady(&self->im, 1, 15, 19, 0x1000));
	EXPECT_NE(NULL, images_steady(&self->im, 1, 15, 40, 0x5000));
	ASSERT_EQ(0, exec_it(self, 1, 50));
	EXPECT_EQ(NULL, images_steady(&self->im, 1, 15, 55, 0x5000));
	ASSERT_EQ(0, exec_it(self, 1, 60));
	ASSERT_EQ(0, map_it(self, 1, 61, 0x5000, self->a));
	EXPECT_EQ(NULL, images_steady(&self->im, 1, 15, 65, 0x5000));
	m = images_steady(&self->im, 1, 61, 65, 0x5000);
	ASSERT_NE(NULL, m);
	EXPECT_EQ(self->a, m->module);
	/* The same program once more has the same file there all the time. */
	ASSERT_EQ(0, exec_it(self, 1, 70));
	ASSERT_EQ(0, map_it(self, 1, 70, 0x5000, self->a));
	EXPECT_NE(NULL, images_steady(&self->im, 1, 61, 75, 0x5000));
}

/* No process is its own ancestor, but a damaged archive may say so. */
TEST_F(images, circles_end)
{
	ASSERT_EQ(0, fork_it(self, 1, 10, 2));
	ASSERT_EQ(0, fork_it(self, 2, 10, 1));
	EXPECT_EQ(NULL, module_at(self, 1, 20, 0x1000));
}

/* A new mapping replaces a part of an older one; the rest stays. */
TEST_F(images, parts_stay)
{
	const struct mapping all = {
		.time = 10, .start = 0x1000, .end = 0x9000, .offset = 0x1000, .module = self->a,
		.vaddr = 0x401000,
	};
	const struct mapping *m;

	ASSERT_EQ(0, images_add(&self->im, 1, &all));
	ASSERT_EQ(0, map_it(self, 1, 20, 0x3000, self->b));
	ASSERT_EQ(0, map_it(self, 1, 20, 0x5000, self->b));
	EXPECT_EQ(self->a, module_at(self, 1, 20, 0x2fff));
	EXPECT_EQ(self->b, module_at(self, 1, 20, 0x3000));
	EXPECT_EQ(self->a, module_at(self, 1, 20, 0x4000));
	EXPECT_EQ(self->b, module_at(self, 1, 20, 0x5fff));
	EXPECT_EQ(self->a, module_at(self, 1, 20, 0x8fff));
	EXPECT_EQ(self->a, module_at(self, 1, 19, 0x3000));
	m = images_find(&self->im, 1, 20, 0x4800);
	ASSERT_NE(NULL, m);
	EXPECT_EQ(0x4000U, m->start);
	EXPECT_EQ(0x5000U, m->end);
	EXPECT_EQ(0x4000U, m->offset);
	EXPECT_EQ(0x404000U, m->vaddr);
	/* A mapping of an earlier time that comes late only fills free addresses. */
	ASSERT_EQ(0, map_it(self, 1, 5, 0x8800, self->b));
	EXPECT_EQ(self->a, module_at(self, 1, 20, 0x8fff));
	EXPECT_EQ(self->b, module_at(self, 1, 20, 0x9000));
	EXPECT_EQ(self->b, module_at(self, 1, 9, 0x8fff));
}

/* An exec whose event comes late ends only mappings from before it. */
TEST_F(images, late_execs)
{
	ASSERT_EQ(0, map_it(self, 1, 10, 0x1000, self->a));
	ASSERT_EQ(0, map_it(self, 1, 30, 0x5000, self->b));
	ASSERT_EQ(0, exec_it(self, 1, 20));
	EXPECT_EQ(self->a, module_at(self, 1, 19, 0x1000));
	EXPECT_EQ(NULL, module_at(self, 1, 20, 0x1000));
	EXPECT_EQ(self->b, module_at(self, 1, 30, 0x5000));
	EXPECT_EQ(NULL, module_at(self, 1, 29, 0x5000));
}

/* A mapping that a process has inherited and uses becomes its own. */
TEST_F(images, used_mappings)
{
	struct mapping *m;

	ASSERT_EQ(0, map_it(self, 1, 10, 0x1000, self->a));
	ASSERT_EQ(0, map_it(self, 1, 10, 0x3000, self->a));
	ASSERT_EQ(0, fork_it(self, 2, 20, 1));
	ASSERT_NE(NULL, images_use(&self->im, 2, 25, 0x1800));
	EXPECT_EQ(NULL, images_use(&self->im, 2, 15, 0x1800));
	m = images_use(&self->im, 1, 25, 0x3800);
	ASSERT_NE(NULL, m);
	EXPECT_EQ(0x3000U, m->start);
	self->used = 0;
	ASSERT_EQ(0, images_each_used(&self->im, take_used, self));
	EXPECT_EQ(2U, self->used);
	EXPECT_EQ(0x3000U, self->last[1]);
	EXPECT_EQ(0x1000U, self->last[2]);
	ASSERT_EQ(0, images_each_used(&self->im, take_used, self));
	EXPECT_EQ(2U, self->used);
}

/*
 * Programs with a just-in-time compiler, and attackers, map the same place thousands of times a
 * second.
 */
TEST_F(images, the_same_again_and_again_is_nothing_new)
{
	size_t bytes;

	ASSERT_EQ(0, map_it(self, FLOODER, 1, 0x1000, self->a));
	bytes = self->im.bytes;
	for (uint64_t i = 2; i < 100000; i++)
		ASSERT_EQ(0, map_it(self, FLOODER, i, 0x1000, self->a));
	EXPECT_EQ(bytes, self->im.bytes);
	EXPECT_EQ(self->a, module_at(self, FLOODER, 1, 0x1000));
	EXPECT_EQ(0U, self->im.lost);
}

/* Each mapping replaces the previous one with a new file; only some of the old ones are kept. */
TEST_F(images, what_is_covered_is_forgotten)
{
	const uint64_t count = 100000;

	for (uint64_t i = 1; i <= count; i++)
		ASSERT_EQ(0, map_recent(self, FLOODER, i, 0x1000));
	EXPECT_EQ(count - 1 - PIECES_OLD, self->im.lost);
	EXPECT_NE(NULL, module_at(self, FLOODER, count - PIECES_OLD, 0x1000));
	EXPECT_EQ(NULL, module_at(self, FLOODER, count - PIECES_OLD - 1, 0x1000));
	/* The names of forgotten files are forgotten, too. */
	EXPECT_EQ(2 + 1 + PIECES_OLD, self->im.modules.count);
	EXPECT_GT(100000U, self->im.bytes);
}

/* Each mapping is of a new file at a new address, and is looked up at once. */
TEST_F(images, a_flood_is_bounded_by_process)
{
	const uint64_t count = 200000;

	for (uint64_t i = 0; i < 100; i++)
		ASSERT_EQ(0, map_it(self, HONEST, 1, i * 0x2000, self->a));
	ASSERT_EQ(0, map_it(self, FLOODER, 1, 0x1000, self->b));
	for (uint64_t i = 2; i < count; i++) {
		ASSERT_EQ(0, map_recent(self, FLOODER, i, 0x700000000000 - i * 0x2000));
		ASSERT_NE(NULL, module_at(self, FLOODER, i, 0x700000000000 - i * 0x2000));
	}
	EXPECT_GE(IMAGES_EACH + 100000U, self->im.bytes);
	EXPECT_LT(count / 2, self->im.lost);
	EXPECT_EQ(self->im.lost, self->im.most_lost);
	EXPECT_EQ(FLOODER, self->im.most_lost_by);
	/* Others keep all their mappings, and the flooder keeps its program. */
	for (uint64_t i = 0; i < 100; i++)
		ASSERT_EQ(self->a, module_at(self, HONEST, count, i * 0x2000));
	EXPECT_EQ(self->b, module_at(self, FLOODER, count, 0x1000));
}

/* All processes together have a limit, too. */
TEST_F(images, a_flood_of_many_is_bounded)
{
	const uint64_t processes = 200, each = 2000;

	for (uint64_t i = 0; i < 50; i++)
		ASSERT_EQ(0, map_it(self, HONEST, 1, i * 0x2000, self->a));
	for (uint64_t k = 0; k < each; k++)
		for (uint64_t i = 0; i < processes; i++)
			ASSERT_EQ(0, map_recent(self, FLOODER + i, 2 + k * processes + i,
					     0x1000 + k * 0x2000));
	EXPECT_GE(IMAGES_BYTES, self->im.bytes);
	EXPECT_LT(0U, self->im.lost);
	for (uint64_t i = 0; i < 50; i++)
		ASSERT_EQ(self->a, module_at(self, HONEST, 1000000, i * 0x2000));
}

/* A program that calls exec again and again keeps only few of its lives. */
TEST_F(images, execs_are_bounded)
{
	const uint64_t count = 10000;

	for (uint64_t i = 1; i <= count; i++) {
		ASSERT_EQ(0, exec_it(self, FLOODER, 2 * i));
		ASSERT_EQ(0, map_it(self, FLOODER, 2 * i + 1, 0x1000, self->a));
	}
	EXPECT_GT(100000U, self->im.bytes);
	EXPECT_EQ(self->a, module_at(self, FLOODER, 2 * count + 1, 0x1000));
	EXPECT_EQ(NULL, module_at(self, FLOODER, 2 * count, 0x1000));
	EXPECT_EQ(self->a, module_at(self, FLOODER, 2 * count - 1, 0x1000));
}

TEST_F(images, processes_that_ended_make_room)
{
	const uint64_t count = 200000;

	ASSERT_EQ(0, map_it(self, 1, 1, 0x1000, self->a));
	ASSERT_EQ(0, fork_it(self, 2, 2, 1));
	images_exit(&self->im, 1);
	for (uint64_t i = 10; i < count; i++) {
		ASSERT_EQ(0, map_it(self, i, i, 0x1000, self->b));
		images_exit(&self->im, i);
	}
	EXPECT_GE(10U, self->im.lost);
	EXPECT_GE(IMAGES_BYTES, self->im.bytes);
	/* The child still needs its parent's mapping. */
	EXPECT_EQ(self->a, module_at(self, 2, 10, 0x1000));
}

/* All processes live, with one mapping each, so those that do not fit are counted. */
TEST_F(images, more_than_fits_is_counted)
{
	const uint64_t count = 200000;
	uint64_t i, known = 0;

	for (i = 0; i < count; i++)
		ASSERT_EQ(0, map_it(self, 10 + i, i, 0x1000, self->a));
	EXPECT_GE(IMAGES_BYTES + 1000U, self->im.bytes);
	for (i = 0; i < count; i++)
		known += module_at(self, 10 + i, i, 0x1000) != NULL;
	EXPECT_EQ(count, known + self->im.lost);
}
