/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * objects.h - the objects that an archive describes, and which of them arguments mean.
 *
 * What flows in: kernel and userspace object records, in the order of the archive. What
 * flows out: the object behind a koid, or behind a pointer of a process: its name, its
 * type, its process. The last record of an object counts, but a name stays where a later
 * record has an empty one.
 *
 * Fuchsia never gives a koid to two objects. Linux numbers processes and threads alike: a
 * process and its main thread have one koid and may have two names, so each is an object
 * of its own.
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

/**
 * struct fxt_object - one of them; its address stays the same
 * @node: for the table
 * @id: pointer or koid
 * @process: koid of the process that it is in: of userspace objects, and of threads if a
 *	record has said so; else 0
 * @class: its class
 * @type: enum fxt_object_type, or another number; of kernel objects
 * @length: bytes of @name; 0: it has no name
 * @name: not terminated, may be any bytes
 */
struct fxt_object {
	struct map_node node;
	uint64_t id;
	uint64_t process;
	enum fxt_object_class class;
	uint8_t type;
	uint16_t length;
	char *name;
};

/**
 * struct fxt_objects - all of them; begins as zeros, ends with fxt_objects_free()
 * @map: by class, process and id
 * @bytes: what they take
 * @max_bytes: no new object is kept beyond that; 0: no limit
 */
struct fxt_objects {
	struct map map;
	size_t bytes;
	size_t max_bytes;
};

/** fxt_object_class() - of the object that a record describes */
enum fxt_object_class fxt_object_class(const struct fxt_content *c);

/**
 * fxt_objects_learn() - look at a record
 * @o: the objects
 * @c: its content; all but object records are passed over
 * @first: keep the name that an object has already
 *
 * A caller that reads an archive twice sets @first in the first round: then it knows in
 * the second one a name of each object from the beginning.
 *
 * Return: 0 or -ENOMEM.
 */
int fxt_objects_learn(struct fxt_objects *o, const struct fxt_content *c, bool first);

/**
 * fxt_objects_find() - by its id
 * @o: the objects
 * @class: its class
 * @process: of userspace objects, koid of the process; else not looked at
 * @id: pointer or koid
 *
 * Return: NULL if no record has described it.
 */
const struct fxt_object *fxt_objects_find(const struct fxt_objects *o,
					  enum fxt_object_class class, uint64_t process,
					  uint64_t id);

/** fxt_objects_of() - the same, by the object record that describes it */
const struct fxt_object *fxt_objects_of(const struct fxt_objects *o,
					const struct fxt_content *c);

/**
 * fxt_objects_argument() - the object that an argument refers to
 * @o: the objects
 * @process: koid of the process that the argument's record belongs to
 * @arg: the argument
 *
 * A koid that both a process and a thread have means the thread, but in an argument
 * named "process".
 *
 * Return: NULL if it is no pointer and no koid, or if no record has described it.
 */
const struct fxt_object *fxt_objects_argument(const struct fxt_objects *o, uint64_t process,
					      const struct fxt_arg *arg);

/** fxt_object_process() - the koid in the argument "process" of a record. Return: is it there? */
bool fxt_object_process(const struct fxt_content *c, uint64_t *process);

void fxt_objects_free(struct fxt_objects *o);

#endif /* LIBFXT_OBJECTS_H */
