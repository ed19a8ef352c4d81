/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * objects.h - the objects that an archive describes, and that arguments refer to.
 *
 * In:  kernel and userspace object records, in the order of the archive.
 * Out: the name, type and process of the object with a koid, or with a pointer in a
 *      process.
 *
 * The last record of an object counts, but a later empty name does not replace a name.
 * Records of forks, execve() and renames have the time when they happened, and may be far before
 * or after other events of that time. With @by_time, a thread has its name at the time @now.
 *
 * Fuchsia never assigns a koid to two objects. On Linux, a process and its main thread
 * have the same koid and may have different names, so each of them is an object.
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

/** struct fxt_object_name - a thread's name, and since when it has it */
struct fxt_object_name {
	uint64_t from;			/* ticks */
	bool is_fork;			/* another thread had the id before */
	uint16_t length;
	char *text;
};

/** struct fxt_object - one object; its address does not change */
struct fxt_object {
	struct map_node node;		/* in struct fxt_objects */
	uint64_t id;			/* pointer or koid */
	uint64_t process;	/* koid, of userspace objects, and of threads if it is known; else 0 */
	enum fxt_object_class class;	/* its class */
	uint8_t type;	/* of kernel objects: enum fxt_object_type or another number */
	uint16_t length;		/* bytes of @name; 0: no name */
	char *name;			/* not terminated, may be any bytes */
	uint16_t base_length;
	char *base;	/* the name without a time, allocated; @base_length likewise */
	struct fxt_object_name *timed;	/* names with a time, by time; @timed_count of them */
	size_t timed_count;
	/* Ticks; @name is right from this time until before @until, unless a record changes it. */
	uint64_t since;
	uint64_t until;
};

/** struct fxt_objects - all objects; initialize with zeros, ends with fxt_objects_free() */
struct fxt_objects {
	struct map map;			/* by class, process and id */
	size_t bytes;			/* memory of all objects */
	size_t max_bytes;		/* new objects beyond this limit are ignored; 0: no limit */
	size_t changes;			/* number of records that were learned */
	bool by_time;			/* threads have their names by time */
	uint64_t now;	/* ticks; with @by_time, threads have their names of this time */
};

/** fxt_object_class() - class of the object that a record describes */
enum fxt_object_class fxt_object_class(const struct fxt_content *c);

/**
 * fxt_objects_learn() - add the object of a record, or update it
 * @c: the record's content; ignored unless it is an object record
 * @first: keep the name that the object already has
 *
 * A caller that reads an archive twice sets @first in the first pass. In the second pass
 * it then knows a name of every object from the beginning.
 *
 * Return: 0 or -ENOMEM.
 */
int fxt_objects_learn(struct fxt_objects *o, const struct fxt_content *c, bool first);

/**
 * fxt_objects_find() - find an object by its id
 * @process: koid of the process; only for userspace objects
 *
 * Return: NULL if no record has described it.
 */
const struct fxt_object *fxt_objects_find(const struct fxt_objects *o,
					  enum fxt_object_class class, uint64_t process,
					  uint64_t id);

/** fxt_objects_of() - find the object that an object record describes */
const struct fxt_object *fxt_objects_of(const struct fxt_objects *o, const struct fxt_content *c);

/**
 * fxt_objects_argument() - find the object that an argument refers to
 * @process: koid of the process of the argument's record
 *
 * If both a process and a thread have the koid, it means the thread, unless
 * fxt_argument_is_process().
 *
 * Return: NULL if the argument is neither a pointer nor a koid, or if no record has
 * described the object.
 */
const struct fxt_object *fxt_objects_argument(const struct fxt_objects *o, uint64_t process,
					      const struct fxt_arg *arg);

/** fxt_argument_is_process() - does a koid mean a process, as in "process" and "parent"? */
bool fxt_argument_is_process(const struct fxt_arg *arg);

/**
 * fxt_object_process() - the koid in the argument "process" of a record. Return: true and @process
 * is set if the record has the argument
 */
bool fxt_object_process(const struct fxt_content *c, uint64_t *process);

/** fxt_object_is_time() - is an argument (FXT_STR_*) the time of an event of the thread? */
bool fxt_object_is_time(uint16_t name);

/**
 * fxt_object_time() - the time of the event that an object record describes. Return: the
 * argument's name, see fxt_object_is_time(); 0 if it has no time
 */
uint16_t fxt_object_time(const struct fxt_content *c, uint64_t *ticks);

void fxt_objects_free(struct fxt_objects *o);

#endif /* LIBFXT_OBJECTS_H */
