// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions in ELF files, found by their addresses, in the file or in its separate debug file; a
 * file that is damaged or has another build id yields none, and is reported; reading never blocks,
 * and no header can make it use much memory or time.
 */
#include "harness.h"

#include <elf.h>
#include <sys/inotify.h>
#include <sys/resource.h>

#include <fxt/fxt_sched_stack.h>

#include "libfxt/fxt_writer.h"
#include "libsym/elf_file.h"
#include "libsym/images.h"
#include "libsym/resolve.h"
#include "own_program.h"
#include "tool.h"

__attribute__((noinline, noclone)) static int known_function(int n)
{
	asm volatile("" : "+r"(n));
	return n;
}

FIXTURE(elf_file)
{
	struct elf_file f;
	struct elf_id id;
	char *bytes;
	size_t size;
	char dir[32];
	char path[64];
};

static uint64_t known_vaddr(void)
{
	return (uintptr_t)known_function - own_bias();
}

FIXTURE_SETUP(elf_file)
{

	memset(self, 0, sizeof(*self));
	self->f = (struct elf_file){ .fd = -1, .debug_fd = -1 };
	strcpy(self->dir, "/tmp/elf_file_test.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->dir));
	snprintf(self->path, sizeof(self->path), "%s/program", self->dir);
	self->bytes = own_program_read(&self->size, &self->id);
	ASSERT_NE(NULL, self->bytes);
	ASSERT_LT(0U, self->id.bytes) TH_LOG("the linker writes no build ids");
	ASSERT_EQ(1, known_function(1));
}

FIXTURE_TEARDOWN(elf_file)
{
	char command[64];

	elf_close(&self->f);
	snprintf(command, sizeof(command), "rm -r %s", self->dir);
	if (system(command))
		abort();
}

static Elf64_Ehdr *head_of(FIXTURE_DATA(elf_file) *self)
{
	return (Elf64_Ehdr *)self->bytes;
}

/* Make the file look stripped, without changing its length. */
static void strip(FIXTURE_DATA(elf_file) *self)
{
	head_of(self)->e_shoff = 0;
	head_of(self)->e_shnum = head_of(self)->e_shstrndx = 0;
}

/* Change the build id wherever the file has it. */
static void change_id(FIXTURE_DATA(elf_file) *self)
{
	char *at = memmem(self->bytes, self->size, self->id.id, self->id.bytes);

	for (; at; at = memmem(at, self->bytes + self->size - at, self->id.id, self->id.bytes))
		at[0] ^= 1;
}

static void save_debug_file(FIXTURE_DATA(elf_file) *self)
{
	char path[256], hex[2 * BUILD_ID_MOST + 1];

	for (size_t i = 0; i < self->id.bytes; i++)
		sprintf(hex + 2 * i, "%02x", self->id.id[i]);
	snprintf(path, sizeof(path), "%s/.build-id", self->dir);
	if (mkdir(path, 0755))
		abort();
	snprintf(path, sizeof(path), "%s/.build-id/%.2s", self->dir, hex);
	if (mkdir(path, 0755))
		abort();
	snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s.debug", self->dir, hex, hex + 2);
	save_file(path, self->bytes, self->size);
}

static int open_it(FIXTURE_DATA(elf_file) *self, const char *path, const struct elf_id *id)
{
	elf_close(&self->f);
	return elf_open(&self->f, elf_open_regular(path), id);
}

/* Return: the result of elf_open() or of elf_read_functions(). */
static int read_it(FIXTURE_DATA(elf_file) *self)
{
	int ret = open_it(self, self->path, &self->id);

	return ret ? ret : elf_read_functions(&self->f, &self->id, elf_open_debug(&self->id, self->dir));
}

static const char *known_name(FIXTURE_DATA(elf_file) *self)
{
	const struct elf_function *f = elf_find(&self->f, known_vaddr());

	return f ? f->name : "(none)";
}

TEST_F(elf_file, functions_are_found)
{
	const struct elf_function *f;
	uint64_t vaddr, start = known_vaddr();

	save_file(self->path, self->bytes, self->size);
	ASSERT_EQ(ELF_FINE, read_it(self));
	EXPECT_STREQ("known_function", known_name(self));
	f = elf_find(&self->f, start);
	EXPECT_EQ(start, f->start);
	EXPECT_EQ(f, elf_find(&self->f, f->end - 1));
	EXPECT_NE(f, elf_find(&self->f, f->end));
	EXPECT_EQ(NULL, elf_find(&self->f, 0));
	EXPECT_EQ(NULL, elf_find(&self->f, UINT64_MAX));
	for (size_t i = 1; i < self->f.count; i++)
		ASSERT_LE(self->f.functions[i - 1].end, self->f.functions[i].start);
	ASSERT_LT(0U, self->f.load_count);
	ASSERT_TRUE(elf_vaddr(&self->f, self->f.loads[0].offset + 7, &vaddr));
	EXPECT_EQ(self->f.loads[0].vaddr + 7, vaddr);
	EXPECT_FALSE(elf_vaddr(&self->f, UINT64_MAX, &vaddr));
}

TEST_F(elf_file, separate_debug_file_has_them)
{
	save_debug_file(self);
	strip(self);
	save_file(self->path, self->bytes, self->size);
	ASSERT_EQ(ELF_FINE, read_it(self));
	EXPECT_STREQ("known_function", known_name(self));
}

TEST_F(elf_file, stripped_file_has_none)
{
	strip(self);
	save_file(self->path, self->bytes, self->size);
	EXPECT_EQ(ELF_NO_FUNCTIONS, read_it(self));
	EXPECT_STREQ("(none)", known_name(self));
}

TEST_F(elf_file, other_build_ids_are_not_trusted)
{
	struct elf_id none = { .bytes = 0 };

	change_id(self);
	save_file(self->path, self->bytes, self->size);
	EXPECT_EQ(ELF_OTHER_ID, read_it(self));
	EXPECT_EQ(0U, self->f.count);
	EXPECT_EQ(ELF_NO_ID, open_it(self, self->path, &none));
	EXPECT_EQ(ELF_NO_FILE, open_it(self, self->dir, &self->id));
	EXPECT_EQ(ELF_NO_FILE, open_it(self, "/dev/null", &self->id));
}

TEST_F(elf_file, other_build_ids_of_debug_files_neither)
{
	const Elf64_Ehdr head = *head_of(self);

	strip(self);
	save_file(self->path, self->bytes, self->size);
	*head_of(self) = head;
	change_id(self);
	save_debug_file(self);
	EXPECT_EQ(ELF_OTHER_ID, read_it(self));
	EXPECT_EQ(0U, self->f.count);
}

TEST_F(elf_file, damaged_files_are_reported)
{
	static const char text[] = "#!/bin/sh\n";
	size_t i, bytes;
	int ret;

	save_file(self->path, text, sizeof(text));
	EXPECT_EQ(ELF_DAMAGED, read_it(self));
	for (i = 0; i < 64; i++) {
		bytes = i < 32 ? i * 4 : self->size / 64 * i;
		save_file(self->path, self->bytes, bytes);
		ret = read_it(self);
		EXPECT_TRUE(ret == ELF_DAMAGED || ret == ELF_NO_FUNCTIONS)
			TH_LOG("%zu bytes: %d", bytes, ret);
	}
}

/*
 * Users choose the paths of what they map, and opening a device can have effects, so only regular
 * files are opened.
 */
TEST_F(elf_file, what_is_no_file_is_not_even_opened)
{
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), fd;
	char event[sizeof(struct inotify_event) + 256];

	ASSERT_EQ(0, mkfifo(self->path, 0600));
	ASSERT_LE(0, inotify_add_watch(watch, self->path, IN_OPEN));
	EXPECT_TRUE(open_it(self, self->path, &self->id) == ELF_NO_FILE);
	EXPECT_EQ(-1, elf_open_regular(self->path));
	EXPECT_EQ(-1, read(watch, event, sizeof(event)));
	close(watch);
	fd = elf_open_regular("/proc/self/exe");
	EXPECT_LE(0, fd);
	close(fd);
}

/* The owner of a file can take a lease that makes open() wait, for 45 s by default. */
TEST_F(elf_file, leases_are_not_waited_for)
{
	int lease, fd;

	save_file(self->path, self->bytes, self->size);
	lease = open(self->path, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, lease);
	signal(SIGIO, SIG_IGN);
	ASSERT_EQ(0, fcntl(lease, F_SETLEASE, F_WRLCK));
	alarm(10);
	EXPECT_EQ(-1, elf_open_regular(self->path));
	EXPECT_TRUE(open_it(self, self->path, &self->id) == ELF_NO_FILE);
	ASSERT_EQ(0, fcntl(lease, F_SETLEASE, F_UNLCK));
	fd = elf_open_regular(self->path);
	EXPECT_LE(0, fd);
	close(fd);
	close(lease);
	alarm(0);
}

/* Only the build id is verified, so a damaged file may yield functions. */
TEST_F(elf_file, changed_bytes_do_no_harm)
{
	uint64_t shoff = head_of(self)->e_shoff, at;
	char old;

	srandom(1);
	for (unsigned int i = 0; i < 300; i++) {
		at = i & 1 ? (uint64_t)random() % 1024 : shoff + random() % (self->size - shoff);
		old = self->bytes[at];
		self->bytes[at] ^= 1 << random() % 8;
		save_file(self->path, self->bytes, self->size);
		if (!read_it(self))
			known_name(self);
		self->bytes[at] = old;
	}
}

/* --- files that claim much ----------------------------------------------------------- */

#define CLAIM		(600UL << 20)	/* bytes that are in the file, but not on the disk */
#define MANY		200000UL	/* symbols */
#define LONG		(2UL << 20)	/* bytes of their names, which share one end */

enum { SECTION_NOTE = 1, SECTION_SYMBOLS, SECTION_NAMES, SECTIONS };

struct made {
	Elf64_Ehdr head;
	Elf64_Phdr load;
	Elf64_Shdr sections[SECTIONS];
	struct {
		Elf64_Nhdr head;
		char name[4];
		unsigned char id[20];
	} note;
};

static struct made make_file(struct elf_id *id, uint64_t note, uint64_t symbols, uint64_t names)
{
	struct made m = {
		.head = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				     EV_CURRENT },
			.e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
			.e_phoff = offsetof(struct made, load), .e_phnum = 1,
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_shoff = offsetof(struct made, sections), .e_shnum = SECTIONS,
			.e_shentsize = sizeof(Elf64_Shdr), .e_ehsize = sizeof(Elf64_Ehdr),
		},
		.load = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = 4096 },
		.note = {
			.head = { sizeof(m.note.name), sizeof(m.note.id), NT_GNU_BUILD_ID },
			.name = "GNU", .id = { 1, 2, 3 },
		},
	};

	m.sections[SECTION_NOTE] = (Elf64_Shdr) {
		.sh_type = SHT_NOTE, .sh_offset = offsetof(struct made, note), .sh_size = note,
	};
	m.sections[SECTION_SYMBOLS] = (Elf64_Shdr) {
		.sh_type = SHT_SYMTAB, .sh_offset = 8192, .sh_size = symbols,
		.sh_entsize = sizeof(Elf64_Sym), .sh_link = SECTION_NAMES,
	};
	m.sections[SECTION_NAMES] = (Elf64_Shdr) {
		.sh_type = SHT_STRTAB, .sh_offset = 8192 + symbols, .sh_size = names,
	};
	memcpy(id->id, m.note.id, sizeof(m.note.id));
	id->bytes = sizeof(m.note.id);
	return m;
}

/* Read such a file; @kib: set to the growth of the peak memory. Return: as read_it(). */
static int read_made(FIXTURE_DATA(elf_file) *self, const struct made *m, const void *rest,
		     size_t bytes, long *kib)
{
	struct rusage before, after;
	int fd, ret;

	save_file(self->path, (const char *)m, sizeof(*m));
	fd = open(self->path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || ftruncate(fd, 3 * CLAIM) || pwrite(fd, rest, bytes, 8192) != (ssize_t)bytes ||
	    close(fd))
		abort();
	getrusage(RUSAGE_SELF, &before);
	ret = read_it(self);
	getrusage(RUSAGE_SELF, &after);
	*kib = after.ru_maxrss - before.ru_maxrss;
	return ret;
}

/* The file takes 16 KiB on the disk, but its headers claim GiB. */
TEST_F(elf_file, claims_take_no_memory)
{
	const Elf64_Sym one = { .st_name = 1, .st_info = STT_FUNC, .st_shndx = 1, .st_value = 1 };
	struct made m = make_file(&self->id, CLAIM, sizeof(one), 64);
	long kib;

	EXPECT_EQ(ELF_NO_FUNCTIONS, read_made(self, &m, &one, sizeof(one), &kib));
	EXPECT_GT(32 << 10, kib);
	m = make_file(&self->id, sizeof(m.note), CLAIM, 64);
	EXPECT_EQ(ELF_TOO_LARGE, read_made(self, &m, &one, sizeof(one), &kib));
	EXPECT_GT(32 << 10, kib);
	m = make_file(&self->id, sizeof(m.note), sizeof(one), CLAIM);
	EXPECT_EQ(ELF_TOO_LARGE, read_made(self, &m, &one, sizeof(one), &kib));
	EXPECT_GT(32 << 10, kib);
	/* If e_shnum is 0, the size of the first section is the number of sections. */
	m = make_file(&self->id, sizeof(m.note), sizeof(one), 64);
	m.head.e_shnum = 0;
	m.sections[0].sh_size = CLAIM / sizeof(m.sections[0]);
	EXPECT_EQ(ELF_DAMAGED, read_made(self, &m, &one, sizeof(one), &kib));
	EXPECT_GT(32 << 10, kib);
}

/* Searching the end of each name would take minutes; the timeout would end the test. */
TEST_F(elf_file, long_names_take_no_time)
{
	const size_t bytes = MANY * sizeof(Elf64_Sym);
	struct made m = make_file(&self->id, sizeof(m.note), bytes, LONG);
	char *rest = malloc(bytes + LONG);
	const struct elf_function *f;
	long kib;

	ASSERT_NE(NULL, rest);
	memset(rest + bytes, '_', LONG);
	rest[bytes + LONG - 1] = 0;
	for (size_t i = 0; i < MANY; i++)
		((Elf64_Sym *)rest)[i] = (Elf64_Sym) {
			.st_name = 1 + i % 1000, .st_info = STT_FUNC, .st_shndx = 1,
			.st_value = 0x1000 + i % 2, .st_size = 1,
		};
	ASSERT_EQ(0, read_made(self, &m, rest, bytes + LONG, &kib));
	EXPECT_EQ(2U, self->f.count);
	f = elf_find(&self->f, 0x1000);
	ASSERT_NE(NULL, f);
	EXPECT_EQ('_', f->name[0]);
	/* No name is terminated, so none is used. */
	rest[bytes + LONG - 1] = '_';
	EXPECT_EQ(ELF_DAMAGED, read_made(self, &m, rest, bytes + LONG, &kib));
}

/* --- functions in an archive ------------------------------------------------------------------ */

static int take_output(void *arg, const void *data, size_t bytes)
{
	return 0;
}

/* Process 1 has had the file mapped at @start since 10, and another file there since 20. */
static int resolve_it(FIXTURE_DATA(elf_file) *self, struct resolution *r, uint64_t start,
		      struct addresses *a)
{
	const struct elf_load *l = &self->f.loads[0];
	struct mapping m = {
		.time = 10, .start = start, .end = start + l->size, .offset = l->offset,
		.vaddr = FXT_SCHED_NO_VADDR,
	};
	struct elf_server server = { .socket = -1 };
	struct images im = { 0 };
	int ret;

	m.module = images_module(&im, self->path, strlen(self->path), &self->id);
	ret = images_add(&im, 1, &m);
	m.time = 20;
	m.module = images_module(&im, "/nonexistent", 12, &self->id);
	ret = ret ? ret : images_add(&im, 1, &m);
	*r = (struct resolution) {
		.records = true, .symbols = true, .debug = self->dir, .server = &server,
	};
	ret = ret ? ret : elf_server_start(&server);
	ret = ret ? ret : fxt_writer_open_sink(&r->w, take_output, NULL);
	addresses_sort(a);
	ret = ret ? ret : resolve(r, &im, a);
	elf_server_stop(&server);
	fxt_writer_close(r->w);
	images_free(&im);
	addresses_free(a);
	return ret;
}

TEST_F(elf_file, functions_at_reused_addresses_have_no_name)
{
	const uint64_t start = 0x700000000000;
	struct addresses a = { 0 };
	struct resolution r;
	uint64_t at;

	save_file(self->path, self->bytes, self->size);
	ASSERT_EQ(0, read_it(self));
	at = start + known_vaddr() - self->f.loads[0].vaddr;
	ASSERT_EQ(0, addresses_add(&a, 1, at + 1, 12));
	ASSERT_EQ(0, addresses_add(&a, 1, start - 1, 12));
	ASSERT_EQ(0, addresses_add(&a, 2, at + 1, 12));
	ASSERT_EQ(0, resolve_it(self, &r, start, &a));
	EXPECT_EQ(3U, r.addresses);
	EXPECT_EQ(1U, r.named);
	EXPECT_EQ(2U, r.unmapped);
	EXPECT_EQ(0U, r.changed);
	/* The other mapping has an address in the same function. */
	ASSERT_EQ(0, addresses_add(&a, 1, at + 1, 12));
	ASSERT_EQ(0, addresses_add(&a, 1, at + 2, 25));
	ASSERT_EQ(0, resolve_it(self, &r, start, &a));
	EXPECT_EQ(0U, r.named);
	EXPECT_EQ(1U, r.changed);
	EXPECT_EQ(1U, r.faults[ELF_NO_FILE]);
	/* Both mappings have the same address. */
	ASSERT_EQ(0, addresses_add(&a, 1, at + 1, 12));
	ASSERT_EQ(0, addresses_add(&a, 1, at + 1, 25));
	ASSERT_EQ(0, resolve_it(self, &r, start, &a));
	EXPECT_EQ(0U, r.named);
	EXPECT_EQ(1U, r.changed);
}
