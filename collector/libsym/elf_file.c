// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * elf_file.c - see elf_file.h.
 *
 * The files are not trusted. libelf checks that what it returns is within the file. It reads files
 * and does not map them, because a mapped file that is truncated meanwhile would kill the process.
 * But a sparse file can have any size, and names any length. So everything that is read has a
 * limit, and names are not searched to their ends.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libfxt/array.h"
#include "elf_file.h"

/* --- build ids -------------------------------------------------------------------------- */

#define KERNEL_NOTES_BYTES	8192	/* more than the kernel has */

static size_t aligned(size_t bytes)
{
	return (bytes + 3) & ~(size_t)3;
}

size_t build_id_find(const void *notes, size_t bytes, unsigned char id[BUILD_ID_MOST])
{
	const char *at = notes;
	Elf64_Nhdr note;
	size_t name, size;

	while (bytes >= sizeof(note)) {
		memcpy(&note, at, sizeof(note));
		at += sizeof(note);
		bytes -= sizeof(note);
		name = aligned(note.n_namesz);
		size = aligned(note.n_descsz);
		if (name > bytes || size > bytes - name)
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(at, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) &&
		    note.n_descsz <= BUILD_ID_MOST) {
			memcpy(id, at + name, note.n_descsz);
			return note.n_descsz;
		}
		at += name + size;
		bytes -= name + size;
	}
	return 0;
}

size_t build_id_of_kernel(const char *module, unsigned char id[BUILD_ID_MOST])
{
	char path[128] = "/sys/kernel/notes", notes[KERNEL_NOTES_BYTES];
	ssize_t n = -1;
	int fd;

	if (module)
		snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", module);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, notes, sizeof(notes));
		close(fd);
	}
	return n > 0 ? build_id_find(notes, n, id) : 0;
}

/* --- files ------------------------------------------------------------------------------ */

#define MOST_FUNCTIONS	(1U << 20)
#define MOST_SYMBOLS	(48U << 20)	/* bytes of symbols: two million */
#define MOST_NAMES	(128U << 20)	/* bytes of their names */
#define MOST_NOTES	64U		/* sections and segments of notes that are searched */
#define NOTES_BYTES	4096U		/* of each; a build id takes 36 */
#define MOST_SECTIONS	65536U
#define NAME_BYTES	512U		/* compared bytes of a name */
#define MOST_DENSE	64U		/* bytes of a file per byte on the disk */

/*
 * Check the file before opening it, because opening alone has effects on some devices. O_NONBLOCK:
 * the owner of a file can hold a lease on it, for which open() would wait.
 */
int elf_open_regular(const char *path)
{
	int place = open(path, O_PATH | O_CLOEXEC), fd = -1;
	char again[32];
	struct stat st;

	if (place < 0)
		return -1;
	if (!fstat(place, &st) && S_ISREG(st.st_mode)) {
		snprintf(again, sizeof(again), "/proc/self/fd/%d", place);
		fd = open(again, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	}
	close(place);
	return fd;
}

/*
 * libelf allocates memory for all sections that a header claims. If there are more than 65,280, the
 * first section has their number.
 */
static bool has_few_sections(int fd)
{
	Elf64_Ehdr h;
	Elf64_Shdr first;

	if (pread(fd, &h, sizeof(h), 0) != sizeof(h) || h.e_ident[EI_CLASS] != ELFCLASS64)
		return true;
	if (h.e_ident[EI_DATA] != (__BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB))
		return false;
	return h.e_shnum || !h.e_shoff ||
	       pread(fd, &first, sizeof(first), h.e_shoff) != sizeof(first) ||
	       first.sh_size <= MOST_SECTIONS;
}

/* Return: NULL if it is not an ELF file. */
static Elf *begin(int fd)
{
	Elf *elf;

	if (!has_few_sections(fd))
		return NULL;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		return elf;
	elf_end(elf);
	return NULL;
}

/* --- build ids --------------------------------------------------------------------------- */

static size_t id_in(int fd, uint64_t offset, uint64_t bytes, struct elf_id *id)
{
	char notes[NOTES_BYTES];
	ssize_t n = pread(fd, notes, bytes < sizeof(notes) ? bytes : sizeof(notes), offset);

	if (n > 0)
		id->bytes = build_id_find(notes, n, id->id);
	return id->bytes;
}

/* Search sections and segments: debug files have sections of notes, but not always segments. */
static void find_id(Elf *elf, int fd, struct elf_id *id)
{
	size_t i, count, looked = 0;
	Elf_Scn *section = NULL;
	GElf_Shdr sh;
	GElf_Phdr ph;

	id->bytes = 0;
	while (looked < MOST_NOTES && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &sh) && sh.sh_type == SHT_NOTE &&
		    (looked++, id_in(fd, sh.sh_offset, sh.sh_size, id)))
			return;
	if (elf_getphdrnum(elf, &count))
		return;
	for (i = looked = 0; i < count && looked < MOST_NOTES; i++)
		if (gelf_getphdr(elf, i, &ph) && ph.p_type == PT_NOTE &&
		    (looked++, id_in(fd, ph.p_offset, ph.p_filesz, id)))
			return;
}

static bool is_same(const struct elf_id *a, const struct elf_id *b)
{
	return a->bytes && a->bytes == b->bytes && !memcmp(a->id, b->id, a->bytes);
}

void elf_read_id(int fd, struct elf_id *id)
{
	struct stat st;
	Elf *elf;

	id->bytes = 0;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return;
	elf = begin(fd);
	if (elf)
		find_id(elf, fd, id);
	elf_end(elf);
}

/* --- segments ------------------------------------------------------------------------------ */

static void read_loads(struct elf_file *f)
{
	size_t i, count = 0;
	GElf_Phdr ph;

	if (elf_getphdrnum(f->elf, &count))
		return;
	for (i = 0; i < count && f->load_count < ELF_LOADS; i++)
		if (gelf_getphdr(f->elf, i, &ph) && ph.p_type == PT_LOAD && ph.p_flags & PF_X)
			f->loads[f->load_count++] = (struct elf_load) {
				ph.p_offset, ph.p_filesz, ph.p_vaddr
			};
}

enum elf_fault elf_open(struct elf_file *f, int fd, const struct elf_id *id)
{
	struct elf_id found;

	*f = (struct elf_file){ .fd = fd, .debug_fd = -1 };
	if (!id->bytes)
		return ELF_NO_ID;
	if (fd < 0)
		return ELF_NO_FILE;
	f->elf = begin(fd);
	if (!f->elf)
		return ELF_DAMAGED;
	find_id(f->elf, f->fd, &found);
	if (!is_same(&found, id)) {
		elf_end(f->elf);
		f->elf = NULL;
		return found.bytes ? ELF_OTHER_ID : ELF_DAMAGED;
	}
	read_loads(f);
	return f->load_count ? ELF_FINE : ELF_DAMAGED;
}

/* Mappings begin at a page boundary, which may be before the segment. */
bool elf_vaddr(const struct elf_file *f, uint64_t offset, uint64_t *vaddr)
{
	const uint64_t page = sysconf(_SC_PAGESIZE);
	size_t i;

	for (i = 0; i < f->load_count; i++) {
		const struct elf_load *l = &f->loads[i];

		if (offset < (l->offset & -page) || offset >= l->offset + l->size)
			continue;
		*vaddr = l->vaddr - (l->offset - offset);
		return true;
	}
	return false;
}

/* --- functions ------------------------------------------------------------------------------- */

static bool is_function(const GElf_Sym *sym)
{
	unsigned int type = GELF_ST_TYPE(sym->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && sym->st_value &&
	       sym->st_shndx != SHN_UNDEF && sym->st_size <= UINT64_MAX - sym->st_value;
}

/* The lowest rank is best: poll() comes before __poll() and __GI___poll(). */
static unsigned int rank_of(const GElf_Sym *sym, const char *name)
{
	unsigned int binding = GELF_ST_BIND(sym->st_info);

	unsigned int i = 0;

	while (i < 99 && name[i] == '_')
		i++;
	return i + (binding == STB_LOCAL ? 100 : 0);
}

static int add_function(struct elf_file *f, const GElf_Sym *sym, const char *name)
{
	if (array_grow(f->functions, f->count))
		return -ENOMEM;
	f->functions[f->count++] = (struct elf_function) {
		sym->st_value, sym->st_value + sym->st_size, name, rank_of(sym, name)
	};
	return 0;
}

/*
 * Of several functions at one address, choose the longest one, and of these the name that users
 * know.
 */
static int by_start(const void *a, const void *b)
{
	const struct elf_function *x = a, *y = b;
	size_t a_length, b_length;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	a_length = strnlen(x->name, NAME_BYTES);
	b_length = strnlen(y->name, NAME_BYTES);
	if (a_length != b_length)
		return a_length < b_length ? -1 : 1;
	return strncmp(x->name, y->name, NAME_BYTES);
}

/*
 * Let no function overlap the next one. A function of assembler without a size ends at the next
 * one.
 */
static void trim_functions(struct elf_file *f)
{
	size_t i, count = 0;

	qsort(f->functions, f->count, sizeof(*f->functions), by_start);
	for (i = 0; i < f->count; i++)
		if (!count || f->functions[count - 1].start != f->functions[i].start)
			f->functions[count++] = f->functions[i];
	for (i = 0; i < count; i++) {
		struct elf_function *one = &f->functions[i];
		uint64_t next = i + 1 < count ? one[1].start : UINT64_MAX;

		if (one->end > next || (one->end == one->start && next != UINT64_MAX))
			one->end = next;
	}
	f->count = count;
}

/* Does the disk have that many bytes of the file? Compressed ones use less space. */
static bool is_there(int fd, uint64_t bytes)
{
	struct stat st;

	return !fstat(fd, &st) && bytes <= (uint64_t)st.st_size &&
	       bytes / MOST_DENSE <= (uint64_t)st.st_blocks * 512 + (1U << 20);
}

struct names {
	const char *text;
	size_t end;	/* offset behind the last complete name */
};

/* Read names without libelf, which would search for the end of each name, however far away. */
static int read_names(Elf *elf, int fd, size_t index, struct names *n)
{
	Elf_Scn *section = elf_getscn(elf, index);
	const char *last;
	Elf_Data *data;
	GElf_Shdr sh;

	if (!section || !gelf_getshdr(section, &sh) || sh.sh_type != SHT_STRTAB)
		return ELF_DAMAGED;
	if (sh.sh_size > MOST_NAMES || !is_there(fd, sh.sh_size))
		return ELF_TOO_LARGE;
	data = elf_rawdata(section, NULL);
	last = data && data->d_buf ? memrchr(data->d_buf, 0, data->d_size) : NULL;
	if (!last)
		return ELF_DAMAGED;
	n->text = data->d_buf;
	n->end = last - n->text;
	return 0;
}

/* Return: 0 or -ENOMEM. */
static int add_all(struct elf_file *f, Elf_Data *data, const struct names *names, size_t count)
{
	size_t i;
	GElf_Sym sym;
	int ret = 0;

	for (i = 0; i < count && f->count < MOST_FUNCTIONS && !ret; i++)
		if (gelf_getsym(data, i, &sym) && is_function(&sym) && sym.st_name < names->end &&
		    names->text[sym.st_name])
			ret = add_function(f, &sym, names->text + sym.st_name);
	if (!ret && f->count)
		trim_functions(f);
	return ret;
}

/* Return: 0, ELF_DAMAGED, ELF_TOO_LARGE or -ENOMEM. */
static int read_table(struct elf_file *f, Elf *elf, int fd, uint32_t type)
{
	Elf_Scn *section = NULL;
	struct names names;
	Elf_Data *data;
	GElf_Shdr sh;
	int ret;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &sh) && sh.sh_type == type)
			break;
	if (!section)
		return 0;
	if (!sh.sh_entsize)
		return ELF_DAMAGED;
	if (sh.sh_size > MOST_SYMBOLS || !is_there(fd, sh.sh_size))
		return ELF_TOO_LARGE;
	ret = read_names(elf, fd, sh.sh_link, &names);
	if (ret)
		return ret;
	data = elf_getdata(section, NULL);
	return data ? add_all(f, data, &names, data->d_size / sh.sh_entsize) : ELF_DAMAGED;
}

int elf_open_debug(const struct elf_id *id, const char *dir)
{
	char path[4096], hex[2 * BUILD_ID_MOST + 1];
	size_t i;

	for (i = 0; i < id->bytes; i++)
		sprintf(hex + 2 * i, "%02x", id->id[i]);
	if (id->bytes < 2 || snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s.debug", dir, hex,
				      hex + 2) >= (int)sizeof(path))
		return -1;
	return elf_open_regular(path);
}

static int read_debug_file(struct elf_file *f, const struct elf_id *id)
{
	struct elf_id found;

	if (f->debug_fd < 0)
		return 0;
	f->debug = begin(f->debug_fd);
	if (!f->debug)
		return ELF_DAMAGED;
	find_id(f->debug, f->debug_fd, &found);
	if (!is_same(&found, id))
		return ELF_OTHER_ID;
	return read_table(f, f->debug, f->debug_fd, SHT_SYMTAB);
}

int elf_read_functions(struct elf_file *f, const struct elf_id *id, int debug)
{
	int own = f->elf ? read_table(f, f->elf, f->fd, SHT_SYMTAB) : 0, of_debug = 0, dynamic = 0;

	f->debug_fd = debug;
	if (own >= 0 && !f->count)
		of_debug = read_debug_file(f, id);
	if (own >= 0 && of_debug >= 0 && !f->count && f->elf)
		dynamic = read_table(f, f->elf, f->fd, SHT_DYNSYM);
	if (own < 0 || of_debug < 0 || dynamic < 0)
		return -ENOMEM;
	if (f->count)
		return 0;
	return own ? own : of_debug ? of_debug : dynamic ? dynamic : ELF_NO_FUNCTIONS;
}

const struct elf_function *elf_find(const struct elf_file *f, uint64_t vaddr)
{
	size_t n = array_front(f->count, i, f->functions[i].start <= vaddr);

	return n && vaddr < f->functions[n - 1].end ? &f->functions[n - 1] : NULL;
}

void elf_close(struct elf_file *f)
{
	elf_end(f->elf);
	elf_end(f->debug);
	if (f->fd >= 0)
		close(f->fd);
	if (f->debug_fd >= 0)
		close(f->debug_fd);
	free(f->functions);
	*f = (struct elf_file){ .fd = -1, .debug_fd = -1 };
}
