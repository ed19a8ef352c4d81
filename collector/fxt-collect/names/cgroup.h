/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup.h - paths of cgroups, and how to tell one from another.
 */
#ifndef FXT_COLLECT_NAMES_CGROUP_H
#define FXT_COLLECT_NAMES_CGROUP_H

#include <stddef.h>

/* Room for what tells a cgroup apart. */
#define NAMES_LABEL_ROOM	(24 + 1)

/**
 * cgroup_of() - choose the path out of /proc/PID/cgroup
 * @text: the file, terminated; will be changed
 *
 * That of cgroup v2, or where processes are not told apart by it, of v1: systemd's
 * own, else the longest.
 *
 * Return: the path, in @text, or NULL.
 */
char *cgroup_of(char *text);

/** cgroup_compare() - as strcmp(3), but from the last byte on */
int cgroup_compare(const char *a, const char *b);

/** cgroup_common() - how many components both have in common at their ends */
size_t cgroup_common(const char *a, const char *b);

/**
 * cgroup_label() - one component, to be shown
 * @cgroup: the path
 * @skip: components to pass over, from the last one on
 * @label: NAMES_LABEL_ROOM bytes; "/" if no component is left
 */
void cgroup_label(const char *cgroup, size_t skip, char *label);

#endif /* FXT_COLLECT_NAMES_CGROUP_H */
