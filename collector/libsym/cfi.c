// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cfi.c - see cfi.h.
 *
 * libdw would read everything after the call frame information of a file, which can be a GiB of
 * debug information. So it gets memory as large as the file, in which only the parts that it needs
 * are filled in; other pages are never allocated.
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

/* --- expressions ------------------------------------------------------------------------ */

#define MOST_VALUES	8
#define MOST_OPERATIONS	32
#define PAGE		4096U	/* the smallest page: file and process addresses agree in it */

struct machine {
	const struct expression_registers *r;
	struct expression_value stack[MOST_VALUES];
	size_t used;
};

static bool push(struct machine *m, enum expression_base base, uint64_t offset)
{
	if (m->used == MOST_VALUES)
		return false;
	m->stack[m->used++] = (struct expression_value){ .base = base, .offset = offset };
	return true;
}

static bool push_register(struct machine *m, uint64_t number, uint64_t offset)
{
	if (number == m->r->sp)
		return push(m, EXPRESSION_SP, offset);
	if (number == m->r->fp)
		return push(m, EXPRESSION_FP, offset);
	if (number == m->r->ip)
		return push(m, EXPRESSION_IP, m->r->ip_value + offset);
	return false;
}

static bool is_number(const struct expression_value *v)
{
	return v->base == EXPRESSION_NUMBER;
}

static bool add_values(struct expression_value *a, const struct expression_value *b)
{
	if (a->is_word || b->is_word || (!is_number(a) && !is_number(b)))
		return false;
	if (is_number(a))
		a->base = b->base;
	a->offset += b->offset;
	return true;
}

static bool calculate(struct expression_value *a, const struct expression_value *b, uint8_t atom)
{
	if (atom == DW_OP_plus)
		return add_values(a, b);
	/* An instruction has the same offset in its page wherever the file is mapped. */
	if (atom == DW_OP_and && a->base == EXPRESSION_IP && b->offset < PAGE)
		a->base = EXPRESSION_NUMBER;
	if (!is_number(a) || !is_number(b) || (atom == DW_OP_shl && b->offset > 63))
		return false;
	if (atom == DW_OP_and)
		a->offset &= b->offset;
	else if (atom == DW_OP_shl)
		a->offset <<= b->offset;
	else
		a->offset = (int64_t)a->offset >= (int64_t)b->offset;
	return true;
}

static bool dereference(struct expression_value *v)
{
	if (v->is_word || (v->base != EXPRESSION_SP && v->base != EXPRESSION_FP))
		return false;
	v->is_word = true;
	return true;
}

static bool run_operation(struct machine *m, const Dwarf_Op *op)
{
	const struct expression_value number = { .offset = op->number };
	struct expression_value *top = m->used ? &m->stack[m->used - 1] : NULL;

	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return push_register(m, op->atom - DW_OP_breg0, op->number);
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push(m, EXPRESSION_NUMBER, op->atom - DW_OP_lit0);
	switch (op->atom) {
	case DW_OP_bregx:
		return push_register(m, op->number, op->number2);
	case DW_OP_call_frame_cfa:
		return push(m, EXPRESSION_CFA, 0);
	case DW_OP_plus_uconst:
		return top && add_values(top, &number);
	case DW_OP_deref:
		return top && dereference(top);
	case DW_OP_and:
	case DW_OP_ge:
	case DW_OP_plus:
	case DW_OP_shl:
		if (m->used < 2)
			return false;
		m->used--;
		return calculate(top - 1, top, op->atom);
	}
	return false;
}

bool expression_evaluate(const Dwarf_Op *ops, size_t count, const struct expression_registers *r,
			 struct expression_value *value)
{
	struct machine m = { .r = r };
	size_t i;

	if (count > MOST_OPERATIONS)
		return false;
	for (i = 0; i < count; i++)
		if (!run_operation(&m, &ops[i]))
			return false;
	if (!m.used)
		return false;
	*value = m.stack[m.used - 1];
	return true;
}

/* --- rules ------------------------------------------------------------------------------ */

#define CFI_MOST	(16U << 20)	/* bytes that are read of a file */

#define HEAD_BYTES	4096	/* headers of the file and of its segments */

/* --- the image ---------------------------------------------------------------------------- */

/* Return: false if the file has no such part, or it exceeds CFI_MOST. */
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

static bool read_cfa(Dwarf_Frame *frame, const struct expression_registers *r,
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

/* @place: set to the place of the caller's value of a register. @base: of the rule for the CFA */
static bool read_register(Dwarf_Frame *frame, int number, const struct expression_registers *r,
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
		found = read_cfa(frame, &r, rule) &&
			read_register(frame, link, &r, rule->base, &rule->link, &rule->link_at);
	/* An unknown frame pointer is no failure, because only frames further out need it. */
	if (found && !read_register(frame, r.fp, &r, rule->base, &rule->fp, &rule->fp_at))
		rule->fp = CFI_LOST;
	free(frame);
	return found;
}

/* --- unwinding -------------------------------------------------------------------------- */

/*
 * The kernel's innermost frame is the program counter; its next one is the return address behind
 * the word that the frame pointer points to. Functions in between have no frame pointer, and do not
 * change the register. So unwinding ends at the function whose return address is in that place.
 */

#define LEAST_CODE	4096U
#define CODE_BITS	48

#if defined(__aarch64__)
#define ADDRESS_MASK	((1ULL << CODE_BITS) - 1)	/* without the authentication code */
#else
#define ADDRESS_MASK	(~0ULL)
#endif

/* Registers of the function that unwinding leaves next. */
struct registers {
	uint64_t ip;	/* where the function is, see @is_exact */
	uint64_t sp;	/* stack pointer */
	uint64_t fp;	/* frame pointer's register */
	bool has_fp;
	bool is_exact;	/* @ip has not run yet; else it follows a call */
};

static bool read_word(const struct unwinding *u, uint64_t at, uint64_t *word)
{
	uint64_t from = at - u->copy[FXT_SCHED_COPY_SP];

	if (from % FXT_WORD || from / FXT_WORD >= u->words - FXT_SCHED_COPY_HEAD)
		return false;
	*word = u->copy[FXT_SCHED_COPY_HEAD + from / FXT_WORD];
	return true;
}

static void add_frame(struct unwinding *u, uint64_t frame)
{
	if (u->found < FXT_SCHED_STACK_FRAMES)
		u->result[u->found++] = frame;
}

/*
 * Can this be code of a program? Words of the stack that are mistaken for return addresses are
 * often small numbers. Linux maps nothing in the first page, unless its administrator asks, nor
 * above 2^48, unless a program asks.
 */
static bool may_be_code(uint64_t address)
{
	return address >= LEAST_CODE && !(address >> CODE_BITS);
}

/* Add the frames that the kernel found, except the innermost one. */
static void add_known(struct unwinding *u)
{
	size_t i;

	for (i = 1; i < u->count && may_be_code(u->frames[i]); i++)
		add_frame(u, u->frames[i]);
}

enum step {
	STEP_FINE,
	STEP_MET,	/* the return address that the kernel found */
	STEP_END,	/* there is no caller */
	STEP_UNKNOWN
};

/* @base: the value of the register in the rule for the CFA */
static void restore_fp(const struct unwinding *u, const struct cfi_rule *rule, uint64_t cfa,
		       uint64_t base, struct registers *r)
{
	if (rule->fp == CFI_SAVED || rule->fp == CFI_SAVED_AT_BASE)
		r->has_fp = read_word(u, (rule->fp == CFI_SAVED ? cfa : base) + rule->fp_at,
				      &r->fp);
	else if (rule->fp == CFI_LOST)
		r->has_fp = false;
}

static enum step step(const struct unwinding *u, struct registers *r, bool is_first)
{
	/* A call may be the last instruction of a function. */
	const struct cfi_rule *rule = u->rule(u->arg, r->ip - !r->is_exact);
	uint64_t base, cfa, link;

	if (rule && rule->link == CFI_LOST)
		return STEP_END;
	if (!rule || (rule->base == CFI_FP && !r->has_fp))
		return STEP_UNKNOWN;
	base = rule->base == CFI_SP ? r->sp : r->fp;
	cfa = base + rule->cfa;
	if (rule->is_cfa_saved && !read_word(u, cfa, &cfa))
		return STEP_UNKNOWN;
	/* Each frame must be further out than the one before it, or the walk would not end. */
	if (cfa < r->sp || (cfa == r->sp && !is_first))
		return STEP_UNKNOWN;
	r->sp = cfa;
	link = (rule->link == CFI_SAVED ? cfa : base) + rule->link_at;
	if (rule->link == CFI_KEPT) {
		/* On arm64, the innermost function can have its return address in a register. */
		if (!is_first || !u->copy[FXT_SCHED_COPY_LINK])
			return STEP_UNKNOWN;
		r->ip = u->copy[FXT_SCHED_COPY_LINK];
	} else if (link == u->copy[FXT_SCHED_COPY_FP] + FXT_WORD) {
		return STEP_MET;
	} else if (!read_word(u, link, &r->ip)) {
		return STEP_UNKNOWN;
	}
	restore_fp(u, rule, cfa, base, r);
	r->is_exact = rule->is_signal;
	r->ip &= ADDRESS_MASK;
	if (!r->ip)
		return STEP_END;
	return may_be_code(r->ip) ? STEP_FINE : STEP_UNKNOWN;
}

/*
 * Did the register hold something other than a frame pointer? It did if a function saved it and
 * used it for something else, or if it points into the frame of a function that was left, or into
 * the frame of one whose return address the copy lacks.
 */
static bool is_no_frame_pointer(const struct unwinding *u, const struct registers *r)
{
	const uint64_t fp = u->copy[FXT_SCHED_COPY_FP];

	return !r->has_fp || r->fp != fp || r->sp > fp;
}

void unwind(struct unwinding *u)
{
	struct registers r = {
		.ip = u->frames[0] - u->is_sample,
		.sp = u->copy[FXT_SCHED_COPY_SP],
		.fp = u->copy[FXT_SCHED_COPY_FP],
		.has_fp = true,
		.is_exact = true,
	};
	enum step done = STEP_FINE;

	u->found = u->added = 0;
	while (u->found < FXT_SCHED_STACK_FRAMES && done == STEP_FINE) {
		add_frame(u, r.ip);
		done = step(u, &r, u->found == 1);
	}
	u->result[0] = u->frames[0];
	u->added = u->found - 1;
	u->is_whole = done != STEP_UNKNOWN;
	if (done == STEP_MET || (done == STEP_UNKNOWN && !is_no_frame_pointer(u, &r)))
		add_known(u);
}
