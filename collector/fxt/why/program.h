/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program.h - what limits a program: shares of its time, and who waits for whom.
 *
 * In: a history, and the threads of the program.
 * Out: shares: each instant in which n threads of the program run gives each of them 1/n of it. So
 * a thread that runs alone gets all of it, and the shares add up to the time in which any runs.
 * Edges: who slept until whom, also through others that slept meanwhile; weighted by the time of
 * all sleeps. Knots: threads that wait for no thread outside of the knot, and that others end up
 * waiting for. A knot is a candidate, not a number of seconds that could be saved.
 *
 * Threads of one name are one party. The last waker is assumed to be the one that mattered, and a
 * spinning thread looks active.
 */
#ifndef FXT_WHY_PROGRAM_H
#define FXT_WHY_PROGRAM_H

#include "account/history.h"
#include "libfxt/map.h"
#include "ran.h"

/* Threads of one name, or a subject of interrupts. */
struct program_party {
	struct map_node node;
	uint32_t number;
	bool is_of_program;	/* threads of the program */
	struct why_by by;	/* the interrupt; or the threads, of which @id is the first */
	const char *name;	/* shared by all */
	uint32_t threads;	/* number of them */
	uint64_t life;		/* ns of all threads, like those that follow */
	uint64_t share;
	uint64_t alone;
	uint64_t run;		/* like the next one, only after program_find() */
	uint64_t waited;	/* for a CPU */
	uint64_t slept_on;	/* ns that others slept until it woke them */
	uint32_t knot;		/* number of its knot, from 1; 0: none */
};

struct program_edge {
	struct map_node node;
	uint32_t from;		/* number of the party that slept */
	uint32_t to;		/* of the one that finally woke it */
	uint64_t ns;		/* of all sleeps */
	uint64_t own;		/* ns of sleeps outside of the wait of another party */
	uint64_t count;		/* of parts */
	uint32_t turn;		/* after the (first) longest sleep, for its stacks */
	uint64_t longest;	/* ns */
};

/*
 * A party is delayed because the last one of its chain has no CPU. Members are numbers of parties.
 */
struct program_hold {
	struct map_node node;
	uint32_t victim;
	uint32_t via;		/* that it waits for; @last in short chains */
	uint32_t last;		/* that is runnable */
	uint32_t culprit;	/* that has the CPU meanwhile */
	uint64_t ns;		/* of all such times */
};

struct program_knot {
	uint32_t first;		/* a member */
	uint32_t members;
	uint64_t ns;		/* sleeps of others and of members until members woke them */
};

struct program {
	const struct history *h;
	bool *is_in;		/* by thread: does it belong to the program? */
	uint64_t from;		/* ns, the window */
	uint64_t to;
	uint64_t active;	/* ns in which any thread of the program ran */
	uint64_t beyond;	/* ns of all threads that were not analysed, because it takes too long */
	uint32_t threads;
	struct map party_map;
	struct program_party **parties;
	size_t party_count;
	uint32_t *party_of;	/* by thread: 1 + the number of its party, 0: not yet known */
	struct map edge_map;
	struct program_edge **edges;
	size_t edge_count;
	struct program_edge other_edges;	/* the sum of edges beyond the limit */
	/* Of the current window: by link, the edge from its parent; NULL: not yet known. */
	struct program_edge **edge_of;
	size_t link_count;
	struct map hold_map;
	struct program_hold **holds;
	size_t hold_count;
	uint64_t other_holds;	/* ns of holds beyond the limit */
	struct why_ran *ran;	/* takes the parts of all windows; or NULL */
	struct program_knot *knots;
	size_t knot_count;
};

/*
 * @p: all zeros except @ran; ends with program_free(). @windows: one for each thread of the program
 */
void program_find(struct program *p, const struct history *h, const struct why_window *windows,
		  size_t count);

/* Like program_find(), but only find where its time on CPUs went. */
void program_share(struct program *p, const struct history *h, const struct why_window *windows,
		   size_t count);

/* A new list of the parties, those with the largest share first. */
struct program_party **program_by_share(const struct program *p);
void program_free(struct program *p);

#endif /* FXT_WHY_PROGRAM_H */
