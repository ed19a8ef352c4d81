// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cgroup.c - paths of cgroups, and how to tell them apart.
 *
 * In: the text of /proc/PID/cgroup, paths. Out: the path of a process, an order of paths
 * by their ends, and the component to show.
 */
#include <stdbool.h>
#include <string.h>

#include "cgroup.h"
#include "text.h"

/* Appended by the kernel if a cgroup is removed while a zombie is left in it. */
#define DELETED		" (deleted)"

/* --- /proc/PID/cgroup ------------------------------------------------------------- */

/* One line: "number:controllers:path" of v1, "0::path" of v2. */
struct line {
	char *controllers;
	char *path;
};

/* Remove one whole line from the head of *@text. */
static bool next_line(char **text, struct line *l)
{
	static const size_t deleted = sizeof(DELETED) - 1;
	char *end = strchr(*text, '\n'), *colon;

	if (!end)
		return false;
	*end = '\0';
	colon = strchr(*text, ':');
	l->controllers = colon ? colon + 1 : end;
	colon = strchr(l->controllers, ':');
	l->path = colon ? colon + 1 : end;
	if (colon)
		*colon = '\0';
	*text = end + 1;
	if ((size_t)(end - l->path) > deleted && !strcmp(end - deleted, DELETED))
		*(end - deleted) = '\0';
	return true;
}

/*
 * Rank of a line. Where v1 is in use, all processes are often in the root of v2, and in
 * the root of unused controllers.
 */
enum worth {
	NO_PATH,
	ROOT,
	SOME_V1,
	SYSTEMD_V1,
	V2,
};

static enum worth worth_of(const struct line *l)
{
	if (l->path[0] != '/')
		return NO_PATH;
	if (!l->path[1])
		return ROOT;
	if (!*l->controllers)
		return V2;
	return strcmp(l->controllers, "name=systemd") ? SOME_V1 : SYSTEMD_V1;
}

char *cgroup_of(char *text)
{
	enum worth worth, best_worth = NO_PATH;
	char *best = NULL;
	struct line l;

	while (next_line(&text, &l)) {
		worth = worth_of(&l);
		if (worth > best_worth ||
		    (worth == SOME_V1 && best_worth == SOME_V1 &&
		     strlen(l.path) > strlen(best))) {
			best = l.path;
			best_worth = worth;
		}
	}
	return best;
}

/* --- components ------------------------------------------------------------------- */

int cgroup_compare(const char *a, const char *b)
{
	size_t i = strlen(a), j = strlen(b);

	while (i && j) {
		i--;
		j--;
		if (a[i] != b[j])
			return (unsigned char)a[i] < (unsigned char)b[j] ? -1 : 1;
	}
	return i ? 1 : j ? -1 : 0;
}

/* Each component begins with a slash. */
size_t cgroup_common(const char *a, const char *b)
{
	size_t i = strlen(a), j = strlen(b), components = 0;

	while (i && j && a[i - 1] == b[j - 1]) {
		i--;
		j--;
		components += a[i] == '/';
	}
	return components;
}

void cgroup_label(const char *cgroup, size_t skip, char *label)
{
	size_t end = strlen(cgroup), begin;

	for (;; end = begin - 1) {
		for (begin = end; begin && cgroup[begin - 1] != '/'; begin--)
			;
		if (!skip-- || !begin)
			break;
	}
	clean_text(label, NAMES_LABEL_ROOM, cgroup + begin, end - begin);
	if (!*label)
		strcpy(label, "/");
}
