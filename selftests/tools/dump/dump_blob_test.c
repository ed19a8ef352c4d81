// SPDX-License-Identifier: GPL-2.0-or-later
/* `fxt dump --blob`: the payloads of one name come out in their order, and nothing else. */
#include "convert_run.h"

TEST(dump_blob)
{
	static const struct {
		const char *name;
		const char *bytes;
	} parts[] = { { "a", "one, " }, { "b", "not this" }, { "a", "two, " }, { "a", "three" } };
	struct fxt_writer *w;
	struct memory m;
	char path[64];
	struct tool t;

	ASSERT_EQ(0, begin_archive(&m, &w));
	for (unsigned int i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct fxt_content c = {
			.kind = i == 2 ? FXT_KIND_LARGE_BLOB_BARE : FXT_KIND_BLOB,
			.name = { .bytes = parts[i].name, .length = 1 },
		};

		c.blob = (struct fxt_bytes){ parts[i].bytes, strlen(parts[i].bytes) };
		c.blob_held = c.blob.bytes;
		if (i != 2)
			c.blob_type = FXT_BLOB_DATA;
		ASSERT_EQ(0, fxt_writer_record(w, &c));
	}
	ASSERT_EQ(0, end_archive(&m, w));
	ASSERT_EQ(0, tool_run(&t, ARGS("dump", "--blob", "a", memory_path(&m, path))))
		TH_LOG("%s", t.err);
	EXPECT_EQ(15UL, t.out_bytes);
	EXPECT_EQ(0, strncmp(t.out, "one, two, three", 15)) TH_LOG("%s", t.out);
	ASSERT_EQ(1, tool_run(&t, ARGS("dump", "--blob", "c", memory_path(&m, path))));
	EXPECT_EQ(0UL, t.out_bytes);
	EXPECT_IN(t.err, "no BLOB record");
}
