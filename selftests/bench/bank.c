// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A lock convoy, the load of the flame graph in README.md: clerks wait for customers, for the lock
 * of all accounts, and for the disk while they hold it; and an auditor holds it for longer.
 * scripts/screenshots.sh records them. Arguments: a directory for the journal; a number of seconds.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define CLERKS		4
#define ACCOUNTS	65536
#define BLOCK		4096	/* bytes in a block of the journal */

/* A libc function without a frame hides its caller, so each call has a function of its own. */
#define noinline	__attribute__((noinline, noclone))
#define barrier()	asm volatile("" : : : "memory")

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long accounts[ACCOUNTS];
static char entry[BLOCK];
static int journal;
static bool is_closed;

static noinline void rest(long us)
{
	const struct timespec time = { .tv_nsec = us * 1000 };

	nanosleep(&time, NULL);
	barrier();
}

static noinline void take_lock(void)
{
	pthread_mutex_lock(&lock);
	barrier();
}

static noinline void sync_journal(void)
{
	if (pwrite(journal, entry, sizeof(entry), 0) != sizeof(entry) || fdatasync(journal))
		exit(1);
	barrier();
}

static noinline void wait_for_customer(unsigned int *seed)
{
	rest(300 + rand_r(seed) % 1500);
	barrier();
}

static noinline void lock_accounts(void)
{
	take_lock();
	barrier();
}

static noinline void write_journal(void)
{
	sync_journal();
	barrier();
}

static noinline void transfer(unsigned int *seed)
{
	lock_accounts();
	accounts[rand_r(seed) % ACCOUNTS]++;
	accounts[rand_r(seed) % ACCOUNTS]--;
	write_journal();
	pthread_mutex_unlock(&lock);
	barrier();
}

static noinline void print_statement(void)
{
	rest(2000);
	barrier();
}

static noinline void audit(void)
{
	long sum = 0;

	lock_accounts();
	for (int i = 0; i < ACCOUNTS; i++)
		sum += accounts[i];
	print_statement();
	pthread_mutex_unlock(&lock);
	if (sum)
		exit(1);
}

static void *clerk(void *arg)
{
	unsigned int seed = (size_t)arg;

	pthread_setname_np(pthread_self(), "clerk");
	while (!__atomic_load_n(&is_closed, __ATOMIC_RELAXED)) {
		wait_for_customer(&seed);
		transfer(&seed);
	}
	return NULL;
}

static noinline void auditor(int seconds)
{
	time_t end = time(NULL) + seconds;

	while (time(NULL) < end) {
		rest(10000);
		audit();
	}
}

int main(int argc, char **argv)
{
	pthread_t threads[CLERKS];
	char path[4096];

	if (argc != 3) {
		fprintf(stderr, "usage: bank DIRECTORY SECONDS\n");
		return 2;
	}
	snprintf(path, sizeof(path), "%s/journal", argv[1]);
	journal = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (journal < 0) {
		perror(path);
		return 1;
	}
	for (size_t i = 0; i < CLERKS; i++)
		if (pthread_create(&threads[i], NULL, clerk, (void *)i))
			return 1;
	auditor(atoi(argv[2]));
	__atomic_store_n(&is_closed, true, __ATOMIC_RELAXED);
	for (size_t i = 0; i < CLERKS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
