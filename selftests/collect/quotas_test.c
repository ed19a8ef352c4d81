// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list of cgroups that have a quota never exceeds its limit, and counts the other cgroups; a
 * cgroup that is removed makes room for another one.
 */
#include "harness.h"
#include "archive/quotas.h"
#include "collector.h"

#define MORE	3

FIXTURE(quotas) {
	char dir[RECORD_PATH];
	struct quota_list l;
};

FIXTURE_SETUP(quotas)
{
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	self->l.root = open(self->dir, O_RDONLY | O_DIRECTORY);
	ASSERT_LE(0, self->l.root);
}

FIXTURE_TEARDOWN(quotas)
{
	quota_list_close(&self->l);
	dir_remove(self->dir);
}

static int make(int root, unsigned int number, const char *max)
{
	char path[64];
	int fd, ret;

	snprintf(path, sizeof(path), "%u", number);
	if (mkdirat(root, path, 0700))
		return -1;
	snprintf(path, sizeof(path), "%u/cpu.max", number);
	fd = openat(root, path, O_WRONLY | O_CREAT, 0600);
	ret = fd < 0 || write(fd, max, strlen(max)) < 0 ? -1 : 0;
	close(fd);
	return ret;
}

static int remove_one(int root, unsigned int number)
{
	char path[64];

	snprintf(path, sizeof(path), "%u/cpu.max", number);
	if (unlinkat(root, path, 0))
		return -1;
	*strchr(path, '/') = '\0';
	return unlinkat(root, path, AT_REMOVEDIR);
}

static int search(struct quota_list *l)
{
	l->next_search = 0;
	return quota_list_search(l);
}

static unsigned int known(const struct quota_list *l)
{
	return l->all.count - l->over;
}

TEST_F(quotas, are_bounded)
{
	struct quota_list *l = &self->l;
	unsigned int i;

	ASSERT_EQ(0, make(l->root, 0, "max 100000\n"));
	for (i = 1; i <= QUOTA_LIST_MOST; i++)
		ASSERT_EQ(0, make(l->root, i, "1000 100000\n"));
	ASSERT_EQ(0, search(l));
	EXPECT_EQ((unsigned int)QUOTA_LIST_MOST, known(l));
	EXPECT_EQ(0U, l->left_out);
	for (; i <= QUOTA_LIST_MOST + MORE; i++)
		ASSERT_EQ(0, make(l->root, i, "1000 100000\n"));
	ASSERT_EQ(0, search(l));
	EXPECT_EQ((unsigned int)QUOTA_LIST_MOST, known(l));
	EXPECT_EQ((unsigned int)MORE, l->left_out);

	/* One is gone. The next search sees that, and the one after it finds another one. */
	ASSERT_EQ(0, remove_one(l->root, 1));
	ASSERT_EQ(0, search(l));
	ASSERT_EQ(0, search(l));
	EXPECT_EQ((unsigned int)QUOTA_LIST_MOST, known(l));
	EXPECT_EQ(MORE - 1U, l->beyond);
	EXPECT_EQ((unsigned int)MORE, l->left_out);
}
