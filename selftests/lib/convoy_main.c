// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A lock convoy: for some 200 ms, rebuild_cache() holds the lock while it sleeps, and
 * update_index(), which handle_request() calls, waits for it.
 */
#include <pthread.h>
#include <time.h>

#define REQUESTERS	3
#define ROUNDS		40
#define HOLD_NS		5000000
#define REST_NS		500000

#define noinline	__attribute__((noinline, noclone))
#define barrier()	asm volatile("" : : : "memory")	/* prevents a tail call */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void rest(long ns)
{
	const struct timespec time = { .tv_nsec = ns };

	nanosleep(&time, NULL);
}

static noinline void rebuild_cache(void)
{
	pthread_mutex_lock(&lock);
	rest(HOLD_NS);
	pthread_mutex_unlock(&lock);
	barrier();
}

static noinline void update_index(void)
{
	pthread_mutex_lock(&lock);
	barrier();
	pthread_mutex_unlock(&lock);
	barrier();
}

static noinline void handle_request(void)
{
	update_index();
	barrier();
}

static void *request(void *arg)
{
	int i;

	for (i = 0; i < ROUNDS; i++) {
		handle_request();
		rest(REST_NS);
	}
	return arg;
}

int main(void)
{
	pthread_t requesters[REQUESTERS];
	int i;

	for (i = 0; i < REQUESTERS; i++)
		if (pthread_create(&requesters[i], NULL, request, NULL))
			return 1;
	for (i = 0; i < ROUNDS; i++) {
		rebuild_cache();
		rest(REST_NS);
	}
	for (i = 0; i < REQUESTERS; i++)
		pthread_join(requesters[i], NULL);
	return 0;
}
