/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * document.h - small JSON documents, made by json-c.
 *
 * Handles what json-c leaves to its caller: strings of an archive may be invalid UTF-8, and
 * integers beyond 2^53 become strings, because JavaScript has no such integers. Documents
 * that grow with the number of records are printed by out.h instead.
 */
#ifndef FXT_WRITE_DOCUMENT_H
#define FXT_WRITE_DOCUMENT_H

#include <json-c/json.h>
#include <sys/types.h>

#include "out.h"

/**
 * document_utf8() - make UTF-8 of any bytes
 * @to: terminated; invalid UTF-8 and zero bytes become U+FFFD
 * @room: bytes at @to
 * @bytes: the string
 * @length: its length in bytes
 *
 * Return: length of the result in bytes, or -1 if it does not fit.
 */
ssize_t document_utf8(char *to, size_t room, const char *bytes, size_t length);

/** document_text() - a string of an archive; NULL without memory, which is null */
struct json_object *document_text(const char *bytes, size_t length);

/** document_u64() - an integer; beyond 2^53 as a string */
struct json_object *document_u64(uint64_t value);

/** document_print() - on one line; frees @j */
void document_print(struct out *o, struct json_object *j);

#endif /* FXT_WRITE_DOCUMENT_H */
