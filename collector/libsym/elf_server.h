/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf_server.h - read ELF files in processes of their own.
 *
 * In:  paths that other users chose, and the identity of the files there.
 * Out: build ids, functions, and rules for leaving functions; and texts of /proc, see texts.h.
 *
 * A user who maps a file can make opening and reading it take forever, and its contents can attack
 * the parser. So the server forks a process for each file. That process opens the file, gives up
 * all rights (confine_reader()), and only then reads it. The caller waits as long as it wants, then
 * closes the link. The server itself opens and reads nothing, and keeps only the few capabilities
 * that opening needs.
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
#define ELF_RULES_MOST		512U	/* addresses in a question for rules */
#define ELF_NAME_BYTES		400U	/* of a function; longer names are truncated */
#define ELF_PACKET_BYTES	65536U

/* The path and the identity of a file. */
struct elf_place {
	char path[ELF_PATH_BYTES];
	char first[64];	/* a link to try first, which can only lead to the right file; or "" */
	/* that it must have; without bytes, @device and @inode identify it */
	struct elf_id id;
	uint64_t device;	/* as in /proc/PID/maps */
	uint64_t inode;
	/* that has mapped it, perhaps in another root directory; 0: unknown */
	uint32_t process;
};

/* The first answer about a file. */
struct elf_hello {
	enum elf_fault fault;	/* the separate debug file may still have functions */
	struct elf_id id;
	struct elf_load loads[ELF_LOADS];
	size_t load_count;
};

/* Is the file perhaps in the root directory of a process, with this fault? */
static inline bool elf_is_elsewhere(int fault)
{
	return fault == ELF_NO_FILE || fault == ELF_OTHER_ID || fault == ELF_DAMAGED;
}

/* The rule for leaving a function. @is_known: @rule is valid for @vaddr. */
struct elf_rule {
	uint64_t vaddr;
	bool is_known;
	struct cfi_rule rule;
};

struct elf_named {
	uint64_t at;
	uint64_t start;		/* 0: no function contains the address */
	uint64_t end;
	uint32_t length;	/* of the name, which follows without a terminator */
	uint32_t reserved;
};

/* An answer; @count struct elf_named follow. */
struct elf_functions {
	enum elf_fault fault;
	uint32_t count;
	bool is_last;
};

/* A part of a text, whose bytes follow. @exists: the text could be read. */
struct elf_text {
	bool is_last;
	bool exists;
};

/* --- in the process that asks ----------------------------------------------------------- */

/* The process that forks; @socket is -1 if there is none. */
struct elf_server {
	int socket;
	int pid;
};

/*
 * Fork the process. Call it while the process has one thread and its rights, and before it opens
 * files that other processes must not get. Return: 0; a negative errno, and @s->socket is -1.
 */
int elf_server_start(struct elf_server *s);

/* Also ends the processes that the server forked. */
void elf_server_stop(struct elf_server *s);

/*
 * Ask for a file. @debug: directory of separate debug files; NULL: none. Does not wait: a struct
 * elf_hello comes when the file has been opened. Return: a link, which the caller closes; or -1.
 */
int elf_link_open(const struct elf_server *s, const struct elf_place *place, const char *debug);

/* Ask for @count struct elf_rule, which come in one answer after the hello. Return: was it sent? */
bool elf_link_ask_rules(int link, const uint64_t *vaddrs, size_t count);

/* Ask for one or more struct elf_functions. Return: was it sent? */
bool elf_link_ask_functions(int link, const uint64_t *vaddrs, size_t count);

/*
 * Begin to read texts. The reader keeps its rights, because it parses none. Return: a link, which
 * the caller closes; or -1.
 */
int elf_text_open(const struct elf_server *s);

/*
 * Ask for the text of a file, at most @most bytes. The answer is one or more struct elf_text.
 * @link: of elf_text_open(). Return: was it sent?
 */
bool elf_link_ask_text(int link, const char *path, size_t most);

/*
 * @to: at least ELF_PACKET_BYTES. @ms: limit of the wait; 0: do not wait. Return: bytes of the
 * answer; 0 if none has come; -1 if none will come: the reader has ended.
 */
long elf_link_receive(int link, void *to, int ms);

/*
 * Read the build ids of at most ELF_IDS_MOST files. @places: @id of each is set, without bytes if
 * unknown. @ms: limit of the wait. Return: has the answer come?
 */
bool elf_server_ids(const struct elf_server *s, struct elf_place *places, size_t count, int ms);

#endif /* LIBSYM_ELF_SERVER_H */
