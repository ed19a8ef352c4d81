/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * objects.h - the objects that an archive describes, and that arguments refer to.
 *
 * In:  kernel and userspace object records, in the order of the archive.
 * Out: name, type and process of the object with a koid, or with a pointer in a process.
 *
 * The last record of an object counts, but an empty name does not replace a name. Records of forks,
 * execve() and renames have the time when they happened, and may be far before or after other
 * events of that time. With @by_time, a thread has its name at the time @now.
 *
 * Fuchsia never assigns a koid to two objects. On Linux, a process and its main thread have the
 * same koid and may have different names, so each of them is an object.
 *
 * Memory grows with the number of objects, up to a limit if the caller sets one.
 */
#ifndef LIBFXT_OBJECTS_H
#define LIBFXT_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fxt_reader.h"
#include "map.h"

/* Ids are unique within a class; those of userspace objects within one process. */
enum fxt_object_class {
	FXT_CLASS_USERSPACE,
	FXT_CLASS_PROCESS,
	FXT_CLASS_THREAD,
	FXT_CLASS_OTHER,	/* kernel objects of all other types */
};

struct fxt_object_name {	/* of a thread */
	uint64_t from;			/* ticks since when */
	bool is_fork;			/* another thread had the id before */
	uint16_t length;
	char *text;
};

/* Its address does not change. */
struct fxt_object {
	struct map_node node;
	uint64_t id;			/* pointer or koid */
	uint64_t process;	/* koid, of userspace objects, and of threads if known; else 0 */
	enum fxt_object_class class;
	uint8_t type;	/* of kernel objects: enum fxt_object_type or another number */
	uint16_t length;		/* of @name; 0: no name */
	char *name;			/* not terminated, may be any bytes */
	uint16_t base_length;
	char *base;	/* the name without a time, allocated */
	struct fxt_object_name *timed;	/* names with a time, in order */
	size_t timed_count;
	/* ticks from and before which @name is right, unless a record changes it */
	uint64_t since;
	uint64_t until;
};

/* Initialize with zeros; ends with fxt_objects_free(). */
struct fxt_objects {
	struct map map;			/* by class, process and id */
	size_t bytes;			/* of all objects */
	size_t max_bytes;		/* new objects beyond this limit are ignored; 0: no limit */
	size_t changes;			/* records that were learned */
	bool by_time;			/* threads have their names of @now */
	uint64_t now;	/* ticks */
};

/* The class of the object that a record describes. */
enum fxt_object_class fxt_object_class(const struct fxt_content *c);

/*
 * Add or update the object of a record, if it is an object record. @first: keep the name that the
 * object already has
 *
 * A caller that reads an archive twice sets @first in the first pass. In the second pass it then
 * knows a name of every object from the beginning.
 *
 * Return: 0 or -ENOMEM.
 */
int fxt_objects_learn(struct fxt_objects *o, const struct fxt_content *c, bool first);

/*
 * @process: koid; only for userspace objects. Return: NULL if no record has described the object.
 */
const struct fxt_object *fxt_objects_find(const struct fxt_objects *o,
					  enum fxt_object_class class, uint64_t process,
					  uint64_t id);

/* The object that an object record describes. */
const struct fxt_object *fxt_objects_of(const struct fxt_objects *o, const struct fxt_content *c);

/*
 * The object that an argument refers to. @process: koid of the process of the argument's record
 *
 * If both a process and a thread have the koid, it means the thread, unless
 * fxt_argument_is_process().
 *
 * Return: NULL if the argument is neither a pointer nor a koid, or if no record has described the
 * object.
 */
const struct fxt_object *fxt_objects_argument(const struct fxt_objects *o, uint64_t process,
					      const struct fxt_arg *arg);

/* Does a koid mean a process, as in "process" and "parent"? */
bool fxt_argument_is_process(const struct fxt_arg *arg);

/* The koid in the argument "process" of a record. Return: false if the record lacks it. */
bool fxt_object_process(const struct fxt_content *c, uint64_t *process);

/* Is an argument (FXT_STR_*) the time of an event of the thread? */
bool fxt_object_is_time(uint16_t name);

/*
 * The time of the event that an object record describes. Return: the argument's name, see
 * fxt_object_is_time(); 0 if it has no time.
 */
uint16_t fxt_object_time(const struct fxt_content *c, uint64_t *ticks);

void fxt_objects_free(struct fxt_objects *o);

#endif /* LIBFXT_OBJECTS_H */
