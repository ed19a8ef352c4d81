// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libbpf gets only the kernel types that the programs need: the reduced types describe each wanted
 * field exactly as the full BTF does, and contain no others; the programs load with them.
 */
#include "harness.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <sys/utsname.h>

#include "fxt-collect/source/bpf/load.h"
#include "fxt-collect/source/bpf/types.h"
#include "source/bpf/load.h"

#define BTF_FILE	"/sys/kernel/btf/vmlinux"

/*
 * Type names of the object: a flavor, one that others embed, one with fields of all kinds, and
 * names that no kernel has.
 */
static const char * const local_names[] = {
	"task_struct", "cgroup___old", "sched_entity", "fs_context", "no_such_struct", "sched",
};

static const char * const wanted_names[] = {
	"task_struct", "cgroup", "sched_entity", "fs_context",
};

FIXTURE(types)
{
	struct kernel_types *t;
	struct btf *local;
	struct btf *all;
	struct btf *left;
};

FIXTURE_SETUP(types)
{
	if (access(BTF_FILE, R_OK))
		SKIP(return, "no " BTF_FILE);
	self->all = btf__load_vmlinux_btf();
	self->local = btf__new_empty();
	self->t = kernel_types_open();
	ASSERT_NE(NULL, self->all);
	ASSERT_NE(NULL, self->local);
	ASSERT_NE(NULL, self->t);
	for (size_t i = 0; i < sizeof(local_names) / sizeof(*local_names); i++)
		ASSERT_LT(0, btf__add_struct(self->local, local_names[i], 8));
	ASSERT_NE(NULL, kernel_types_path(self->t));
	ASSERT_EQ(0, kernel_types_reduce(self->t, self->local));
	self->left = btf__parse(kernel_types_path(self->t), NULL);
	ASSERT_NE(NULL, self->left);
}

FIXTURE_TEARDOWN(types)
{
	btf__free(self->left);
	btf__free(self->all);
	btf__free(self->local);
	kernel_types_close(self->t);
}

static const struct btf_type *plain(const struct btf *btf, __u32 id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	while (btf_is_mod(type) || btf_is_typedef(type))
		type = btf__type_by_id(btf, type->type);
	return type;
}

/* Count the fields that differ from the full BTF; those of nameless structs count. */
static int compare(const struct btf *all, const struct btf_type *a, const struct btf *left,
		   const struct btf_type *b, int *fields)
{
	const struct btf_member *ma = btf_members(a), *mb = btf_members(b);
	const struct btf_type *ta, *tb;
	int i, differ = 0;

	if (a->size != b->size || btf_vlen(a) != btf_vlen(b) || btf_kind(a) != btf_kind(b))
		return 1;
	for (i = 0; i < btf_vlen(a); i++, ++*fields) {
		differ += !!strcmp(btf__name_by_offset(all, ma[i].name_off),
				   btf__name_by_offset(left, mb[i].name_off));
		differ += btf_member_bit_offset(a, i) != btf_member_bit_offset(b, i);
		differ += btf_member_bitfield_size(a, i) != btf_member_bitfield_size(b, i);
		ta = plain(all, ma[i].type);
		tb = plain(left, mb[i].type);
		if (btf_is_int(ta) || btf_is_any_enum(ta))
			differ += ta->size != tb->size;
		if (btf_is_int(ta))
			differ += btf_int_encoding(ta) != btf_int_encoding(tb);
		if (btf_is_int(ta) || btf_is_ptr(ta) || btf_is_array(ta))
			differ += btf_kind(ta) != btf_kind(tb);
		if (btf_is_array(ta) && btf_is_array(tb))
			differ += btf_array(ta)->nelems != btf_array(tb)->nelems;
		if (btf_is_composite(ta) && !ta->name_off)
			differ += compare(all, ta, left, tb, fields);
	}
	return differ;
}

TEST_F(types, has_what_is_wanted)
{
	int a, b, fields = 0;

	for (size_t i = 0; i < sizeof(wanted_names) / sizeof(*wanted_names); i++) {
		a = btf__find_by_name_kind(self->all, wanted_names[i], BTF_KIND_STRUCT);
		b = btf__find_by_name_kind(self->left, wanted_names[i], BTF_KIND_STRUCT);
		ASSERT_LT(0, a);
		ASSERT_LT(0, b);
		EXPECT_EQ(0, compare(self->all, btf__type_by_id(self->all, a), self->left,
				     btf__type_by_id(self->left, b), &fields));
	}
	EXPECT_LT(100, fields);
}

/* A struct that another one embeds keeps its type, if it is wanted itself. */
TEST_F(types, has_what_is_held)
{
	int id = btf__find_by_name_kind(self->left, "task_struct", BTF_KIND_STRUCT), i;
	const struct btf_type *task = btf__type_by_id(self->left, id), *held = NULL;
	const struct btf_member *m = btf_members(task);

	for (i = 0; i < btf_vlen(task); i++)
		if (!strcmp(btf__name_by_offset(self->left, m[i].name_off), "se"))
			held = btf__type_by_id(self->left, m[i].type);
	ASSERT_NE(NULL, held);
	EXPECT_STREQ("sched_entity", btf__name_by_offset(self->left, held->name_off));
	EXPECT_NE(0, btf_vlen(held));
}

TEST_F(types, has_no_others)
{
	const struct btf_type *type;
	const char *name;
	size_t i;

	EXPECT_GT(2000U, btf__type_cnt(self->left));
	for (unsigned int id = 1; id < btf__type_cnt(self->left); id++) {
		type = btf__type_by_id(self->left, id);
		name = btf__name_by_offset(self->left, type->name_off);
		if (!btf_is_composite(type) || !*name)
			continue;
		for (i = 0; i < sizeof(wanted_names) / sizeof(*wanted_names); i++)
			if (!strcmp(name, wanted_names[i]))
				break;
		EXPECT_LT(i, sizeof(wanted_names) / sizeof(*wanted_names)) TH_LOG("%s", name);
	}
}

/* The field came with 5.18. */
TEST_F(types, know_fields_and_variables)
{
	int64_t at;

	EXPECT_TRUE(kernel_types_have_field(self->t, "task_struct", "pid"));
	EXPECT_FALSE(kernel_types_have_field(self->t, "task_struct", "no_such_field"));
	EXPECT_FALSE(kernel_types_have_field(self->t, "no_such_struct", "pid"));
	/* This field is in a nameless union. */
	EXPECT_TRUE(kernel_types_have_field(self->t, "page", "mapping"));
	EXPECT_EQ(-ENOENT, kernel_types_per_cpu(self->t, "no_such_variable", &at));
}

TEST_F(types, know_what_events_tell)
{
	unsigned int major, minor;
	struct utsname host;

	uname(&host);
	ASSERT_EQ(2, sscanf(host.release, "%u.%u", &major, &minor));
	if (major == 5 && minor > 10 && minor < 18)
		SKIP(return, "some of Linux %u.%u have it", major, minor);
	EXPECT_EQ(major > 5 || minor >= 18, kernel_types_have_prev_state(self->t));
}

static int readings;

static int listen(enum libbpf_print_level level, const char *format, va_list args)
{
	char line[256];

	(void)level;
	vsnprintf(line, sizeof(line), format, args);
	readings += !!strstr(line, "loading kernel BTF");
	return 0;
}

FIXTURE(load)
{
	struct programs p;
	struct source_config config;
	struct error e;
};

FIXTURE_SETUP(load)
{
	if (geteuid() || access(BTF_FILE, R_OK))
		SKIP(return, "needs root, and " BTF_FILE);
	self->config = (struct source_config){ .subbuf_size = 65536, .subbuf_count = 2 };
	readings = 0;
	libbpf_set_print(listen);
}

FIXTURE_TEARDOWN(load)
{
	programs_unload(&self->p);
}

/* libbpf reports that it reads the types. Where it can map them, it need not read them. */
TEST_F(load, reads_types_once)
{
	struct kernel_types *t = kernel_types_open();
	struct btf *all;
	int once = readings;
	bool sees_interrupts = context_find(t).kind != FXT_BPF_CONTEXT_NONE;

	kernel_types_close(t);
	EXPECT_GE(1, once);
	readings = 0;
	ASSERT_EQ(0, programs_load(&self->p, &self->config, 1, 1, &self->e))
		TH_LOG("%s", self->e.text);
	EXPECT_EQ(once, readings);
	EXPECT_EQ(sees_interrupts, self->p.sees_interrupts);
	EXPECT_NE(NULL, self->p.links[PROBE_FORK]);
	EXPECT_EQ(NULL, self->p.links[PROBE_EXEC]);
	EXPECT_EQ(0, programs_attach(&self->p));
	EXPECT_NE(NULL, self->p.links[PROBE_SWITCH]);
	readings = 0;
	all = btf__load_vmlinux_btf();
	EXPECT_EQ(1, readings);
	btf__free(all);
}

/* A user's mistake is reported, not tried in other ways. */
TEST_F(load, says_what_is_wrong)
{
	struct source_filter filter = { .comm = "[" };

	self->config.filter = &filter;
	EXPECT_EQ(-EINVAL, programs_load(&self->p, &self->config, 1, 1, &self->e));
	EXPECT_IN(self->e.text, "pattern");
	EXPECT_EQ(NULL, self->p.skel);
}
