// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The objects that an archive describes: an argument finds exactly the object that it refers to,
 * with its last name.
 */
#include "harness.h"

#include <fxt/fxt_sched.h>

#include "libfxt/objects.h"

#define SOCKET	14	/* Zircon's number of sockets */

FIXTURE(objects)
{
	struct fxt_objects o;
	struct fxt_content *c;
};

FIXTURE_SETUP(objects)
{
	memset(&self->o, 0, sizeof(self->o));
	self->c = calloc(1, sizeof(*self->c));
	ASSERT_NE(NULL, self->c);
}

FIXTURE_TEARDOWN(objects) { }

static struct fxt_text text(const char *s)
{
	return (struct fxt_text){ .bytes = s, .length = strlen(s) };
}

static int learn_kernel(FIXTURE_DATA(objects) *self, uint8_t type, uint64_t koid, const char *name)
{
	struct fxt_content *c = self->c;

	c->kind = FXT_KIND_KERNEL_OBJECT;
	c->object_type = type;
	c->object = koid;
	c->name = text(name);
	return fxt_objects_learn(&self->o, c, false);
}

static int learn_pointer(FIXTURE_DATA(objects) *self, uint64_t process, uint64_t pointer,
			 const char *name)
{
	struct fxt_content *c = self->c;

	c->kind = FXT_KIND_USERSPACE_OBJECT;
	c->thread.process = process;
	c->object = pointer;
	c->name = text(name);
	return fxt_objects_learn(&self->o, c, false);
}

/* The name of the object that an argument in a record of process 1 refers to; or "none". */
static const char *referent(const FIXTURE_DATA(objects) *self, uint8_t type, uint64_t value,
			    uint16_t known)
{
	const struct fxt_arg arg = { .name = { .known = known }, .type = type, .u64 = value };
	const struct fxt_object *ob = fxt_objects_argument(&self->o, 1, &arg);
	static char name[64];

	snprintf(name, sizeof(name), "%.*s", ob ? ob->length : 4, !ob ? "none" :
		 ob->name ? ob->name : "");
	return name;
}

TEST_F(objects, pointers_of_a_process)
{
	ASSERT_EQ(0, learn_pointer(self, 1, 0x1000, "mine"));
	ASSERT_EQ(0, learn_pointer(self, 2, 0x1000, "another's"));
	ASSERT_EQ(0, learn_pointer(self, 2, 0x2000, "another's"));
	ASSERT_EQ(0, learn_kernel(self, SOCKET, 0x1000, "socket"));
	EXPECT_STREQ("mine", referent(self, FXT_ARG_POINTER, 0x1000, 0));
	EXPECT_STREQ("none", referent(self, FXT_ARG_POINTER, 0x2000, 0));
	EXPECT_STREQ("none", referent(self, FXT_ARG_UINT64, 0x1000, 0));
	EXPECT_STREQ("socket", referent(self, FXT_ARG_KOID, 0x1000, 0));
}

/* A main thread and its process have the same koid, and can have different names. */
TEST_F(objects, koids)
{
	const struct fxt_object *ob;

	ASSERT_EQ(0, learn_kernel(self, FXT_OBJECT_PROCESS, 7, "process"));
	EXPECT_STREQ("process", referent(self, FXT_ARG_KOID, 7, FXT_STR_WAKER));
	self->c->arg_count = 1;
	self->c->args[0] = (struct fxt_arg){
		.name = { .known = FXT_STR_PROCESS }, .type = FXT_ARG_KOID, .u64 = 7,
	};
	ASSERT_EQ(0, learn_kernel(self, FXT_OBJECT_THREAD, 7, "thread"));
	self->c->arg_count = 0;
	ASSERT_EQ(0, learn_kernel(self, SOCKET, 8, "socket"));
	EXPECT_STREQ("thread", referent(self, FXT_ARG_KOID, 7, FXT_STR_WAKER));
	EXPECT_STREQ("process", referent(self, FXT_ARG_KOID, 7, FXT_STR_PROCESS));
	EXPECT_STREQ("process", referent(self, FXT_ARG_KOID, 7, FXT_STR_PARENT));
	EXPECT_STREQ("socket", referent(self, FXT_ARG_KOID, 8, FXT_STR_PROCESS));
	EXPECT_STREQ("none", referent(self, FXT_ARG_KOID, 9, 0));
	ob = fxt_objects_find(&self->o, FXT_CLASS_THREAD, 0, 7);
	ASSERT_NE(NULL, ob);
	EXPECT_EQ(7U, ob->process);
	EXPECT_EQ(FXT_OBJECT_THREAD, ob->type);
	ob = fxt_objects_of(&self->o, self->c);
	ASSERT_NE(NULL, ob);
	EXPECT_EQ(8U, ob->id);
	EXPECT_EQ(SOCKET, ob->type);
}

TEST_F(objects, names_change)
{
	ASSERT_EQ(0, learn_kernel(self, SOCKET, 7, ""));
	EXPECT_STREQ("", referent(self, FXT_ARG_KOID, 7, 0));
	ASSERT_EQ(0, learn_kernel(self, SOCKET, 7, "first"));
	ASSERT_EQ(0, learn_kernel(self, SOCKET, 7, ""));
	EXPECT_STREQ("first", referent(self, FXT_ARG_KOID, 7, 0));
	ASSERT_EQ(0, learn_kernel(self, SOCKET, 7, "second name"));
	EXPECT_STREQ("second name", referent(self, FXT_ARG_KOID, 7, 0));
	self->c->name = text("third");
	ASSERT_EQ(0, fxt_objects_learn(&self->o, self->c, true));
	EXPECT_STREQ("second name", referent(self, FXT_ARG_KOID, 7, 0));
}

TEST_F(objects, many_within_a_limit)
{
	self->o.max_bytes = 64 << 10;
	for (uint64_t i = 0; i < 10000; i++)
		ASSERT_EQ(0, learn_pointer(self, 1, i, "object"));
	EXPECT_GE(self->o.max_bytes, self->o.bytes);
	EXPECT_STREQ("object", referent(self, FXT_ARG_POINTER, 100, 0));
	EXPECT_STREQ("none", referent(self, FXT_ARG_POINTER, 9999, 0));
	ASSERT_EQ(0, learn_pointer(self, 1, 100, "other"));
	EXPECT_STREQ("other", referent(self, FXT_ARG_POINTER, 100, 0));
}
