// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding the functions of addresses in stacks: an address is in the last function that begins
 * before it, but in none if it is beyond the code of the kernel or of a module; each address of a
 * chunk is stored once; damaged notes have no build id.
 */
#include "harness.h"

#include <elf.h>

#include <fxt/fxt_sched.h>

#include "libsym/elf_file.h"
#include "libsym/kernel.h"
#include "fxt-collect/source/source.h"
#include "fxt-collect/symbols/symbols.h"

static const char kallsyms[] =
	"0000000000000000 A fixed_percpu_data\n"
	"ffffffff81000000 T _stext\n"
	"ffffffff81000000 T first\n"
	"ffffffff81000100 t second\n"
	"ffffffff81000180 d data_is_none\n"
	"ffffffff81000200 W third\n"
	"ffffffff81000300 T _etext\n"
	"ffffffff82000000 T in_init\n"
	"ffffffffc0002000 t second_of_fuse\t[fuse]\n"
	"ffffffffc0001000 t first_of_fuse\t[fuse]\n"
	"ffffffffc0008000 t bpf_prog_1234\t[bpf]\n";
static const char modules[] =
	"fuse 8192 1 - Live 0xffffffffc0001000\n"
	"hidden 4096 0 - Live 0x0000000000000000\n";

FIXTURE(symbols)
{
	struct kernel_symbols k;
	struct symbols s;
};

FIXTURE_SETUP(symbols)
{
	memset(self, 0, sizeof(*self));
	self->s.is_on = true;
	self->s.kallsyms = self->s.modules = -1;
	self->s.server.socket = -1;
}

FIXTURE_TEARDOWN(symbols)
{
	kernel_symbols_free(&self->k);
	symbols_close(&self->s);
}

static int file_of(const char *text)
{
	int fd = memfd_create("symbols", MFD_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	return fd;
}

static int read_kernel(FIXTURE_DATA(symbols) *self, const char *text, const char *more)
{
	int fd = file_of(text), other = more ? file_of(more) : -1;
	int ret = kernel_symbols_read(&self->k, fd, other);

	close(fd);
	if (other >= 0)
		close(other);
	return ret;
}

static const char *name(FIXTURE_DATA(symbols) *self, uint64_t address)
{
	const struct kernel_symbol *s = kernel_symbols_find(&self->k, address);

	return s ? s->name : "(none)";
}

static void count_left_out(void *arg, const struct address *a)
{
	*(uint64_t *)arg += a->at == fxt_sched_frame_address(a->at + 1);
}

/* A program with calls from everywhere uses only its own share of the room. */
TEST_F(symbols, addresses_are_bounded_by_process)
{
	uint64_t left_out = 0, i, k;
	struct addresses a = { .left_out = count_left_out, .arg = &left_out };

	for (i = 0; i < 2 * ADDRESSES_MOST; i++)
		ASSERT_EQ(0, addresses_add(&a, 1, 0x1000 + i, 1));
	EXPECT_EQ(ADDRESSES_EACH, a.count);
	EXPECT_EQ(2 * ADDRESSES_MOST - ADDRESSES_EACH, a.frames_left_out);
	EXPECT_EQ(a.frames_left_out, left_out);
	for (k = 2; k < 50; k++)
		for (i = 0; i < ADDRESSES_EACH; i++)
			ASSERT_EQ(0, addresses_add(&a, k, 0x1000 + i, 1));
	EXPECT_GE(ADDRESSES_MOST, a.count);
	EXPECT_EQ(a.frames_left_out, left_out);
	/* All addresses of another program are still kept, and so are those of the kernel. */
	k = a.frames_left_out;
	for (i = 0; i < 1000; i++) {
		ASSERT_EQ(0, addresses_add(&a, 100, 0x1000 + i, 1));
		ASSERT_EQ(0, addresses_add(&a, 100, 0xffffffff81000001 + i, 1));
	}
	left_out = a.count;
	for (i = 0; i < 1000; i++)
		ASSERT_EQ(0, addresses_add(&a, 100, 0x1000 + i, 2));
	EXPECT_EQ(left_out, a.count);
	addresses_sort(&a);
	EXPECT_EQ(0U, a.slots[999].process);
	EXPECT_EQ(1U, a.slots[1000].process);
	EXPECT_EQ(100U, a.slots[a.count - 1].process);
	EXPECT_EQ(100U, a.slots[a.count - 1000].process);
	EXPECT_EQ(2U, a.slots[a.count - 1].last);
	addresses_free(&a);
}

TEST_F(symbols, addresses_are_in_functions)
{
	ASSERT_EQ(0, read_kernel(self, kallsyms, modules));
	EXPECT_STREQ("(none)", name(self, 0xffffffff80ffffff));
	EXPECT_STREQ("_stext", name(self, 0xffffffff81000000));
	EXPECT_STREQ("_stext", name(self, 0xffffffff810000ff));
	EXPECT_STREQ("second", name(self, 0xffffffff81000190));
	EXPECT_STREQ("third", name(self, 0xffffffff810002ff));
	EXPECT_STREQ("(none)", name(self, 0xffffffff83000000));
	EXPECT_STREQ("first_of_fuse", name(self, 0xffffffffc0001fff));
	EXPECT_STREQ("second_of_fuse", name(self, 0xffffffffc0002fff));
	EXPECT_STREQ("(none)", name(self, 0xffffffffc0003000));
	EXPECT_STREQ("bpf_prog_1234", name(self, 0xffffffffc0008010));
	EXPECT_STREQ("(none)", name(self, 0xffffffffffffffff));
	EXPECT_STREQ("fuse", kernel_symbols_find(&self->k, 0xffffffffc0001000)->module);
	EXPECT_EQ(NULL, kernel_symbols_find(&self->k, 0xffffffff81000000)->module);
	ASSERT_EQ(2U, self->k.range_count);
	EXPECT_EQ(0xffffffff81000300, self->k.ranges[0].end);
	EXPECT_STREQ("fuse", self->k.ranges[1].name);
}

/* As on arm64: modules come before the kernel, and its code ends where its data begins. */
TEST_F(symbols, code_of_the_kernel_is_between_its_limits)
{
	ASSERT_EQ(0, read_kernel(self, "ffff800001000000 t first_of_fuse\t[fuse]\n"
				 "ffff800001008000 t bpf_prog_1234\t[bpf]\n"
				 "ffff800008000000 T _text\n"
				 "ffff800008010000 T _stext\n"
				 "ffff800008010100 T first\n"
				 "ffff800008c90000 D _etext\n"
				 "ffff800009000000 t in_init\n", NULL));
	ASSERT_EQ(1U, self->k.range_count);
	EXPECT_EQ(0xffff800008010000, self->k.ranges[0].start);
	EXPECT_EQ(0xffff800008c90000, self->k.ranges[0].end);
	EXPECT_STREQ("first", name(self, 0xffff800008c8ffff));
	EXPECT_STREQ("(none)", name(self, 0xffff800008c90000));
}

/* On arm64, modules have marks of type t where code and data begin. */
TEST_F(symbols, marks_in_code_are_no_functions)
{
	ASSERT_EQ(0, read_kernel(self, "ffff800001000000 t $x\t[fuse]\n"
				 "ffff800001000000 t first_of_fuse\t[fuse]\n"
				 "ffff800001000100 t $d\t[fuse]\n"
				 "ffff800001000110 t $x.7\t[fuse]\n"
				 "ffff800001000200 t second_of_fuse\t[fuse]\n"
				 "ffff800008010000 T _stext\n"
				 "ffff800008c90000 D _etext\n", NULL));
	EXPECT_STREQ("first_of_fuse", name(self, 0xffff800001000000));
	EXPECT_STREQ("first_of_fuse", name(self, 0xffff8000010001ff));
	EXPECT_STREQ("second_of_fuse", name(self, 0xffff800001000200));
}

/* BPF programs come and go, so they must not change where the kernel begins. */
TEST_F(symbols, code_of_the_kernel_without_limits_is_that_of_no_module)
{
	ASSERT_EQ(0, read_kernel(self, "ffff800001008000 t bpf_prog_1234\t[bpf]\n"
				 "ffff800008010100 T first\n"
				 "ffff800008020000 T last\n"
				 "ffff800080000000 t bpf_prog_5678\t[bpf]\n", NULL));
	ASSERT_EQ(1U, self->k.range_count);
	EXPECT_EQ(0xffff800008010100, self->k.ranges[0].start);
	EXPECT_EQ(0xffff800008020000, self->k.ranges[0].end);
}

TEST_F(symbols, hidden_addresses_are_none)
{
	EXPECT_EQ(-ENOENT, read_kernel(self, "0000000000000000 T _stext\n"
					     "0000000000000000 T second\n", NULL));
	EXPECT_EQ(-ENOENT, read_kernel(self, "", ""));
	EXPECT_EQ(-ENOENT, read_kernel(self, "ffffffff81000000\nT\n \nffffffff81000000 T", NULL));
}

TEST_F(symbols, each_address_is_kept_once)
{
	uint64_t words[3 * FXT_SCHED_STACK_WORDS] = { 0 };
	struct chunk c = { .data = words };
	struct addresses *a = &self->s.addresses;
	uint32_t at = 0, i;

	at += fxt_sched_put_switch((__u64 *)words, 1, 0, 11, 0, 1024, FXT_SCHED_WEIGHT_IDLE,
				   (struct fxt_sched_state){ FXT_THREAD_BLOCKED, 0 });
	for (i = 0; i < 3; i++)
		words[at + FXT_SCHED_STACK_HEAD + i] = 300 - 100 * (i & 1);
	words[at + FXT_SCHED_STACK_HEAD] = 0xffffffff81000001;
	at += fxt_sched_put_stack((__u64 *)words + at, 2, 11, 11, 3);
	words[at + FXT_SCHED_STACK_HEAD] = 200;
	words[at + FXT_SCHED_STACK_HEAD + 1] = 0;
	at += fxt_sched_put_stack((__u64 *)words + at, 3, 12, 11, 2);
	at += fxt_sched_put_stack((__u64 *)words + at, 4, 11, 11, 0);
	words[at + FXT_SCHED_STACK_HEAD] = 200;
	at += fxt_sched_put_stack((__u64 *)words + at, 5, 13, 13, 1);
	c.bytes = at * FXT_WORD;
	ASSERT_EQ(0, symbols_chunk(&self->s, &c));
	ASSERT_EQ(0, symbols_chunk(&self->s, &c));
	addresses_sort(a);
	ASSERT_EQ(4U, a->count);
	EXPECT_EQ(0U, a->slots[0].process);
	EXPECT_EQ(0xffffffff81000000, a->slots[0].at);
	EXPECT_EQ(11U, a->slots[1].process);
	EXPECT_EQ(199U, a->slots[1].at);
	EXPECT_EQ(2U, a->slots[1].first);
	EXPECT_EQ(3U, a->slots[1].last);
	EXPECT_EQ(299U, a->slots[2].at);
	EXPECT_EQ(13U, a->slots[3].process);
	EXPECT_EQ(199U, a->slots[3].at);
}

TEST_F(symbols, many_addresses_find_room)
{
	uint64_t words[FXT_SCHED_STACK_WORDS];
	struct chunk c = { .data = words };
	struct addresses *a = &self->s.addresses;

	for (uint32_t i = 0; i < 1000; i++) {
		for (uint32_t j = 0; j < FXT_SCHED_STACK_FRAMES; j++)
			words[FXT_SCHED_STACK_HEAD + j] = 1 + (i * FXT_SCHED_STACK_FRAMES + j) * 16;
		c.bytes = FXT_WORD * fxt_sched_put_stack((__u64 *)words, 1, 11, 11,
							 FXT_SCHED_STACK_FRAMES);
		ASSERT_EQ(0, symbols_chunk(&self->s, &c));
	}
	addresses_sort(a);
	/* One of them was 1, whose function would be at 0. */
	ASSERT_EQ(1000U * FXT_SCHED_STACK_FRAMES - 1, a->count);
	for (uint32_t i = 1; i < a->count; i++)
		ASSERT_LT(a->slots[i - 1].at, a->slots[i].at);
}

TEST(build_ids_are_found_in_notes)
{
	struct {
		Elf64_Nhdr other;
		char linux_name[8];
		char linux_value[4];
		Elf64_Nhdr note;
		char gnu[4];
		unsigned char id[20];
	} notes = {
		.other = { 6, 4, 0x100 }, .linux_name = "Linux",
		.note = { 4, 20, NT_GNU_BUILD_ID }, .gnu = "GNU", .id = { 1, 2, 3 },
	};
	unsigned char id[BUILD_ID_MOST];

	ASSERT_EQ(20U, build_id_find(&notes, sizeof(notes), id));
	EXPECT_EQ(0, memcmp(id, notes.id, 20));
	EXPECT_EQ(0U, build_id_find(&notes, sizeof(notes) - 1, id));
	EXPECT_EQ(0U, build_id_find(&notes, 5, id));
	notes.other.n_descsz = UINT32_MAX;
	EXPECT_EQ(0U, build_id_find(&notes, sizeof(notes), id));
	notes.other.n_descsz = 4;
	notes.note.n_descsz = 65;
	EXPECT_EQ(0U, build_id_find(&notes, sizeof(notes), id));
}
