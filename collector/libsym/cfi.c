// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cfi.c - see cfi.h.
 *
 * libdw reads all that follows the information in a file, which can be a GiB of debug
 * information. So it is given memory as large as the file, of which only the parts that it needs
 * are filled in, and no other page exists.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cfi.h"
#include "expression.h"

#define HEAD_BYTES	4096	/* the headers of the file and of its segments */

/* --- the image ---------------------------------------------------------------------------- */

/* Return: false if that is not in the file, or too much. */
static bool read_part(struct cfi_file *f, uint64_t offset, uint64_t bytes)
{
	uint64_t done = 0;
	ssize_t n = 1;

	if (offset > f->size || bytes > f->size - offset || f->held + bytes > CFI_MOST)
		return false;
	for (; done < bytes && n > 0; done += n > 0 ? n : 0)
		n = pread(f->elf.fd, (char *)f->image + offset + done, bytes - done,
			  offset + done);
	f->held += bytes;
	return done == bytes;
}

static bool is_wanted(const char *name)
{
	return name && (!strcmp(name, ".eh_frame") || !strcmp(name, ".eh_frame_hdr"));
}

static bool read_sections(struct cfi_file *f, size_t names)
{
	Elf_Scn *section = NULL;
	bool found = false;
	GElf_Shdr sh;

	while ((section = elf_nextscn(f->elf.elf, section))) {
		if (!gelf_getshdr(section, &sh))
			return false;
		if (sh.sh_type == SHT_NOBITS)
			continue;
		if (is_wanted(elf_strptr(f->elf.elf, names, sh.sh_name)))
			found = true;
		else if (elf_ndxscn(section) != names)
			continue;
		if (!read_part(f, sh.sh_offset, sh.sh_size))
			return false;
	}
	return found;
}

static bool read_image(struct cfi_file *f)
{
	size_t names, sections;
	GElf_Ehdr head;
	struct stat st;

	if (!gelf_getehdr(f->elf.elf, &head) || head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    (head.e_machine != EM_X86_64 && head.e_machine != EM_AARCH64))
		return false;
	f->arm = head.e_machine == EM_AARCH64;
	if (elf_getshdrnum(f->elf.elf, &sections) || elf_getshdrstrndx(f->elf.elf, &names) ||
	    fstat(f->elf.fd, &st) || st.st_size < HEAD_BYTES)
		return false;
	f->size = st.st_size;
	f->image = mmap(NULL, f->size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (f->image == MAP_FAILED) {
		f->image = NULL;
		return false;
	}
	return read_part(f, 0, HEAD_BYTES) &&
	       read_part(f, head.e_shoff, sections * sizeof(Elf64_Shdr)) &&
	       read_sections(f, names);
}

enum elf_fault cfi_open(struct cfi_file *f, int fd, const struct elf_id *id)
{
	enum elf_fault fault;

	*f = (struct cfi_file){ .size = 0 };
	fault = elf_open(&f->elf, fd, id);
	if (fault != ELF_FINE)
		return fault;
	if (!read_image(f))
		return ELF_DAMAGED;
	elf_end(f->elf.elf);
	close(f->elf.fd);
	f->elf.elf = NULL;
	f->elf.fd = -1;
	f->memory = elf_memory(f->image, f->size);
	if (f->memory)
		f->cfi = dwarf_getcfi_elf(f->memory);
	return f->cfi ? ELF_FINE : ELF_DAMAGED;
}

void cfi_close(struct cfi_file *f)
{
	if (f->cfi)
		dwarf_cfi_end(f->cfi);
	elf_end(f->memory);
	if (f->image)
		munmap(f->image, f->size);
	elf_close(&f->elf);
	*f = (struct cfi_file){ .elf.fd = -1, .elf.debug_fd = -1 };
}

/* --- rules ---------------------------------------------------------------------------------- */

static bool fits(uint64_t offset, int32_t *to)
{
	*to = (int32_t)offset;
	return (uint64_t)(int64_t)*to == offset;
}

static bool take_cfa(Dwarf_Frame *frame, const struct expression_registers *r,
		     struct cfi_rule *rule)
{
	struct expression_value v;
	Dwarf_Op *ops;
	size_t count;

	if (dwarf_frame_cfa(frame, &ops, &count) || !expression_evaluate(ops, count, r, &v))
		return false;
	rule->base = v.base == EXPRESSION_SP ? CFI_SP : CFI_FP;
	rule->is_cfa_saved = v.is_word;
	return (v.base == EXPRESSION_SP || v.base == EXPRESSION_FP) && fits(v.offset, &rule->cfa);
}

/* @base: of the rule for the CFA */
static bool take_register(Dwarf_Frame *frame, int number, const struct expression_registers *r,
			  uint8_t base, uint8_t *place, int32_t *at)
{
	struct expression_value v;
	Dwarf_Op room[3], *ops;
	size_t count;

	if (dwarf_frame_register(frame, number, room, &ops, &count))
		return false;
	*at = 0;
	if (!count) {
		*place = ops ? CFI_LOST : CFI_KEPT;
		return true;
	}
	if (!expression_evaluate(ops, count, r, &v) || v.is_word)
		return false;
	*place = v.base == EXPRESSION_CFA ? CFI_SAVED : CFI_SAVED_AT_BASE;
	return (v.base == EXPRESSION_CFA ||
		v.base == (base == CFI_SP ? EXPRESSION_SP : EXPRESSION_FP)) && fits(v.offset, at);
}

bool cfi_find(const struct cfi_file *f, uint64_t vaddr, struct cfi_rule *rule)
{
	const struct expression_registers r = {
		.sp = f->arm ? 31 : 7, .fp = f->arm ? 29 : 6, .ip = f->arm ? 32 : 16,
		.ip_value = vaddr,
	};
	bool is_signal, found = false;
	Dwarf_Addr start, end;
	Dwarf_Frame *frame;
	int link;

	if (!f->cfi || dwarf_cfi_addrframe(f->cfi, vaddr, &frame))
		return false;
	link = dwarf_frame_info(frame, &start, &end, &is_signal);
	*rule = (struct cfi_rule){ .is_signal = is_signal };
	if (link >= 0 && vaddr >= start && vaddr < end)
		found = take_cfa(frame, &r, rule) &&
			take_register(frame, link, &r, rule->base, &rule->link, &rule->link_at);
	/* Only frames further out need it. */
	if (found && !take_register(frame, r.fp, &r, rule->base, &rule->fp, &rule->fp_at))
		rule->fp = CFI_LOST;
	free(frame);
	return found;
}
