// SPDX-License-Identifier: GPL-2.0-or-later
/* Creates threads that do nothing; a line on standard output says that all of them exist. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define STACK_BYTES	(32 << 10)

static void *sleep_forever(void *arg)
{
	for (;;)
		pause();
	return arg;
}

int main(int argc, char **argv)
{
	unsigned long count = argc == 2 ? strtoul(argv[1], NULL, 10) : 0, i;
	pthread_attr_t attr;
	pthread_t thread;

	if (!count) {
		fputs("usage: sleepers COUNT\n", stderr);
		return 2;
	}
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (i = 0; i < count; i++) {
		if (pthread_create(&thread, &attr, sleep_forever, NULL)) {
			fprintf(stderr, "sleepers: only %lu threads could be created\n", i);
			return 1;
		}
	}
	puts("ready");
	fflush(stdout);
	sleep_forever(NULL);
	return 0;
}
