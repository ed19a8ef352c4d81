// SPDX-License-Identifier: GPL-2.0-or-later
/* import.c - see import.h. */
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libfxt/stream.h"
#include "libsym/confine.h"
#include "terminal/exit_status.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "import.h"

/* --- temporary files ------------------------------------------------------------------------- */

static FILE *spare[IMPORT_FILES];
static unsigned int spares;
static bool is_confined;

static bool open_spares(void)
{
	while (spares < IMPORT_FILES) {
		spare[spares] = tmpfile();
		if (!spare[spares])
			break;
		spares++;
	}
	return spares == IMPORT_FILES;
}

static void close_spares(void)
{
	while (spares)
		fclose(spare[--spares]);
}

FILE *import_file(void)
{
	if (!is_confined)
		return tmpfile();
	errno = EMFILE;
	return spares ? spare[--spares] : NULL;
}

void import_file_close(FILE *f)
{
	if (!f)
		return;
	if (!is_confined) {
		fclose(f);
		return;
	}
	fflush(f);
	if (!ftruncate(fileno(f), 0) && !fseek(f, 0, SEEK_SET))
		spare[spares++] = f;
}

int import_unwritable(void)
{
	message("fxt: cannot write a temporary file: %s\n", strerror(errno));
	return VERB_UNWRITABLE;
}

static int unreadable(const char *name, const char *why)
{
	message("fxt: cannot read %s: %s\n", name, why);
	return VERB_UNREADABLE;
}

/* --- texts in UTF-16 ---------------------------------------------------------------------- */

struct wide_text {
	iconv_t to_utf8;
	struct fxt_stream *stream;
	FILE *to;
	uint64_t invalid;	/* parts that became question marks */
	size_t held;		/* bytes of @in */
	char in[4096];
};

/* Convert all complete characters that are held. Returns false if they cannot be written. */
static bool convert_held(struct wide_text *w)
{
	char out[4097], *at = w->in, *end;
	size_t room, done;
	int error;

	do {
		end = out;
		room = sizeof(out) - 1;	/* for a question mark */
		done = iconv(w->to_utf8, &at, &w->held, &end, &room);
		error = done == (size_t)-1 ? errno : 0;
		if (error == EILSEQ) {
			*end++ = '?';
			at += 2;
			w->held -= 2;
			w->invalid++;
		}
		if (fwrite(out, 1, end - out, w->to) != (size_t)(end - out))
			return false;
	} while (error && error != EINVAL);
	memmove(w->in, at, w->held);
	return true;
}

/* Returns enum verb_exit. After VERB_DEVIATES, the text has everything that was readable. */
static int convert_text(struct wide_text *w, const char *name)
{
	ssize_t n;

	do {
		n = fxt_stream_read(w->stream, w->in + w->held, sizeof(w->in) - w->held);
		w->held += n > 0 ? n : 0;
		if (!convert_held(w))
			return import_unwritable();
	} while (n > 0);
	/* The text ends within a character. */
	if (!n && w->held) {
		w->invalid++;
		fputc('?', w->to);
	}
	if (fflush(w->to) || ferror(w->to))
		return import_unwritable();
	if (w->invalid)
		message("fxt: %s: %" PRIu64 " characters are invalid UTF-16, and became question marks\n",
			name, w->invalid);
	if (n < 0 && n != -EBADMSG)
		return unreadable(name, strerror(-n));
	if (n < 0)
		unreadable(name, fxt_stream_error(w->stream));
	return n < 0 || w->invalid ? VERB_DEVIATES : VERB_DONE;
}

/* Write the text in UTF-8 to a temporary file. Returns like convert_text(). */
static int as_utf8(const char *name, int fd, iconv_t to_utf8, FILE *to)
{
	struct wide_text w = { .to_utf8 = to_utf8, .to = to };
	int error = fxt_stream_open(&w.stream, fd, NULL, 0), status;

	if (error)
		return unreadable(name, strerror(-error));
	status = convert_text(&w, name);
	fxt_stream_close(w.stream);
	rewind(to);
	return status;
}

/* --- formats that are read in any order ----------------------------------------------------- */

#define COPY_BYTES	(64U << 10)

static bool is_plain(int fd)
{
	unsigned char head[FXT_COMPRESSION_HEAD];

	return lseek(fd, 0, SEEK_CUR) == 0 && pread(fd, head, sizeof(head), 0) == sizeof(head) &&
	       fxt_compression_of(head, sizeof(head)) == FXT_PLAIN;
}

static int cannot_copy(const char *path, int err)
{
	message("fxt: cannot copy %s to a temporary file: %s; check the free space in "
		P_tmpdir "\n", path, strerror(err));
	return VERB_UNWRITABLE;
}

static int copy(const char *path, int from, FILE *to)
{
	struct fxt_stream *s;
	char *buffer = must(malloc(COPY_BYTES));
	int ret = fxt_stream_open(&s, from, NULL, 0);
	ssize_t n = 0;

	if (ret) {
		free(buffer);
		return unreadable(path, strerror(-ret));
	}
	do {
		n = fxt_stream_read(s, buffer, COPY_BYTES);
	} while (n > 0 && fwrite(buffer, 1, n, to) == (size_t)n);
	if (n < 0)
		ret = unreadable(path, n == -EBADMSG ? fxt_stream_error(s) : strerror(-n));
	else if (n > 0 || fflush(to))
		ret = cannot_copy(path, errno);
	fxt_stream_close(s);
	free(buffer);
	return ret ? ret : lseek(fileno(to), 0, SEEK_SET) ? cannot_copy(path, errno) : 0;
}

/* --- the process ------------------------------------------------------------------------- */

struct import_job {
	const struct import_reader *reader;
	const char *name;	/* of the input, for messages */
	int from;
	iconv_t to_utf8;	/* for text in UTF-16; else NO_ICONV */
	bool strict;
	int to;
};

#define NO_ICONV	((iconv_t)-1)

static int convert(const struct import_job *job)
{
	int status = VERB_DONE, from = job->from, ret;
	FILE *plain = NULL;

	if (job->to_utf8 != NO_ICONV || (job->reader->is_seekable && !is_plain(from))) {
		plain = import_file();
		if (!plain)
			return import_unwritable();
		status = job->to_utf8 == NO_ICONV ? copy(job->name, from, plain) :
			 as_utf8(job->name, from, job->to_utf8, plain);
		from = fileno(plain);
	}
	if (status == VERB_DONE || (status == VERB_DEVIATES && !job->strict)) {
		ret = job->reader->read(job->name, from, job->strict, job->to);
		status = ret > status ? ret : status;
	}
	import_file_close(plain);
	return status;
}

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT };

static bool is_ending(int signal_number)
{
	size_t i = 0;

	while (i < sizeof(ending) / sizeof(ending[0]) && ending[i] != signal_number)
		i++;
	return i < sizeof(ending) / sizeof(ending[0]);
}

static int wait_for(pid_t pid, const char *name)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return unreadable(name, strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) <= VERB_UNWRITABLE)
		return WEXITSTATUS(status);
	/* These are not faults: a user sends them, or a kernel that is short of memory. */
	if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || is_ending(WTERMSIG(status))))
		return unreadable(name, "the process that reads it was killed");
	return unreadable(name, "the process that reads it has crashed; the file may be damaged");
}

#define KEPT_MOST	(IMPORT_FILES + 3)

/* List the descriptors that the process needs. Returns their number. */
static size_t list_kept(const struct import_job *job, int kept[KEPT_MOST])
{
	size_t n = 0;
	unsigned int i;

	kept[n++] = job->from;
	kept[n++] = job->to;
	if (job->reader->link)
		kept[n++] = job->reader->link();
	for (i = 0; i < spares; i++)
		kept[n++] = fileno(spare[i]);
	return n;
}

/* The process must not reach other inputs, nor what the command writes. */
static void close_others(const struct import_job *job)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), highest = STDERR_FILENO, fd;
	int kept[KEPT_MOST];
	size_t n = list_kept(job, kept), i;

	for (i = 0; i < n; i++)
		highest = kept[i] > highest ? kept[i] : highest;
	for (fd = 0; fd < highest; fd++) {
		for (i = 0; i < n && kept[i] != fd; i++)
			;
		if (i == n && fd != STDERR_FILENO &&
		    (fd > STDERR_FILENO || null < 0 || dup2(null, fd) < 0))
			close(fd);
	}
	confine_close_from(highest + 1);
}

/* The process ends with the command, by the same signals, and leaves tidying up to the command. */
static void end_with(pid_t parent)
{
	struct sigaction old;
	size_t i;

	for (i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		if (!sigaction(ending[i], NULL, &old) && old.sa_handler != SIG_IGN)
			signal(ending[i], SIG_DFL);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(VERB_UNREADABLE);
}

static int run_confined(const struct import_job *job)
{
	pid_t parent = getpid(), pid;
	int ret;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return unreadable(job->name, strerror(errno));
	if (pid)
		return wait_for(pid, job->name);
	memory_is_of_child(CONFINE_CONVERTER_GIB);
	end_with(parent);
	close_others(job);
	ret = confine_converter();
	is_confined = true;
	ret = ret ? unreadable(job->name, strerror(-ret)) : convert(job);
	fflush(stderr);
	_exit(ret);
}

int import_run(const struct import_reader *reader, const char *name, int from, bool wide,
	       bool strict, int to)
{
	struct import_job job = { reader, name, from, NO_ICONV, strict, to };
	int status = reader->prepare ? reader->prepare(name) : VERB_DONE;

	if (status)
		return status;
	if (wide)
		job.to_utf8 = iconv_open("UTF-8", "UTF-16");
	if (wide && job.to_utf8 == NO_ICONV)
		status = unreadable(name, "this system cannot convert UTF-16; convert it to UTF-8");
	else
		status = open_spares() ? run_confined(&job) : import_unwritable();
	close_spares();
	if (job.to_utf8 != NO_ICONV)
		iconv_close(job.to_utf8);
	if (reader->finish)
		reader->finish();
	return status;
}
