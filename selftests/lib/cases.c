// SPDX-License-Identifier: GPL-2.0-or-later
/* A case that is not in the right form ends the program. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"
#include "golden.h"
#include "perfetto_file.h"

#define MAX_CASES	1000
#define MAX_ARGS	32
#define MAX_SAID	4096

static void give_up(const char *why, const char *line)
{
	fprintf(stderr, "# cases: %s: %.*s\n", why, (int)strcspn(line, "\n"), line);
	abort();
}

static const char *path_of(const char *file, char path[256])
{
	char name[64];

	snprintf(name, sizeof(name), "cases/%s.txt", file);
	return built_path(path, 256, name);
}

/* The whole file; an empty line precedes each case. */
static const char *read_cases(const char *file)
{
	static char text[1 << 20];
	char path[256];
	size_t bytes;
	FILE *f;

	f = fopen(path_of(file, path), "r");
	if (!f)
		give_up("cannot read", path);
	bytes = fread(text, 1, sizeof(text) - 1, f);
	text[bytes] = '\0';
	fclose(f);
	if (bytes == sizeof(text) - 1 || !strncmp(text, "== ", 3))
		give_up("too long, or no line above the first case", path);
	return text;
}

char **case_names(const char *file)
{
	char **names = calloc(MAX_CASES + 1, sizeof(*names));
	const char *at = read_cases(file);
	size_t count, i;

	for (count = 0; (at = strstr(at, "\n== ")); count++) {
		at += 4;
		names[count] = strndup(at, strcspn(at, "\n"));
		for (i = 0; i < count; i++)
			if (!strcmp(names[i], names[count]))
				give_up("two cases of one name", at);
		if (count == MAX_CASES - 1)
			give_up("too many cases", at);
	}
	if (!count)
		give_up("no case", file);
	return names;
}

char *case_text(const char *file, const char *name)
{
	const char *at, *end;
	char head[256];

	snprintf(head, sizeof(head), "\n== %s\n", name);
	at = strstr(read_cases(file), head);
	if (!at)
		return NULL;
	at += strlen(head);
	end = strstr(at, "\n\n== ");
	return strndup(at, end ? (size_t)(end + 1 - at) : strlen(at));
}

void case_begin(struct case_run *r, const char *name)
{
	memset(r, 0, sizeof(*r));
	r->name = name;
	r->fd = memfd_create("case", MFD_CLOEXEC);
	snprintf(r->path, sizeof(r->path), "/proc/%d/fd/%d", getpid(), r->fd);
	setenv("LC_ALL", "C.UTF-8", 1);
	story_begin(&r->s);
}

static void store(struct case_run *r)
{
	const void *data = r->text ? (void *)r->text : r->s.b.words;
	size_t bytes = r->text ? r->text_bytes : built_bytes(&r->s.b);

	if (ftruncate(r->fd, 0) || pwrite(r->fd, data, bytes, 0) != (ssize_t)bytes)
		give_up("cannot write the archive", "");
}

/* The next word of a command, as a shell would take it: one in quotes may have blanks. */
static char *next_word(char **at)
{
	char end[] = " ", *word;

	*at += strspn(*at, " ");
	if (!**at)
		return NULL;
	if (**at == '\'' || **at == '"')
		*end = *(*at)++;
	word = *at;
	*at += strcspn(word, end);
	if (*end != ' ' && !**at)
		give_up("no end of the quoted", word);
	if (**at)
		*(*at)++ = '\0';
	return word;
}

static void run_command(struct case_run *r, char *line, char wrong[MAX_SAID])
{
	int expected = isdigit((unsigned char)line[1]) ? line[1] - '0' : 0;
	const char *args[MAX_ARGS + 2];
	bool has_archive = false;
	struct tool t;
	size_t n = 0;
	int status;

	for (char *at = line + 2, *word; (word = next_word(&at));) {
		if (n == MAX_ARGS)
			give_up("too many arguments", word);
		has_archive |= !strcmp(word, "@");
		args[n++] = strcmp(word, "@") ? word : r->path;
	}
	if (!has_archive)
		args[n++] = r->path;
	args[n] = NULL;
	store(r);
	status = tool_run(&t, args);
	if (status != expected)
		snprintf(wrong, MAX_SAID, "fxt %s: exit status %d instead of %d: %.3000s", args[0],
			 status, expected, t.err);
	r->at = r->out = t.out;
	r->err = t.err;
}

static bool is_escaped(const char *at)
{
	return at[0] == '\\' && at[1] && strchr("ns\\", at[1]);
}

/* "\n" becomes the end of a line, "\s" a blank, and "\\" a backslash. */
static char *unescape(char *text)
{
	char *to = text;

	for (const char *at = text; *at; at++, to++) {
		*to = *at;
		if (is_escaped(at))
			*to = *++at == 'n' ? '\n' : *at == 's' ? ' ' : '\\';
	}
	*to = '\0';
	return text;
}

static void compare_line(struct case_run *r, const char *expected, bool is_last, char wrong[MAX_SAID])
{
	size_t bytes = strcspn(r->at, "\n");

	if (strlen(expected) != bytes || strncmp(r->at, expected, bytes))
		snprintf(wrong, MAX_SAID, "\"%s\" expected in: %.3000s", expected, r->out);
	r->at += bytes + (r->at[bytes] == '\n');
	if (is_last && *r->at)
		snprintf(wrong, MAX_SAID, "nothing expected after \"%s\" in: %.3000s", expected, r->out);
}

/* A line of output as the file has it: a blank at its end would not be seen. */
static void print_line(FILE *f, const char *line, size_t bytes)
{
	bool has_blank = bytes && line[bytes - 1] == ' ';

	fputs("= ", f);
	for (const char *at = line; at < line + bytes - has_blank; at++)
		fprintf(f, "%s%c", is_escaped(at) ? "\\" : "", *at);
	fprintf(f, "%s\n", has_blank ? "\\s" : "");
}

/*
 * Replace lines with "=" by what the output has. @line: the first of them. What follows is still
 * the same in the file, because only lines above it were replaced. Return: the line behind them
 */
static const char *write_lines(struct case_run *r, const char *file, const char *line)
{
	const char *text = read_cases(file), *rest, *next = line, *out;
	char path[256], head[256];
	size_t bytes;
	FILE *f;

	snprintf(head, sizeof(head), "\n== %s\n", r->name);
	rest = strstr(text, head);
	rest = rest ? strstr(rest, line) : NULL;
	while (*next == '=')
		next += strcspn(next, "\n") + 1;
	if (!rest || !(f = fopen(path_of(file, path), "w")))
		give_up("cannot write the lines at", line);
	fwrite(text, 1, rest - text, f);
	for (out = r->at; *out; out += bytes + (out[bytes] == '\n')) {
		bytes = strcspn(out, "\n");
		print_line(f, out, bytes);
	}
	fputs(rest + (next - line), f);
	if (fclose(f))
		give_up("cannot write", path);
	r->at = out;
	return *next ? next : NULL;
}

/* The lines between @line, "<<<", and ">>>" are the file. Return: the line behind them */
static const char *take_file(struct case_run *r, const char *line)
{
	static struct pfile perfetto;
	const char *begin = line + strcspn(line, "\n") + 1, *end = strstr(begin - 1, "\n>>>\n");

	if (!end)
		give_up("no end of the file", line);
	r->text_bytes = end + 1 - begin;
	r->text = strndup(begin, r->text_bytes);
	if (!strncmp(line, "<<< perfetto\n", 13)) {
		if (strchr(r->text, '%'))
			give_up("a % in the packets at", line);
		perfetto.bytes = 0;
		PFILE(&perfetto, unescape(r->text));
		r->text = (char *)perfetto.data;
		r->text_bytes = perfetto.bytes;
	}
	return end + 5;
}

/* Only the story or file of that case. */
static void take_story_of(struct case_run *r, const char *file, const char *name)
{
	const char *line = case_text(file, name);
	char wrong[MAX_SAID];

	if (!line)
		give_up("no such case", name);
	while (line && !strchr("?$", *line))
		line = case_line(r, file, line, NULL, wrong);
}

static void run_line(struct case_run *r, const char *file, char *line, bool is_last,
		     case_answer answer, char wrong[MAX_SAID])
{
	const char *text = unescape(line) + 2;

	switch (*line) {
	case '$':
		run_command(r, line, wrong);
		break;
	case '?':
		store(r);
		r->at = r->out = answer(r, text);
		if (!r->out)
			give_up("no such question", line);
		break;
	case '=':
		compare_line(r, text, is_last, wrong);
		break;
	case '~':
		r->at = golden_part(r->out, text);
		break;
	case '>':
		r->at = strstr(r->at, text) ?: "";
		if (!*r->at)
			snprintf(wrong, MAX_SAID, "no \"%s\" there: %.3000s", text, r->out);
		break;
	case '+':
		if (!strstr(r->out, text))
			snprintf(wrong, MAX_SAID, "no \"%s\" in: %.3000s", text, r->out);
		break;
	case '!':
		if (line[1] == '=' ? *r->err :
		    line[1] == '-' ? !!strstr(r->err, text + 1) : !strstr(r->err, text))
			snprintf(wrong, MAX_SAID, "\"%s\": %.3000s", line, r->err);
		break;
	case '-':
		if (line[1] == '-') {
			story_restart(&r->s);
			r->text = NULL;
		} else if (strstr(r->out, text)) {
			snprintf(wrong, MAX_SAID, "\"%s\" in: %.3000s", text, r->out);
		}
		break;
	case '#':
		break;
	default:
		if (!strncmp(line, "like ", 5))
			take_story_of(r, file, line + 5);
		else if (r->text || strchr(line, '%'))
			give_up("a story behind a file, or with a %", line);
		else
			STORY(&r->s, line);
	}
}

/* Has the line a blank before its text? */
static bool is_form(const char *line)
{
	if (!strncmp(line, "!- ", 3) || !strncmp(line, "!=\n", 3) || !strncmp(line, "--\n", 3))
		return true;
	if (*line == '$' && isdigit((unsigned char)line[1]))
		return line[2] == ' ';
	return !strchr("$?=~>+!-#", *line) || line[1] == ' ';
}

const char *case_line(struct case_run *r, const char *file, const char *line, case_answer answer,
		      char wrong[MAX_SAID])
{
	size_t bytes = line ? strcspn(line, "\n") : 0;
	const char *next;
	char *copy;

	*wrong = '\0';
	if (!bytes) {
		if (line && *line)
			give_up("an empty line in the case", r->name);
		if (!r->checks)
			give_up("a case that checks nothing", r->name);
		return NULL;
	}
	if (!is_form(line))
		give_up("no such line", line);
	r->checks += !!strchr("$=>+!", *line) || !strncmp(line, "- ", 2);
	if (*line == '=' && golden_is_written())
		return write_lines(r, file, line);
	next = line + bytes + (line[bytes] == '\n');
	if (!strncmp(line, "<<<", 3))
		return take_file(r, line);
	copy = strndup(line, bytes);
	run_line(r, file, copy, *next != '=', answer, wrong);
	return next;
}
