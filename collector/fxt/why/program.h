/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program.h - what limits a program: shares of its time, and who waits for whom.
 *
 * In: a history, and the threads of the program.
 * Out: shares: each instant in which n threads of the program run gives each of them 1/n of it, so a
 * thread that runs alone gets all of it, and the shares add up to the time in which any runs.
 * Edges: who slept until whom, also through others that slept meanwhile; weighted by the time of
 * all sleeps. Knots: threads that wait for no thread outside of the knot, and that others end up
 * waiting for. A knot is a candidate, not a number of seconds that could be saved.
 *
 * Threads of one name are one party. The last waker is assumed to be the one that mattered, and a
 * thread that spins looks active.
 */
#ifndef FXT_WHY_PROGRAM_H
#define FXT_WHY_PROGRAM_H

#include "account/history.h"
#include "libfxt/map.h"
#include "path.h"

/**
 * struct program_party - threads of one name, or a subject of interrupts
 * @is_of_program: threads of the program
 * @by: the interrupt; or the threads, of which @id is the first
 * @name: the name that all share
 * @threads: number of threads
 * @life: ns, sum over all threads; likewise @share and @alone; after program_find() also @run and
 *	@waited (for a CPU)
 * @slept_on: ns that others slept until it
 * @knot: number of its knot, from 1; 0: none
 */
struct program_party {
	struct map_node node;
	uint32_t number;
	bool is_of_program;
	struct why_by by;
	const char *name;
	uint32_t threads;
	uint64_t life;
	uint64_t run;
	uint64_t share;
	uint64_t alone;
	uint64_t waited;
	uint64_t slept_on;
	uint32_t knot;
};

/**
 * struct program_edge - one party slept until another one woke it
 * @from: number of the party that slept
 * @to: number of the party that finally woke it
 * @ns: of all sleeps
 * @own: ns of sleeps outside of the wait of another party
 * @count: of parts
 * @turn: the turn after the (first) longest sleep, for its stacks
 * @longest: ns
 */
struct program_edge {
	struct map_node node;
	uint32_t from;
	uint32_t to;
	uint64_t ns;
	uint64_t own;
	uint64_t count;
	uint32_t turn;
	uint64_t longest;
};

/**
 * struct program_hold - a party is delayed because the last one of its chain has no CPU
 * @victim: number of the party
 * @via: the one that it waits for; the same as @last in short chains
 * @last: the one that is runnable
 * @culprit: the thread that has the CPU meanwhile
 * @ns: of all such times
 */
struct program_hold {
	struct map_node node;
	uint32_t victim;
	uint32_t via;
	uint32_t last;
	uint32_t culprit;
	uint64_t ns;
};

/** struct program_rest - what is in no hold, because there are too many */
struct program_rest {
	uint64_t ns;
	uint64_t count;
};

/** struct program_knot - @ns: sleeps of others and of members until members woke them */
struct program_knot {
	uint32_t first;		/* a member */
	uint32_t members;
	uint64_t ns;
};

/**
 * struct program - what limits a program
 * @is_in: by thread: does it belong to the program?
 * @from: ns, the window; @to its end
 * @active: ns in which any thread of the program ran
 * @other_edges: the sum of all edges that are too many
 * @edge_of: of the window that is walked through: by frame, the edge from its parent, or NULL if not
 *	yet known
 * @beyond: ns of all threads that were not looked at, because it takes too long
 */
struct program {
	const struct history *h;
	bool *is_in;
	uint64_t from;
	uint64_t to;
	uint64_t active;
	uint64_t beyond;
	uint32_t threads;
	struct map party_map;
	struct program_party **parties;
	size_t party_count;
	uint32_t *party_of;
	struct map edge_map;
	struct program_edge **edges;
	size_t edge_count;
	struct program_edge other_edges;
	struct program_edge **edge_of;
	size_t frame_count;
	struct map hold_map;
	struct program_hold **holds;
	size_t hold_count;
	struct program_rest other_holds;
	struct program_knot *knots;
	size_t knot_count;
};

/**
 * program_find() - find what limits a program
 * @p: all zeros; program_free() frees it in all cases
 * @h: the history
 * @windows: one for each thread of the program
 * @count: of them
 *
 * Return: 0 or a negative errno.
 */
int program_find(struct program *p, const struct history *h, const struct why_window *windows,
		 size_t count);

/** program_share() - find only where its time on CPUs went; otherwise as program_find() */
int program_share(struct program *p, const struct history *h, const struct why_window *windows,
		  size_t count);
void program_free(struct program *p);

#endif /* FXT_WHY_PROGRAM_H */
