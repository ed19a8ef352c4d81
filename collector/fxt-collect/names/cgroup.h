/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup.h - paths of cgroups, and how to tell them apart.
 */
#ifndef FXT_COLLECT_NAMES_CGROUP_H
#define FXT_COLLECT_NAMES_CGROUP_H

#include <stddef.h>

/* Size of the label that tells a cgroup apart. */
#define NAMES_LABEL_ROOM	(24 + 1)

/**
 * cgroup_of() - choose the path out of /proc/PID/cgroup
 * @text: the file, terminated; is modified
 *
 * The path of cgroup v2; if that is the root, a path of v1: systemd's own, else the
 * longest.
 *
 * Return: the path, in @text, or NULL.
 */
char *cgroup_of(char *text);

/** cgroup_compare() - as strcmp(3), but from the last byte on */
int cgroup_compare(const char *a, const char *b);

/** cgroup_common() - number of components that the ends of both have in common */
size_t cgroup_common(const char *a, const char *b);

/**
 * cgroup_label() - the component to show
 * @cgroup: the path
 * @skip: number of components to skip, from the end
 * @label: NAMES_LABEL_ROOM bytes; "/" if no component is left
 */
void cgroup_label(const char *cgroup, size_t skip, char *label);

#endif /* FXT_COLLECT_NAMES_CGROUP_H */
