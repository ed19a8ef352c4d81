// SPDX-License-Identifier: GPL-2.0-or-later
/* texts.c - see texts.h. */
#include <string.h>
#include <unistd.h>

#include "texts.h"

#define STEP_MS		5	/* between two calls of @idle */

static unsigned char packet[ELF_PACKET_BYTES];

void texts_begin(struct texts *t)
{
	t->lost_ms = 0;
}

void texts_close(struct texts *t)
{
	if (t->is_open)
		close(t->link);
	t->is_open = false;
}

static bool ask(struct texts *t, const char *path, size_t most)
{
	if (t->lost_ms < TEXTS_LOST_MS) {
		if (t->is_open && elf_link_ask_text(t->link, path, most))
			return true;
		/* The process may have ended: use another one. */
		texts_close(t);
		t->link = elf_text_open(t->server);
		t->is_open = t->link >= 0;
		if (t->is_open && elf_link_ask_text(t->link, path, most))
			return true;
	}
	t->late++;
	return false;
}

/* Return: bytes of the next part, which begins with struct elf_text; or -1. */
static long next(struct texts *t)
{
	unsigned int waited = 0;
	long n = 0;

	while (!n && waited < TEXTS_WAIT_MS) {
		n = elf_link_receive(t->link, packet, STEP_MS);
		if (n)
			break;
		if (t->idle)
			t->idle(t->arg);
		waited += STEP_MS;
	}
	if (n >= (long)sizeof(struct elf_text))
		return n;
	/* Do not ask this process again. It may still be reading. */
	texts_close(t);
	if (!n) {
		t->lost_ms += waited;
		t->late++;
	}
	return -1;
}

long texts_read(struct texts *t, const char *path, char *text, size_t room)
{
	const struct elf_text *head = (const void *)packet;
	long n = ask(t, path, room - 1) ? next(t) : -1;

	if (n < 0)
		return -1;
	n -= sizeof(*head);
	if (!head->is_last || !head->exists || n >= (long)room)
		return -1;
	memcpy(text, packet + sizeof(*head), n);
	text[n] = '\0';
	return n;
}

/* Call @line for complete lines. Return: bytes of the incomplete one at the end. */
static size_t pass_lines(char *text, size_t bytes, int (*line)(void *arg, char *text), void *arg,
			 int *ret)
{
	char *end;

	while (!*ret && (end = memchr(text, '\n', bytes))) {
		*end++ = '\0';
		*ret = line(arg, text);
		bytes -= end - text;
		text = end;
	}
	return bytes;
}

int texts_lines(struct texts *t, const char *path, int (*line)(void *arg, char *text), void *arg)
{
	static char text[2 * ELF_PACKET_BYTES];
	const struct elf_text *head = (const void *)packet;
	size_t kept = 0, bytes;
	int ret = 0;
	long n;

	if (!ask(t, path, SIZE_MAX))
		return -1;
	do {
		n = next(t);
		if (n < 0)
			return -1;
		n -= sizeof(*head);
		memcpy(text + kept, packet + sizeof(*head), n);
		bytes = kept + n;
		kept = pass_lines(text, bytes, line, arg, &ret);
		if (kept > ELF_PACKET_BYTES)
			kept = 0;
		memmove(text, text + bytes - kept, kept);
	} while (!ret && !head->is_last);
	/* Otherwise the rest would be taken for the next text. */
	if (ret)
		texts_close(t);
	return ret ? ret : head->exists ? 0 : -1;
}
