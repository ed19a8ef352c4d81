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

#include "elf_answers.h"

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
 * @link: the link
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
