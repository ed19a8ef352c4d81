/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf_answers.h - questions about files, and answers, as they go over a link, see elf_server.h.
 */
#ifndef LIBSYM_ELF_ANSWERS_H
#define LIBSYM_ELF_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cfi.h"
#include "elf_file.h"

#define ELF_PATH_BYTES		4096
#define ELF_IDS_MOST		32U	/* files in a question for build ids */
#define ELF_ADDRESSES_MOST	1024U	/* addresses in a question for functions */
#define ELF_NAME_BYTES		400U	/* of a function; the rest is cut off */
#define ELF_PACKET_BYTES	65536U

/**
 * struct elf_place - where a file is, and which one it is
 * @path: of the file
 * @first: another path, looked at before; only a link that leads to the right file; or empty
 * @id: the build id that it must have; if it has no bytes:
 * @device: as /proc/PID/maps has it, of the file that it must be; @inode likewise
 */
struct elf_place {
	char path[ELF_PATH_BYTES];
	char first[64];
	struct elf_id id;
	uint64_t device;
	uint64_t inode;
};

/**
 * struct elf_hello - what a file is, the first answer about it
 * @fault: why it cannot be used; its separate debug file may still have functions
 * @id: its build id
 * @loads: as of struct elf_file, @load_count of them
 */
struct elf_hello {
	enum elf_fault fault;
	struct elf_id id;
	struct elf_load loads[ELF_LOADS];
	size_t load_count;
};

/** struct elf_rule - how to leave a function; @is_known: @rule is valid for @vaddr */
struct elf_rule {
	uint64_t vaddr;
	bool is_known;
	struct cfi_rule rule;
};

/**
 * struct elf_named - the function of an address
 * @at: the address; @start is 0 if it is in no function
 * @length: of the name, which follows, without a terminator
 */
struct elf_named {
	uint64_t at;
	uint64_t start;
	uint64_t end;
	uint32_t length;
	uint32_t reserved;
};

/** struct elf_functions - an answer: @count of struct elf_named follow; @is_last: no more comes */
struct elf_functions {
	enum elf_fault fault;
	uint32_t count;
	bool is_last;
};

/** struct elf_text - a part of a text, whose bytes follow; @exists: it could be read */
struct elf_text {
	bool is_last;
	bool exists;
};

enum elf_ask_kind {
	ELF_ASK_ID,		/* with a place: one of several files */
	ELF_ASK_IDS,		/* of all of them */
	ELF_ASK_FILE,		/* with a place and a directory: the file of the link */
	ELF_ASK_RULE,
	ELF_ASK_FUNCTIONS,
	ELF_ASK_TEXT,		/* with a place: its text; nothing else on such a link */
};

/** struct elf_ask - a question; only what its kind needs is sent */
struct elf_ask {
	enum elf_ask_kind kind;
	uint32_t count;		/* addresses; bytes of a text, at most */
	union {
		struct {
			struct elf_place place;
			char debug[256];
		};
		uint64_t vaddrs[ELF_ADDRESSES_MOST];
	};
};

#endif /* LIBSYM_ELF_ANSWERS_H */
