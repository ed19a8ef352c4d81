// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names and paths that would control a terminal or hide text: whatever fxt and fxt-collect print
 * has no control character but the line end, and no character that hides or reorders others:
 * neither on standard output, nor in messages, nor in a page.
 */
#include "harness.h"

#include <limits.h>

#include "event_story.h"
#include "fxt-collect/session/status.h"
#include "page_blocks.h"
#include "terminal.h"
#include "tool.h"

/* Each kind: an escape, a C1 control, overrides, zero width, a byte order mark, DEL, a tag. */
#define ESC		"\x1b]0;T\x07"
#define C1		"\xc2\x9b" "31m"
#define OVERRIDE	"a\xe2\x80\xae" "b"
#define ISOLATE		"c\xe2\x81\xa6" "d"
#define ZERO_WIDTH	"e\xe2\x80\x8b" "f"
#define OTHERS		"\xef\xbb\xbf\x7f\xf3\xa0\x80\xa0\r\xe2\x80\xa8"
#define EVERYTHING	ESC C1 OVERRIDE ISOLATE ZERO_WIDTH OTHERS

FIXTURE(hostile)
{
	char dir[64];
	char path[PATH_MAX];	/* path of the archive */
	char missing[PATH_MAX];	/* path of no file */
	char out[PATH_MAX];
};

static void write_story(struct story *s)
{
	static const uint64_t frames[] = { 0x401000, 0x402000 };

	story_begin(s);
	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 11, 11, ESC);
	story_name(s, 12, 11, C1);
	story_name(s, 13, 13, OVERRIDE);
	story_name(s, 14, 14, ZERO_WIDTH);
	story_name(s, 15, 15, ISOLATE OTHERS);
	event_tracks(s, 0);
	STORY(s, "0@1000; 1ms 0>11; 2ms wake 12 by 11");
	event_custom(s, 3 * MS, 11, 11, C1 OVERRIDE);
	STORY(s, "20ms 11>12 S; 30ms 12>13 S");
	event_irq(s, 31 * MS, 32 * MS, 7, ESC ZERO_WIDTH);
	event_work(s, 33 * MS, 34 * MS, 13, 13, OVERRIDE);
	STORY(s, "35ms wake 14 by 13 on 0; 40ms 13>14 S; 50ms 14>15 S; 51ms wake 11 by 15 on 0; "
		 "60ms 15>11 S");
	event_stack(s, 60 * MS, 11, 11, frames, 2);
	story_end(s, 70 * MS);
	event_module(s, 70 * MS, 11, 1, "/" EVERYTHING, 0x400000, 0x10000);
	event_symbols(s, "u 11 401000 401010 " C1 OVERRIDE ZERO_WIDTH "\n");
}

FIXTURE_SETUP(hostile)
{
	struct story s = { 0 };

	strcpy(self->dir, "/tmp/fxt-hostile.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->dir));
	snprintf(self->path, PATH_MAX, "%s/%s.fxt", self->dir, EVERYTHING);
	snprintf(self->missing, PATH_MAX, "%s/none%s.fxt", self->dir, EVERYTHING);
	snprintf(self->out, PATH_MAX, "%s/out%s", self->dir, EVERYTHING);
	write_story(&s);
	save_file(self->path, s.b.words, built_bytes(&s.b));
}

FIXTURE_TEARDOWN(hostile)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", self->dir);
	EXPECT_EQ(0, system(command));
}

static bool in(uint32_t c, uint32_t first, uint32_t last)
{
	return c >= first && c <= last;
}

/* Is this harmless in a terminal or a page? The ranges are from Unicode's tables, not from fxt. */
static bool is_harmless(uint32_t c)
{
	return !(in(c, 0, 9) || in(c, 0xb, 0x1f) || in(c, 0x7f, 0x9f) || c == 0xad ||
		 c == 0x61c || in(c, 0x200b, 0x200f) || in(c, 0x2028, 0x202e) ||
		 in(c, 0x2060, 0x206f) || c == 0xfeff || in(c, 0xe0000, 0xe0fff));
}

/* The first place with a harmful character or invalid UTF-8; NULL: none. Pages have tabs. */
static const char *harm_in(const char *text, size_t bytes, bool is_page)
{
	size_t i, n;

	for (i = 0; i < bytes; i += n) {
		const unsigned char *s = (const unsigned char *)text + i;
		uint32_t c = *s;

		n = fxt_utf8_length(s, bytes - i);
		if (!n)
			return text + i;
		if (n > 1) {
			c &= 0x7f >> n;
			for (size_t k = 1; k < n; k++)
				c = c << 6 | (s[k] & 0x3f);
		}
		if (!is_harmless(c) && !(is_page && c == '\t'))
			return text + i;
	}
	return NULL;
}

#define EXPECT_HARMLESS(label, text, bytes, is_page)				\
	do {									\
		const char *harm_ = harm_in(text, bytes, is_page);		\
										\
		EXPECT_EQ(NULL, harm_)						\
			TH_LOG("%s: byte %zd: %02x %02x %02x", label, harm_ - (text),	\
			       (unsigned char)harm_[0], (unsigned char)harm_[1],	\
			       (unsigned char)harm_[2]);			\
	} while (0)

/* Run all @count commands. "A" is the archive, "N" a file that does not exist, "O" an output. */
static void sweep(struct __test_metadata *_metadata, FIXTURE_DATA(hostile) *self,
		  const char *(*commands)[8], size_t count)
{
	const char *args[8];
	struct tool t;

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < 8; k++) {
			const char *word = commands[i][k];

			args[k] = !word ? NULL : !strcmp(word, "A") ? self->path :
				  !strcmp(word, "N") ? self->missing :
				  !strcmp(word, "O") ? self->out : word;
		}
		EXPECT_LE(0, tool_run(&t, args));
		EXPECT_GT(128, t.status) TH_LOG("%s %s", args[0], args[1]);
		EXPECT_LT(0U, t.out_bytes + t.err_bytes) TH_LOG("%s %s", args[0], args[1]);
		EXPECT_HARMLESS(args[0], t.out, t.out_bytes, false);
		EXPECT_HARMLESS(args[0], t.err, t.err_bytes, false);
	}
}

#define SWEEP(commands)								\
	sweep(_metadata, self, commands, sizeof(commands) / sizeof(commands[0]))

TEST_F(hostile, outputs)
{
	static const char *commands[][8] = {
		{ "check", "A" }, { "check", "--json", "A" }, { "check", "--all", "A", "A" },
		{ "info", "A" }, { "info", "--json", "A" }, { "info", "A", "A" },
		{ "dump", "A" }, { "dump", "--json", "A" },
		{ "report", "A" }, { "report", "--json", "A" }, { "report", "--folded", "A" },
		{ "report", "--top", "100", "--sort", "wait", "A" },
		{ "convert", "--to", "json", "A" }, { "convert", "--to", "ftrace", "A" },
		{ "convert", "--to", "json", "--with-ftrace", "A" },
		{ "diff", "A", "A" }, { "diff", "--json", "A", "A" },
		{ "assert", "max(wait) < 1ns and count(switches) == 0", "A", "A" },
		{ "assert", "--json", "max(wait) < 1ns and count(switches) == 0", "A" },
		{ "blame", "A" }, { "blame", "--json", "A" }, { "why", "--worst", "9", "A" },
		{ "why", "--program", "*", "A" }, { "why", "--program", "*", "--json", "A" },
		{ "why", "--worst", "9", "--json", "A" },
	};

	SWEEP(commands);
}

TEST_F(hostile, messages)
{
	static const char *commands[][8] = {
		{ "symbolize", "-o", "O", "A" }, { "symbolize", "-o", "/dev/full", "A" },
		{ "check", "N" }, { "info", "N" }, { "dump", "N" }, { "report", "N" },
		{ "convert", "--to", "json", "N" }, { "merge", "-o", "O", "A", "N" },
		{ "merge", "-o", "O", "A", "A" }, { "cut", "-o", "O", "--comm", EVERYTHING, "A" },
		{ "cut", "-o", "O", "N" }, { "symbolize", "-o", "O", "N" },
		{ "open", "--no-browser", "N" }, { "open", "--port", EVERYTHING, "A" },
		{ "report", "--html", "O", "N" }, { "convert", "--to", EVERYTHING, "A" },
		{ "convert", "-o", EVERYTHING, "A" }, { "convert", "--from", EVERYTHING, "A" },
		{ "dump", "--blob", EVERYTHING, "A" }, { "dump", "--" EVERYTHING, "A" },
		{ "report", "--comm", EVERYTHING, "A" }, { "report", "--sort", EVERYTHING, "A" },
		{ "report", "--pid", EVERYTHING, "A" }, { "report", "--cgroup", EVERYTHING, "A" },
		{ "report", "--from", EVERYTHING, "A" }, { EVERYTHING, "A" },
		{ "receive", "-l", EVERYTHING, "-o", "O" },
		{ "receive", "-l", "tcp://nowhere.invalid" EVERYTHING ":1", "-o", "O" },
		{ "receive", "-l", "unix:/nowhere/" EVERYTHING, "-o", "O" },
		{ "convert", "--to", "csv", "-o", "A", "A" },
		{ "convert", "--to", "parquet", "--partition", "-o", "O", "A" },
		{ "diff", "N", "A" }, { "diff", "--per", "syscall:" EVERYTHING, "A", "A" },
		{ "assert", EVERYTHING, "A" }, { "assert", "count(wait) == 0", "N" },
		{ "assert", "count(wait, cgroup='/" EVERYTHING "') == 0", "A" },
	};

	SWEEP(commands);
}

TEST_F(hostile, page)
{
	static const char *const blocks[] = { "fxt-report", "fxt-timeline" };
	char *page, *text;
	struct tool t;
	struct stat st;
	int fd;

	ASSERT_EQ(0, tool_run(&t, ARGS("report", "--html", self->out, self->path)))
		TH_LOG("%s", t.err);
	EXPECT_HARMLESS("report --html", t.err, t.err_bytes, false);
	fd = open(self->out, O_RDONLY);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, fstat(fd, &st));
	page = malloc(st.st_size + 1);
	ASSERT_EQ(st.st_size, read(fd, page, st.st_size));
	page[st.st_size] = '\0';
	EXPECT_HARMLESS("page", page, st.st_size, true);
	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
		text = json_block(page, blocks[i]);
		ASSERT_NE(NULL, text);
		EXPECT_HARMLESS(blocks[i], text, strlen(text), true);
		/* Readers see them: they are neither raw nor escapes that JSON would undo. */
		EXPECT_LT(0U, times_in_text(text, "\"a\\\\xe2\\\\x80\\\\xaeb\"")) TH_LOG("%s", blocks[i]);
		EXPECT_EQ(0U, times_in_text(text, "\\u202e"));
		EXPECT_EQ(0U, times_in_text(text, "\\u001b"));
	}
	close(fd);
}

/* CSV has names as they are for programs, but not on a terminal, and not in a pager there. */
TEST_F(hostile, csv_on_a_terminal)
{
	static const char *const pagers[] = { "PAGER=", "PAGER=exec cat" };
	const char *args[] = { "blame", "--by", "thread", "--csv", self->path, NULL };
	struct tool t;
	size_t i, from, to;

	ASSERT_EQ(0, tool_run(&t, args)) TH_LOG("%s", t.err);
	EXPECT_EQ(1U, times_in_text(t.out, C1 ",12")) TH_LOG("%s", t.out);
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, terminal_run(&t, &(struct terminal){
			.args = args, .settings = ARGS(pagers[i]), .columns = 80,
		}));
		for (from = to = 0; from < t.out_bytes; from++)
			if (strncmp(t.out + from, "\r\n", 2))
				t.out[to++] = t.out[from];
		t.out[to] = 0;
		EXPECT_HARMLESS(pagers[i], t.out, to, false);
		EXPECT_EQ(1U, times_in_text(t.out, "\\xc2\\x9b31m,12")) TH_LOG("%s", t.out);
	}
}

/* The messages contain names of modules, threads and files from other users' processes. */
TEST(messages_of_collector)
{
	int ends[2], saved = dup(STDERR_FILENO);
	char text[4096];
	ssize_t n;

	ASSERT_EQ(0, pipe(ends));
	dup2(ends[1], STDERR_FILENO);
	status_print("no functions of %u file%s: %s is not readable", 1, "", EVERYTHING);
	dup2(saved, STDERR_FILENO);
	close(ends[1]);
	n = read(ends[0], text, sizeof(text) - 1);
	ASSERT_LT(0, n);
	text[n] = '\0';
	EXPECT_HARMLESS("status_print()", text, n, false);
	EXPECT_LT(0U, times_in_text(text, "\\x1b]0;T\\x07\\xc2\\x9b31ma\\xe2\\x80\\xaeb")) TH_LOG("%s", text);
	EXPECT_EQ(1U, times_in_text(text, "\n"));
	close(ends[0]);
	close(saved);
}
