// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names that only the kernel knows: bpf/label.bpf.h as the programs have it, with functions of this
 * file in place of the kernel's. The names are those of the module: 32 bytes at most, ASCII,
 * without a module's name; once a module has come or gone, a function's name is looked up again.
 */
#include "harness.h"

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

/* --- the kernel, as far as the programs need it -------------------------------------- */

static const char *symbol;	/* what the kernel calls the function */
static unsigned int lookups;

static long read_string(void *to, __u32 room, const void *from)
{
	return snprintf(to, room, "%s", (const char *)from) < (int)room ?
	       (long)strlen(from) + 1 : (long)room;
}

static long read_bytes(void *to, __u32 bytes, const void *from)
{
	memcpy(to, from, bytes);
	return 0;
}

static long name_symbol(char *to, __u32 room)
{
	lookups++;
	return snprintf(to, room, "%s", symbol) + 1;
}

static void *find_element(void *map, const void *key);
static long store_element(void *map, const void *key, const void *value);

#define bpf_probe_read_kernel_str	read_string
#define bpf_probe_read_kernel		read_bytes
#define bpf_snprintf(to, room, format, args, bytes)	((void)(format), name_symbol(to, room))
#define bpf_map_lookup_elem		find_element
#define bpf_map_update_elem(map, key, value, flags)	store_element(map, key, value)

#include "bpf/label.bpf.h"

static struct function stored;
static bool is_stored;

static void *find_element(void *map, const void *key)
{
	return is_stored ? &stored : NULL;
}

static long store_element(void *map, const void *key, const void *value)
{
	stored = *(const struct function *)value;
	is_stored = true;
	return 0;
}

/* --- tests --------------------------------------------------------------------------- */

FIXTURE(label)
{
	struct fxt_sched_label label;
};

FIXTURE_SETUP(label)
{
	lookups = 0;
	is_stored = false;
}

FIXTURE_TEARDOWN(label) { }

/* Return: 0 if the label has exactly this text, and zeros behind it. */
static int differs(const struct fxt_sched_label *label, const char *text)
{
	char expected[sizeof(label->words)] = "";

	memcpy(expected, text, strlen(text));
	return label->bytes != strlen(text) || memcmp(expected, label->words, sizeof(expected));
}

TEST_F(label, handlers)
{
	static const struct {
		const char *name;
		const char *label;
	} cases[] = {
		{ "timer", "timer" },
		{ "", "?" },
		{ "1234567890123456789012345678901", "1234567890123456789012345678901" },
		{ "12345678901234567890123456789012", "12345678901234567890123456789012" },
		{ "123456789012345678901234567890123", "12345678901234567890123456789012" },
		{ "i2c \xc3\xa4 \x7f \x80", "i2c ?? \x7f ?" },
		{ "1234567890123456789012345678901\xff", "1234567890123456789012345678901?" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		label_of_handler(&self->label, cases[i].name);
		EXPECT_EQ(0, differs(&self->label, cases[i].label)) TH_LOG("%s", cases[i].name);
	}
}

TEST_F(label, functions)
{
	static const struct {
		const char *symbol;
		const char *label;
	} cases[] = {
		{ "vmstat_update", "vmstat_update" },
		{ "ext4_end_io_work [ext4]", "ext4_end_io_work" },
		{ "a_function_with_a_name_of_32_byt", "a_function_with_a_name_of_32_byt" },
		{ "a_function_with_a_name_of_32_byt [m]", "a_function_with_a_name_of_32_byt" },
		{ "a_function_with_a_name_of_33_byte", "a_function_with_a_name_of_33_byt" },
		{ "", "?" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		is_stored = false;
		symbol = cases[i].symbol;
		label_of_function(&self->label, 1);
		EXPECT_EQ(0, differs(&self->label, cases[i].label)) TH_LOG("%s", symbol);
	}
}

/* A module's addresses may belong to another one later. */
TEST_F(label, changes_with_modules)
{
	symbol = "old";
	label_of_function(&self->label, 1);
	symbol = "new";
	label_of_function(&self->label, 1);
	EXPECT_EQ(0, differs(&self->label, "old"));
	EXPECT_EQ(1U, lookups);
	label_note_module();
	label_of_function(&self->label, 1);
	EXPECT_EQ(0, differs(&self->label, "new"));
	label_of_function(&self->label, 1);
	EXPECT_EQ(2U, lookups);
}
