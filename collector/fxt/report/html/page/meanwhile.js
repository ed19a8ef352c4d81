// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * meanwhile.js - what else happened while a thread waited or slept, or in a range of time.
 *
 * In:  tracks. Out: who had the CPU of a wait, interrupts in it, who ended a sleep, and the sums
 * of a range.
 */
'use strict';

const MOST_SLICES = 20000;	/* spans of a CPU looked at for one wait */
const isWait = (kind) => kind === RUNNABLE || kind === PREEMPTED;

/** waitCpu() - the CPU that a span waited for, NO_CPU: unknown */
function waitCpu(data, s) {
	const { spans } = data, next = s + 1;

	if (!isWait(spans.kind[s]))
		return NO_CPU;
	if (spans.cpu[s] !== NO_CPU)
		return spans.cpu[s];
	return next < spans.count && spans.thread[next] === spans.thread[s] ? spans.cpu[next] : NO_CPU;
}

/** sharesOf() - the threads of a CPU between two times, the longest first: { thread, ns, span } */
function sharesOf(data, cpu, from, to) {
	const track = data.cpuTracks.get(cpu), sums = new Map();
	const first = track ? track.firstEndingAfter(from) : 0;

	for (let i = first; track && i < track.count && i < first + MOST_SLICES &&
	     track.from[i] < to; i++) {
		const span = track.span(i), thread = data.spans.thread[span];
		const isIdle = track.kind[i] !== RUNNING;
		const sum = sums.get(isIdle ? -1 : thread) ?? { thread, isIdle, ns: 0, span };

		sum.ns += Math.min(to, track.to[i]) - Math.max(from, track.from[i]);
		sums.set(isIdle ? -1 : thread, sum);
	}
	return [...sums.values()].sort((a, b) => b.ns - a.ns);
}

/** interruptsIn() - interrupts of a CPU between two times, the longest first: { name, ns, count } */
function interruptsIn(timeline, cpu, from, to) {
	const { events } = timeline.data, sums = new Map();

	for (const kind of ['interrupts', 'soft interrupts']) {
		const track = timeline.model.events.trackOf(kind, cpu);

		for (let i = track ? track.firstEndingAfter(from) : Infinity;
		     i < track?.count && track.from[i] < to; i++) {
			const { name } = events.sourceOf(track.span(i));
			const sum = sums.get(name) ?? { name, ns: 0, count: 0 };

			sum.ns += Math.min(to, track.to[i]) - Math.max(from, track.from[i]);
			sum.count++;
			sums.set(name, sum);
		}
	}
	return [...sums.values()].sort((a, b) => b.ns - a.ns);
}

/** endOfSleep() - the wait that begins where a sleep ends, with its waker; -1: unknown */
function endOfSleep(data, s) {
	const { spans } = data, next = s + 1;

	return isSleep(spans, s) && next < spans.count && spans.thread[next] === spans.thread[s] &&
		spans.from[next] === spans.to[s] && spans.kind[next] === RUNNABLE ? next : -1;
}

/** wakerLabel() - who woke a span that began with a wakeup; null if that is unknown */
function wakerLabel(data, s) {
	const { spans, threads } = data;

	if (spans.irq[s])
		return IRQS[spans.irq[s]];
	if (spans.waker[s] === NO_THREAD)
		return null;
	const t = threads[spans.waker[s]];

	return nameLabel(t.name, t.isIdle ? null : t.id);
}

/* --- a range of time -------------------------------------------------------------------------- */

/* The time of each kind in a track between two times. */
function gained(track, from, to) {
	const before = new Float64Array(SUMMED), until = new Float64Array(SUMMED);

	track.sumUntil(from, track.firstEndingAfter(from), before);
	track.sumUntil(to, track.firstEndingAfter(to), until);
	return until.map((ns, kind) => ns - before[kind]);
}

/* The number of spans that begin between two times. */
function begun(track, from, to) {
	const before = (time) => atLeast(0, track.count, (i) => track.from[i] >= time);

	return before(to) - before(from);
}

/* Waits that end between two times: their number, the longest, and how often each waker. */
function waitsIn(data, from, to) {
	const { spans, waits } = data, wakers = new Map();
	const first = atLeast(0, waits.length, (i) => spans.to[waits[i]] >= from);
	let i = first, longest = -1;

	for (; i < waits.length && spans.to[waits[i]] <= to; i++) {
		const s = waits[i], length = spans.to[s] - spans.from[s];

		if (longest < 0 || length > spans.to[longest] - spans.from[longest])
			longest = s;
		if (spans.kind[s] !== RUNNABLE)
			continue;
		const waker = wakerLabel(data, s) ?? 'unknown';

		wakers.set(waker, (wakers.get(waker) ?? 0) + 1);
	}
	return { count: i - first, longest, wakers: [...wakers].sort((a, b) => b[1] - a[1]) };
}

/**
 * summarize() - the sums of a range: { from, to, cpus: [{ cpu, busy }], busy, switches, threads:
 * [{ thread, run, wait }], waits }
 */
function summarize(data, from, to) {
	const cpus = data.cpus.map((cpu) => ({ cpu,
		busy: gained(data.cpuTracks.get(cpu), from, to)[RUNNING] }));
	const threads = [];

	for (const t of data.threads) {
		const track = t && t.isShown ? data.threadTracks[t.number] : null;

		if (!track?.count || track.from[0] >= to || track.to[track.count - 1] <= from)
			continue;
		const sums = gained(track, from, to);

		if (sums[RUNNING] > 0 || sums[RUNNABLE] + sums[PREEMPTED] > 0)
			threads.push({ thread: t.number, run: sums[RUNNING],
				       wait: sums[RUNNABLE] + sums[PREEMPTED] });
	}
	return { from, to, cpus, threads, waits: waitsIn(data, from, to),
		 busy: cpus.reduce((sum, c) => sum + c.busy, 0),
		 switches: data.cpus.reduce((sum, cpu) =>
			 sum + begun(data.cpuTracks.get(cpu), from, to), 0) };
}
