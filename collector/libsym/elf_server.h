/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf_server.h - read ELF files in processes of their own.
 *
 * In:  paths that other users chose, and what must be at them. Out: build ids, functions, and how
 * to leave functions; and texts of /proc, see texts.h.
 *
 * Whoever maps a file can make its opening and reading take for ever, and its contents attack what
 * parses them. So a process is forked for each file, which opens it, gives up all rights
 * (confine_reader()), and only then looks at it. Whoever asks waits as long as it likes, and closes
 * the link. What forks opens and reads nothing, and has the few capabilities that opening takes.
 */
#ifndef LIBSYM_ELF_SERVER_H
#define LIBSYM_ELF_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cfi.h"
#include "elf_file.h"

/* --- answers ---------------------------------------------------------------------------- */

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

/* --- in the process that asks ----------------------------------------------------------- */

/** struct elf_server - the process that forks; @socket is -1 if there is none */
struct elf_server {
	int socket;
	int pid;
};

/**
 * elf_server_start() - fork the process
 *
 * Called while the caller has one thread, its rights, and nothing open that others must not have.
 *
 * Return: 0 or a negative errno; @s->socket is -1 then
 */
int elf_server_start(struct elf_server *s);

/** elf_server_stop() - end it, and all that it has forked */
void elf_server_stop(struct elf_server *s);

/**
 * elf_link_open() - ask for a file
 * @s: the server
 * @place: the file
 * @debug: directory of separate debug files, NULL for none
 *
 * Waits for nothing: a struct elf_hello comes when the file has been opened.
 *
 * Return: a link, which the caller closes; or -1
 */
int elf_link_open(const struct elf_server *s, const struct elf_place *place, const char *debug);

/** elf_link_ask_rule() - ask for a struct elf_rule, which comes after the hello. Return: done? */
bool elf_link_ask_rule(int link, uint64_t vaddr);

/** elf_link_ask_functions() - ask for struct elf_functions, one or more. Return: done? */
bool elf_link_ask_functions(int link, const uint64_t *vaddrs, size_t count);

/**
 * elf_text_open() - have texts read, which nobody parses: the reader keeps what rights it has
 *
 * Return: a link, which the caller closes; or -1
 */
int elf_text_open(const struct elf_server *s);

/**
 * elf_link_ask_text() - ask for a text
 * @link: of elf_text_open()
 * @path: of the file
 * @most: bytes of it
 *
 * Answers are struct elf_text, one or more. Return: done?
 */
bool elf_link_ask_text(int link, const char *path, size_t most);

/**
 * elf_link_receive() - receive an answer
 * @link: the descriptor of the link
 * @to: at least ELF_PACKET_BYTES
 * @ms: wait so long for it, 0: do not wait
 *
 * Return: its bytes; 0: none has come; -1: none will come, because the reader has ended
 */
long elf_link_receive(int link, void *to, int ms);

/**
 * elf_server_ids() - read the build ids of files
 * @s: the server
 * @places: the files, ELF_IDS_MOST at most; @id of each is set, without bytes if it is unknown
 * @ms: wait no longer
 */
void elf_server_ids(const struct elf_server *s, struct elf_place *places, size_t count, int ms);

#endif /* LIBSYM_ELF_SERVER_H */
