// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * types.c - see types.h.
 *
 * libbpf accepts types only as a file, so those that relocations need are put into one in memory.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "types.h"

#define BTF_FILE	"/sys/kernel/btf/vmlinux"
#define NAME_ROOM	64
#define TRACE_PREFIX	"btf_trace_"	/* of types that are named like tracepoints */

/* It and the rest do not belong to a type's name. */
#define FLAVOR		"___"

/* Programs that are attached to something that has a type. */
struct section {
	const char *name;		/* of their sections, up to the name of the target */
	enum bpf_attach_type attach;
	const char *prefix;		/* of the name of the type */
	unsigned int kind;		/* of that type: BTF_KIND_* */
};

static const struct section sections[] = {
	{ "tp_btf/", BPF_TRACE_RAW_TP, TRACE_PREFIX, BTF_KIND_TYPEDEF },
	{ "iter/", BPF_TRACE_ITER, "bpf_iter_", BTF_KIND_FUNC },
	{ "fentry/", BPF_TRACE_FENTRY, "", BTF_KIND_FUNC },
};

#define SECTIONS	(sizeof(sections) / sizeof(sections[0]))

struct kernel_types {
	struct btf *all;
	int fd;			/* file in memory with the reduced types; -1 if there is none */
	char path[32];		/* path to open it */
	int handlers[SECTIONS];	/* section handlers registered with libbpf: of sections[] */
};

/* --- all of them ------------------------------------------------------------- */

/* Since Linux 6.16 the file can be mapped; reading it takes some thousand calls. */
static struct btf *read_types(void)
{
	int fd = open(BTF_FILE, O_RDONLY | O_CLOEXEC);
	void *data = MAP_FAILED;
	struct btf *all = NULL;
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st))
		data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data != MAP_FAILED) {
		all = btf__new(data, st.st_size);
		munmap(data, st.st_size);
	}
	if (fd >= 0)
		close(fd);
	return all ? all : btf__load_vmlinux_btf();
}

struct kernel_types *kernel_types_open(void)
{
	struct kernel_types *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->all = read_types();
	if (!t->all) {
		free(t);
		return NULL;
	}
	t->fd = memfd_create("types", MFD_CLOEXEC);
	snprintf(t->path, sizeof(t->path), "/proc/self/fd/%d", t->fd);
	return t;
}

void kernel_types_close(struct kernel_types *t)
{
	if (!t)
		return;
	if (t->fd >= 0)
		close(t->fd);
	btf__free(t->all);
	free(t);
}

int kernel_types_event(const struct kernel_types *t, const char *event)
{
	char name[sizeof(TRACE_PREFIX) + NAME_ROOM];

	snprintf(name, sizeof(name), TRACE_PREFIX "%s", event);
	return btf__find_by_name_kind(t->all, name, BTF_KIND_TYPEDEF);
}

bool kernel_types_have_event(const struct kernel_types *t, const char *event)
{
	return kernel_types_event(t, event) > 0;
}

unsigned int kernel_types_arguments(const struct kernel_types *t, const char *event)
{
	const struct btf_type *type = NULL;
	int id = kernel_types_event(t, event);

	/* A pointer to the probe, whose first argument is its data. */
	if (id > 0)
		type = btf__type_by_id(t->all, btf__type_by_id(t->all, id)->type);
	if (type && btf_is_ptr(type))
		type = btf__type_by_id(t->all, type->type);
	return type && btf_is_func_proto(type) && btf_vlen(type) ? btf_vlen(type) - 1 : 0;
}

bool kernel_types_have_prev_state(const struct kernel_types *t)
{
	/* preempt, prev, next, prev_state */
	return kernel_types_arguments(t, "sched_switch") >= 4;
}

const struct btf *kernel_types_btf(const struct kernel_types *t)
{
	return t->all;
}

int kernel_types_function(const struct kernel_types *t, const char *name)
{
	return btf__find_by_name_kind(t->all, name, BTF_KIND_FUNC);
}

static bool has_field(const struct btf *all, const struct btf_type *type, const char *field)
{
	const struct btf_member *m = btf_members(type);
	unsigned int i, count = btf_is_composite(type) ? btf_vlen(type) : 0;
	const char *name;

	for (i = 0; i < count; i++) {
		name = btf__name_by_offset(all, m[i].name_off);
		if (*name ? !strcmp(name, field) :
			    has_field(all, btf__type_by_id(all, m[i].type), field))
			return true;
	}
	return false;
}

bool kernel_types_have_field(const struct kernel_types *t, const char *name,
			     const char *field)
{
	int id = btf__find_by_name_kind(t->all, name, BTF_KIND_STRUCT);

	return id > 0 && has_field(t->all, btf__type_by_id(t->all, id), field);
}

int kernel_types_per_cpu(const struct kernel_types *t, const char *name, int64_t *at)
{
	int section = btf__find_by_name_kind(t->all, ".data..percpu", BTF_KIND_DATASEC);
	int id = btf__find_by_name_kind(t->all, name, BTF_KIND_VAR), i;
	const struct btf_type *type;

	if (section <= 0 || id <= 0)
		return -ENOENT;
	type = btf__type_by_id(t->all, section);
	for (i = 0; i < btf_vlen(type); i++) {
		if (btf_var_secinfos(type)[i].type != (__u32)id)
			continue;
		*at = btf_var_secinfos(type)[i].offset;
		return id;
	}
	return -ENOENT;
}

/* Distance between two kernel symbols: in Linux 5.10, BTF lists no variables. */
static int symbol_distance(const char *to, const char *from, int64_t *distance)
{
	unsigned long long address, found[2] = { 0 };
	FILE *f = fopen("/proc/kallsyms", "re");
	char name[NAME_ROOM], type;

	if (!f)
		return -errno;
	while ((!found[0] || !found[1]) &&
	       fscanf(f, "%llx %c %63s%*[^\n]", &address, &type, name) == 3)
		for (int i = 0; i < 2; i++)
			if (!strcmp(name, i ? from : to))
				found[i] = address;
	fclose(f);
	*distance = found[0] - found[1];
	return found[0] && found[1] ? 0 : -ENOENT;
}

int kernel_types_distance(const struct kernel_types *t, const char *variable, int64_t *distance)
{
	int64_t at, runqueues;

	if (!kernel_types_have_field(t, "cfs_rq", "rq"))
		return -ENOENT;
	if (kernel_types_per_cpu(t, variable, &at) < 0 ||
	    kernel_types_per_cpu(t, "runqueues", &runqueues) < 0)
		return symbol_distance(variable, "runqueues", distance);
	*distance = at - runqueues;
	return 0;
}

int kernel_types_steal(const struct kernel_types *t, int64_t *distance)
{
	*distance = 0;
	if (kernel_types_have_field(t, "rq", "prev_steal_time_rq") &&
	    kernel_types_have_field(t, "cfs_rq", "rq"))
		return 0;
	return kernel_types_distance(t, "kernel_cpustat", distance);
}

/* --- those that relocations ask for -------------------------------------------- */

/* Copies types from one BTF into another. */
struct reduction {
	const struct btf *from;
	struct btf *to;
	int *ids;			/* by id in @from: the id in @to, or 0 */
	char (*names)[NAME_ROOM];	/* sorted, of the structs and unions to keep */
	size_t count;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* No name of the kernel is longer than NAME_ROOM. */
static int find_names(struct reduction *r, const struct btf *local)
{
	unsigned int id, count = btf__type_cnt(local);
	const struct btf_type *type;
	const char *name, *flavor;
	size_t length;

	r->names = calloc(count, sizeof(*r->names));
	if (!r->names)
		return -ENOMEM;
	for (id = 1; id < count; id++) {
		type = btf__type_by_id(local, id);
		if (!btf_is_composite(type))
			continue;
		name = btf__name_by_offset(local, type->name_off);
		flavor = strstr(name, FLAVOR);
		length = flavor ? (size_t)(flavor - name) : strlen(name);
		if (length && length < NAME_ROOM)
			memcpy(r->names[r->count++], name, length);
	}
	qsort(r->names, r->count, sizeof(*r->names), compare_names);
	return 0;
}

static const char *name_of(const struct reduction *r, const struct btf_type *type)
{
	return btf__name_by_offset(r->from, type->name_off);
}

static bool is_wanted(const struct reduction *r, const struct btf_type *type)
{
	return bsearch(name_of(r, type), r->names, r->count, sizeof(*r->names),
		       compare_names);
}

static int copy_type(struct reduction *r, unsigned int id);

static int copy_array(struct reduction *r, const struct btf_array *array)
{
	int index = copy_type(r, array->index_type), type = copy_type(r, array->type);

	if (index < 0 || type < 0)
		return index < 0 ? index : type;
	return btf__add_array(r->to, index, type, array->nelems);
}

/* Members first, because the types are added one after the other. */
static int copy_composite(struct reduction *r, const struct btf_type *type)
{
	const struct btf_member *m = btf_members(type);
	unsigned int i, count = btf_vlen(type);
	int *members = calloc(count + 1, sizeof(*members));
	int id = members ? 0 : -ENOMEM, err = 0;

	for (i = 0; i < count && !id && !err; i++) {
		members[i] = copy_type(r, m[i].type);
		if (members[i] < 0)
			err = members[i];
	}
	if (!id && !err)
		id = btf_is_union(type) ? btf__add_union(r->to, name_of(r, type), type->size) :
					  btf__add_struct(r->to, name_of(r, type), type->size);
	for (i = 0; i < count && id > 0 && !err; i++)
		err = btf__add_field(r->to, btf__name_by_offset(r->from, m[i].name_off),
				     members[i], btf_member_bit_offset(type, i),
				     btf_member_bitfield_size(type, i));
	free(members);
	return err ? err : id;
}

/*
 * Relocations need neither the targets of pointers nor structs unknown to the object: the latter
 * become void.
 */
static int copy_of(struct reduction *r, const struct btf_type *type)
{
	const char *name = name_of(r, type);

	switch (btf_kind(type)) {
	case BTF_KIND_INT:
		return btf__add_int(r->to, name, type->size, btf_int_encoding(type));
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return btf__add_enum(r->to, name, type->size);
	case BTF_KIND_PTR:
		return btf__add_ptr(r->to, 0);
	case BTF_KIND_ARRAY:
		return copy_array(r, btf_array(type));
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return !*name || is_wanted(r, type) ? copy_composite(r, type) : 0;
	}
	return 0;
}

/* Return: its new id, or a negative errno */
static int copy_type(struct reduction *r, unsigned int id)
{
	const struct btf_type *type = btf__type_by_id(r->from, id);

	while (type && (btf_is_mod(type) || btf_is_typedef(type))) {
		id = type->type;
		type = btf__type_by_id(r->from, id);
	}
	if (!type)
		return -EINVAL;
	if (!r->ids[id])
		r->ids[id] = copy_of(r, type);
	return r->ids[id];
}

static int copy_wanted(struct reduction *r)
{
	unsigned int id, count = btf__type_cnt(r->from);
	const struct btf_type *type;
	int err;

	for (id = 1; id < count; id++) {
		type = btf__type_by_id(r->from, id);
		if (!btf_is_composite(type) || !type->name_off || !is_wanted(r, type))
			continue;
		err = copy_type(r, id);
		if (err < 0)
			return err;
	}
	return 0;
}

static int write_types(int fd, const struct btf *types)
{
	uint32_t bytes;
	const void *data = btf__raw_data(types, &bytes);

	if (!data)
		return -ENOMEM;
	return pwrite(fd, data, bytes, 0) == (ssize_t)bytes ? 0 : -errno;
}

const char *kernel_types_path(const struct kernel_types *t)
{
	return t->fd >= 0 && !access(t->path, R_OK) ? t->path : NULL;
}

int kernel_types_reduce(struct kernel_types *t, const struct btf *local)
{
	struct reduction r = { .from = t->all, .to = btf__new_empty() };
	int err = r.to ? find_names(&r, local) : -ENOMEM;

	r.ids = calloc(btf__type_cnt(t->all), sizeof(*r.ids));
	if (!err)
		err = r.ids ? copy_wanted(&r) : -ENOMEM;
	err = err ? err : write_types(t->fd, r.to);
	free(r.ids);
	free(r.names);
	btf__free(r.to);
	return err;
}

/* --- what programs are attached to ---------------------------------------------- */

/*
 * For a program of type TRACING, libbpf reads all types to find this id. So the type is set only
 * here, in the callback that adjusts the program before loading.
 */
static int prepare(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long cookie)
{
	const struct kernel_types *t = (const struct kernel_types *)cookie;
	const char *what = strchr(bpf_program__section_name(prog), '/');
	const struct section *s = sections;
	char name[NAME_ROOM];
	int id;

	while (s->attach != bpf_program__expected_attach_type(prog))
		s++;
	snprintf(name, sizeof(name), "%s%s", s->prefix, what ? what + 1 : "");
	id = btf__find_by_name_kind(t->all, name, s->kind);
	if (id < 0)
		return id;
	opts->attach_btf_id = id;
	return bpf_program__set_type(prog, BPF_PROG_TYPE_TRACING);
}

/*
 * libbpf 1.1 frees its table of handlers with the last one and then still uses it. So one handler
 * stays, for a section that no program has.
 */
static int keep_table(void)
{
	static int handler = -1;

	if (handler < 0)
		handler = libbpf_register_prog_handler("fxt.none", BPF_PROG_TYPE_RAW_TRACEPOINT,
						       0, NULL);
	return handler < 0 ? handler : 0;
}

static void unregister(struct kernel_types *t, size_t count)
{
	while (count--)
		libbpf_unregister_prog_handler(t->handlers[count]);
}

int kernel_types_begin(struct kernel_types *t)
{
	LIBBPF_OPTS(libbpf_prog_handler_opts, opts,
		    .cookie = (long)t, .prog_prepare_load_fn = prepare);
	int err = keep_table();
	size_t i;

	for (i = 0; i < SECTIONS && !err; i++) {
		t->handlers[i] = libbpf_register_prog_handler(sections[i].name,
							      BPF_PROG_TYPE_RAW_TRACEPOINT,
							      sections[i].attach, &opts);
		if (t->handlers[i] >= 0)
			continue;
		err = t->handlers[i];
		unregister(t, i);
	}
	return err;
}

void kernel_types_end(struct kernel_types *t)
{
	unregister(t, SECTIONS);
}
