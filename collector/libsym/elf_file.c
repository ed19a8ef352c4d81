// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * elf_file.c - see elf_file.h.
 *
 * Anyone can write such files: libelf checks that what it returns is within the file. It reads
 * them, and does not map them, because a file that is truncated meanwhile would end the process.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf_file.h"

#define MOST_FUNCTIONS	(1U << 20)

/*
 * Looked at first, because only to open some devices does something. O_NONBLOCK: the owner of a
 * file can hold a lease on it, for which open() would wait.
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

/* NULL if it is no ELF file. */
static Elf *open_elf(const char *path, int *fd, int *error)
{
	Elf *elf;

	*fd = elf_open_regular(path);
	*error = 0;
	if (*fd < 0) {
		*error = ENOENT;
		return NULL;
	}
	elf_version(EV_CURRENT);
	elf = elf_begin(*fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		return elf;
	elf_end(elf);
	return NULL;
}

/* --- build ids --------------------------------------------------------------------------- */

static size_t id_in(Elf_Data *data, struct elf_id *id)
{
	if (data && data->d_buf)
		id->bytes = build_id_find(data->d_buf, data->d_size, id->id);
	return id->bytes;
}

/* Debug files have the sections of notes, but not always the segments. */
static void find_id(Elf *elf, struct elf_id *id)
{
	Elf_Scn *section = NULL;
	GElf_Shdr sh;
	GElf_Phdr ph;
	size_t i, count;

	id->bytes = 0;
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &sh) && sh.sh_type == SHT_NOTE &&
		    id_in(elf_rawdata(section, NULL), id))
			return;
	if (elf_getphdrnum(elf, &count))
		return;
	for (i = 0; i < count; i++)
		if (gelf_getphdr(elf, i, &ph) && ph.p_type == PT_NOTE &&
		    id_in(elf_getdata_rawchunk(elf, ph.p_offset, ph.p_filesz, ELF_T_BYTE), id))
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
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		find_id(elf, id);
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

enum elf_fault elf_open(struct elf_file *f, const char *path, const struct elf_id *id)
{
	struct elf_id found;
	int error;

	*f = (struct elf_file){ .fd = -1, .debug_fd = -1 };
	if (!id->bytes)
		return ELF_NO_ID;
	f->elf = open_elf(path, &f->fd, &error);
	if (!f->elf)
		return error ? ELF_NO_FILE : ELF_DAMAGED;
	find_id(f->elf, &found);
	if (!is_same(&found, id)) {
		elf_end(f->elf);
		f->elf = NULL;
		return found.bytes ? ELF_OTHER_ID : ELF_DAMAGED;
	}
	read_loads(f);
	return f->load_count ? ELF_FINE : ELF_DAMAGED;
}

/* Mappings begin at a page's boundary, which may be before the segment. */
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

/* poll() rather than __poll() or __GI___poll(). */
static unsigned int rank_of(const GElf_Sym *sym, const char *name)
{
	unsigned int binding = GELF_ST_BIND(sym->st_info);

	return strspn(name, "_") + (binding == STB_LOCAL ? 100 : 0);
}

static int add(struct elf_file *f, size_t *room, const GElf_Sym *sym, const char *name)
{
	struct elf_function *more;

	if (f->count == *room) {
		*room = *room ? 2 * *room : 1024;
		more = reallocarray(f->functions, *room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		f->functions = more;
	}
	f->functions[f->count++] = (struct elf_function) {
		sym->st_value, sym->st_value + sym->st_size, name, rank_of(sym, name)
	};
	return 0;
}

/* Of several at one address the longest, and of these the name that users know. */
static int by_start(const void *a, const void *b)
{
	const struct elf_function *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (strlen(x->name) != strlen(y->name))
		return strlen(x->name) < strlen(y->name) ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* None overlaps the next one. Those without a size, of assembler, end at the next one. */
static void settle(struct elf_file *f)
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

/* Of the section of this type. Return: 0, ELF_DAMAGED or -ENOMEM. */
static int read_table(struct elf_file *f, Elf *elf, uint32_t type)
{
	Elf_Scn *section = NULL;
	size_t room = 0, i, count;
	Elf_Data *data;
	const char *name;
	GElf_Shdr sh;
	GElf_Sym sym;
	int ret = 0;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &sh) && sh.sh_type == type)
			break;
	if (!section)
		return 0;
	data = elf_getdata(section, NULL);
	if (!data || !sh.sh_entsize)
		return ELF_DAMAGED;
	count = data->d_size / sh.sh_entsize;
	for (i = 0; i < count && i < MOST_FUNCTIONS && !ret; i++) {
		if (!gelf_getsym(data, i, &sym) || !is_function(&sym))
			continue;
		name = elf_strptr(elf, sh.sh_link, sym.st_name);
		if (name && *name)
			ret = add(f, &room, &sym, name);
	}
	if (!ret && f->count)
		settle(f);
	return ret;
}

static int read_debug_file(struct elf_file *f, const struct elf_id *id, const char *dir)
{
	char path[4096], hex[2 * BUILD_ID_MOST + 1];
	struct elf_id found;
	int error;
	size_t i;

	for (i = 0; i < id->bytes; i++)
		sprintf(hex + 2 * i, "%02x", id->id[i]);
	if (id->bytes < 2 || snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s.debug", dir, hex,
				      hex + 2) >= (int)sizeof(path))
		return 0;
	f->debug = open_elf(path, &f->debug_fd, &error);
	if (!f->debug)
		return error ? 0 : ELF_DAMAGED;
	find_id(f->debug, &found);
	if (!is_same(&found, id))
		return ELF_OTHER_ID;
	return read_table(f, f->debug, SHT_SYMTAB);
}

int elf_read_functions(struct elf_file *f, const struct elf_id *id, const char *debug)
{
	int ret = f->elf ? read_table(f, f->elf, SHT_SYMTAB) : 0, of_debug = 0;

	if (ret >= 0 && !f->count)
		of_debug = read_debug_file(f, id, debug);
	if (ret >= 0 && of_debug >= 0 && !f->count && f->elf)
		ret = read_table(f, f->elf, SHT_DYNSYM);
	if (ret < 0 || of_debug < 0)
		return -ENOMEM;
	if (f->count)
		return 0;
	if (ret || of_debug)
		return ret ? ret : of_debug;
	return ELF_NO_FUNCTIONS;
}

const struct elf_function *elf_find(const struct elf_file *f, uint64_t vaddr)
{
	size_t low = 0, high = f->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (f->functions[middle].start <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low && vaddr < f->functions[low - 1].end ? &f->functions[low - 1] : NULL;
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
