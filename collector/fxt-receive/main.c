// SPDX-License-Identifier: GPL-2.0-or-later
/* main.c - fxt-receive, which "fxt receive" runs: receives archives over the network. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "fxt/terminal/exit_status.h"
#include "fxt/terminal/message.h"
#include "libfxt/clock.h"
#include "libfxt/units.h"
#include "libopt/option.h"
#include "receive.h"

#define CONNECTIONS	64
#define CONNECTIONS_EACH	16
#define CONNECTIONS_MINUTE	600
#define IDLE_NS		(60 * NS_PER_SECOND)
#define TIMEOUT_NS	(60 * NS_PER_SECOND)
#define TIMEOUT_MAX	32767	/* seconds, the kernel's limit */

static bool address_word(unsigned int i, struct option_word *w)
{
	static const char *const begins[] = { "tcp://", "tls://", "unix:", "vsock:" };

	w->name = i < sizeof(begins) / sizeof(begins[0]) ? begins[i] : NULL;
	return w->name;
}

struct line {
	struct serve_options o;
	const char *addresses[SERVE_LISTENERS];	/* to listen at */
	const char *directory;			/* to write to */
	uint64_t timeout;			/* ns */
	struct tls_files files;
	struct tls *tls;			/* NULL: no address is encrypted */
};

static const char *add_address(void *line, const char *value)
{
	struct line *l = line;
	struct fxt_address a;
	const char *wrong = fxt_address_parse(&a, value, true);

	if (wrong)
		return wrong;
	if (l->o.listener_count == SERVE_LISTENERS)
		return "too many addresses";
	l->addresses[l->o.listener_count++] = value;
	return NULL;
}

#define CONNECTIONS_WRONG	"invalid number; use 1 to 1024"
#define SETS_TIME(member)							\
	.type = OPTION_TIME, OPTION_AT(uint64_t, struct line, member), .least = NS_PER_SECOND,	\
	.most = (TIMEOUT_MAX + 1) * NS_PER_SECOND - 1, .wrong = "invalid time; use 1s to 9h"
#define SETS_SIZE(member)							\
	.type = OPTION_SIZE, OPTION_AT(uint64_t, struct line, member), .least = 1,	\
	.wrong = "invalid size; use e.g. " FXT_SIZE_EXAMPLES

static const struct option_row rows[] = {
	OPTION_TITLE("Options"),
	OPTION('l', "listen", "ADDRESS", "listen at tcp://HOST:PORT, tcp://[IPV6]:PORT, unix:PATH "
	       "or vsock:CID:PORT; tcp://:PORT and vsock:any:PORT listen at all addresses of this "
	       "machine, port 0 selects a free one; tls:// instead of tcp:// encrypts, and accepts "
	       "only senders with a certificate",
	       .kind = OPTION_BEGIN, .words = address_word, .needed = true,
	       OPTION_SETS(add_address, struct line, o)),
	OPTION(0, "tls-cert", "FILE", "certificate of this receiver, for tls://",
	       .kind = OPTION_FILE, OPTION_SETS_STRING(struct line, files.cert)),
	OPTION(0, "tls-key", "FILE", "its key", .kind = OPTION_FILE,
	       OPTION_SETS_STRING(struct line, files.key)),
	OPTION(0, "tls-ca", "FILE", "certificates of the authorities that sign those of senders",
	       .kind = OPTION_FILE, OPTION_SETS_STRING(struct line, files.ca)),
	OPTION('o', "output", "DIR", "write to DIR, which is created if it does not exist",
	       .kind = OPTION_DIRECTORY, .needed = true,
	       OPTION_SETS_STRING(struct line, directory)),
	OPTION('n', "count", "N", "end after N archives",
	       OPTION_SETS_NUMBER(struct line, o.count, 1, 0, "not a number")),
	OPTION(0, "connections", "N", "refuse more than N senders at the same time, at most "
	       "1024 (default: 64)",
	       OPTION_SETS_NUMBER(struct line, o.connections, 1, SERVE_CONNECTIONS_MAX,
				  CONNECTIONS_WRONG)),
	OPTION(0, "connections-each", "N", "refuse more than N of them from one address "
	       "(default: 16)",
	       OPTION_SETS_NUMBER(struct line, o.each, 1, SERVE_CONNECTIONS_MAX,
				  CONNECTIONS_WRONG)),
	OPTION(0, "connections-minute", "N", "refuse more than N connections a "
	       "minute from one address (default: 600)",
	       OPTION_SETS_NUMBER(struct line, o.minute, 1, UINT64_MAX - 1, "not a number")),
	OPTION(0, "idle", "TIME", "end a connection that was silent for TIME if another "
	       "sender needs its place (default: 1m)", SETS_TIME(o.idle)),
	OPTION(0, "max-size", "SIZE", "end an archive that is larger than SIZE: 500M, 2G",
	       SETS_SIZE(o.limits.file)),
	OPTION(0, "max-plain", "SIZE", "end an archive that is larger than SIZE without "
	       "compression", SETS_SIZE(o.limits.plain)),
	OPTION(0, "timeout", "TIME", "with TCP, end a connection whose machine does not "
	       "answer for TIME (default: 1m)", SETS_TIME(timeout)),
	OPTION('q', "quiet", NULL, "report errors only", OPTION_SETS_BOOL(struct line, o.quiet)),
	OPTION_HELP,
	{ 0 },
};

static bool needs_tls(const struct line *l)
{
	struct fxt_address a;
	size_t i;

	for (i = 0; i < l->o.listener_count; i++)
		if (!fxt_address_parse(&a, l->addresses[i], true) && a.is_tls)
			return true;
	return false;
}

/* Signals are read from a descriptor, and a closed pipe is an error of printf(). */
static int open_signals(void)
{
	sigset_t set;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int listen_at(struct line *l)
{
	size_t wanted = l->o.listener_count, i;
	char why[LISTENER_TEXT], reason[TLS_WHY];

	if (needs_tls(l) && tls_open(&l->tls, &l->files, reason)) {
		l->o.listener_count = 0;
		message("fxt: receive: %s\n", reason);
		return VERB_UNREADABLE;
	}
	for (i = 0; i < wanted; i++) {
		l->o.listener_count = i;
		if (listener_open(&l->o.listeners[i], l->addresses[i],
				  l->timeout / NS_PER_SECOND, l->tls, why)) {
			message("fxt: receive: cannot listen at %s: %s\n", l->addresses[i], why);
			return VERB_UNREADABLE;
		}
	}
	l->o.listener_count = wanted;
	return VERB_DONE;
}

static int receive(struct line *l)
{
	int ret = store_open(&l->o.store, l->directory), status = VERB_UNWRITABLE;
	int signals = open_signals();

	if (ret)
		message("fxt: receive: cannot write to %s: %s; give -o a directory\n",
			l->directory, strerror(-ret));
	else if (signals < 0)
		message("fxt: receive: cannot set up signals: %s\n", strerror(errno));
	else
		status = listen_at(l);
	if (status == VERB_DONE)
		status = serve(&l->o, signals);
	while (l->o.listener_count)
		listener_close(&l->o.listeners[--l->o.listener_count]);
	store_close(&l->o.store);
	tls_close(l->tls);
	if (signals >= 0)
		close(signals);
	return status;
}

static void print_help(void)
{
	fputs("usage: fxt receive", stdout);
	option_print_usage(stdout, rows);
	puts("\n"
	     "\n"
	     "Receives archives from fxt-collect -o ADDRESS, until Ctrl-C: each connection is one\n"
	     "file in DIR, SENDER-DATE-TIME.fxt, or .fxt.zst or .fxt.gz as it was sent. A file's\n"
	     "name ends in .part until its archive is complete, and stays so if it is truncated.\n"
	     "Prints the path of each complete archive on a line of its own.\n");
	option_print_help(stdout, rows);
	puts("\n"
	     "SENDER is the address of the sender, or uid-N with unix, cid-N with vsock. Without tls,\n"
	     "anyone who can connect can send, and nothing is encrypted: see fxt-receive(1).\n"
	     "exit status: 0 all archives are complete; 1 an archive is not; 2 wrong usage; 3 cannot\n"
	     "listen at ADDRESS; 4 an archive cannot be written.");
}

static int usage_error(const char *what, const char *why)
{
	message("fxt: receive: %s%s%s; see fxt receive --help\n", what ? what : "",
		what ? ": " : "", why);
	return VERB_USAGE;
}

/* For scripts/options.sh. */
static void print_rows(void)
{
	puts("receive\t-\t-\t");
	option_print_rows(stdout, "receive", rows);
}

static int run(int argc, char **argv)
{
	struct option_parser p = { .rows = rows };
	struct line l = {
		.timeout = TIMEOUT_NS, .o.connections = CONNECTIONS, .o.each = CONNECTIONS_EACH,
		.o.minute = CONNECTIONS_MINUTE, .o.idle = IDLE_NS,
	};

	switch (option_parse(&p, &l, argc, argv, false)) {
	case OPTION_WRONG:
		return usage_error(p.value, p.why);
	case OPTION_ENDED:
		print_help();
		return VERB_DONE;
	case OPTION_ALL:
		break;
	}
	if (optind < argc)
		return usage_error(argv[optind], "unexpected argument");
	if (option_is_missing(&p))
		return usage_error(NULL, p.why);
	if (needs_tls(&l) && !(l.files.cert && l.files.key && l.files.ca))
		return usage_error(NULL, "tls:// needs --tls-cert, --tls-key and --tls-ca");
	return receive(&l);
}

/* Options and completion are those of fxt. */
int main(int argc, char **argv)
{
	int status = VERB_DONE;

	/* A limit on file sizes shall be an error of write(2), which is reported. */
	signal(SIGXFSZ, SIG_IGN);
	if (argc > 2 && !strcmp(argv[1], "--complete"))
		option_complete(rows, argv + 2, argc - 2, NULL, false);
	else if (argc > 1 && !strcmp(argv[1], "--print-options"))
		print_rows();
	else
		status = run(argc, argv);
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	if (status != VERB_UNWRITABLE)
		message("fxt: cannot write standard output: %s\n", strerror(errno));
	return VERB_UNWRITABLE;
}
