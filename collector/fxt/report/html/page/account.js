// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * account.js - the account of time: why threads waited, who had a CPU, and the sums of a range. All
 * scripts that show waits or who had a CPU ask here. Must hold: the parts of a wait add up to its
 * time, and the users of a CPU to the time asked for. Both agree with fxt why and fxt blame.
 */

const isWait = (kind) => kind === RUNNABLE || kind === PREEMPTED;

/* --- parts of waits -------------------------------------------------------------------------- */

const PART_CAUSES = ['runnable', 'throttled', 'unknown', 'limited'];	/* as in report/html/waits.c */

/* The last span of a thread that begins before a time, or -1. */
function spanBefore({ spans }, thread, time) {
	const first = spans.first[thread], count = spans.first[thread + 1] - first;

	const before = atLeast(0, count, (i) => spans.from[first + i] >= time);

	return before ? first + before - 1 : -1;
}

/**
 * readParts() - read the parts of waits for which isUsual() is false. Return: a map from a span to
 * its parts in order of time: { from, to, cpu, cause, source (of throttled time), since (begin of
 * the wait: a span may have several waits) }
 */
function readParts(column, spans) {
	const parts = new Map();

	while (column.hasMore) {
		const thread = column.next();
		let at = column.nextDelta();
		const s = Math.max(spanBefore({ spans }, thread, at + 1), spans.first[thread]);
		const list = parts.get(s) ?? [], goesOn = column.next();
		const since = goesOn && list.length ? list.at(-1).since : at;

		for (let n = column.next(); n; n--) {
			const to = at + column.next(), cpu = column.next() - 1;
			const cause = PART_CAUSES[column.next()];

			list.push({ from: at, to, cpu: cpu < 0 ? NO_CPU : cpu, cause,
				    source: cause === 'throttled' ? column.next() : -1, since });
			at = to;
		}
		parts.set(s, list);
	}
	return parts;
}

/**
 * readWakers() - read the sleeps whose waker had no CPU when they ended, or that an interrupt ended
 * that a thread had raised. Return: a map from the wait after the sleep to the time until which the
 * waker had a CPU; -1: unknown; BY_TIMER: a thread served the timer of the sleep
 */
const BY_TIMER = -2;

function readWakers(column, spans) {
	const wakers = new Map();

	while (column.hasMore) {
		const thread = column.next(), time = column.nextDelta(), ago = column.next();

		wakers.set(spanBefore({ spans }, thread, time + 1), ago > 1 ? time + 2 - ago : ago ? BY_TIMER : -1);
	}
	return wakers;
}

/* Is this a wait with a single part: for the CPU on which the thread ran next? */
function isUsual({ spans, parts }, s) {
	const next = s + 1, kind = spans.kind[next];

	return isWait(spans.kind[s]) && spans.thread[next] === spans.thread[s] &&
		(kind === RUNNING || kind === UNKNOWN) && spans.cpu[next] !== NO_CPU &&
		spans.from[next] === spans.to[s] && !parts.has(s);
}

function partsOf(data, s) {
	const { spans, parts } = data;

	return isUsual(data, s) ? [{ from: spans.from[s], to: spans.to[s], cpu: spans.cpu[s + 1],
				     cause: 'runnable', source: -1 }] : parts.get(s) ?? [];
}

function partsBetween(data, s, from, to) {
	return partsOf(data, s).filter((part) => part.to > from && part.from < to).map((part) =>
		({ ...part, from: Math.max(from, part.from), to: Math.min(to, part.to) }));
}

/* --- who had a CPU --------------------------------------------------------------------------- */

/*
 * Cut nested slices of some kinds into parts that do not overlap, so that each time belongs to the
 * innermost slice. Slices are sorted by their end, so inner ones come first. Return: a map from
 * events[of] to a track of the parts
 */
function piecesBy(events, kinds, of) {
	const by = new Map();

	for (let i = 0; i < events.count; i++) {
		if (!kinds.includes(events.kindOf(i)))
			continue;
		const pieces = by.get(events[of][i]) ?? [], to = events.to[i];
		let at = events.from[i], first = pieces.length;

		while (first && pieces[first - 1].to > at)
			first--;
		by.set(events[of][i], pieces);
		for (const inner of pieces.splice(first)) {
			if (inner.from > at)
				pieces.push({ from: at, to: inner.from, i });
			pieces.push(inner);
			at = inner.to;
		}
		if (at < to)
			pieces.push({ from: at, to, i });
	}
	return new Map(Array.from(by, ([owner, list]) => {
		const all = (key) => Float64Array.from(list, (piece) => piece[key]);
		const track = new Track(all('from'), all('to'));

		track.index = all('i');
		return [owner, track];
	}));
}

/* The track of a CPU's interrupts; its index has their events. */
function piecesOf(data, cpu) {
	data.pieces ??= piecesBy(data.events, INTERRUPTS.flat(), 'cpu');
	return data.pieces.get(cpu) ?? NO_TRACK;
}

/*
 * Who had a CPU, if that is not the number of a thread; a source of interrupts or quotas is
 * FIRST_SOURCE minus its number.
 */
const IDLE = -1, NOT_KNOWN = -2, LIMITED = -3, FIRST_SOURCE = -4;

/* Who had a CPU between two times: a map from who to ns. */
function whoHad(data, cpu, from, to) {
	const track = data.cpuTracks.get(cpu), pieces = piecesOf(data, cpu), sums = new Map();
	let at = from, p = pieces.firstEndingAfter(from);
	const add = (who, ns) => ns > 0 && addTo(sums, who, ns);

	for (let i = track ? track.firstEndingAfter(from) : 0; i < track?.count && track.from[i] < to; i++) {
		const begin = Math.max(at, track.from[i]), end = Math.min(to, track.to[i]);
		let own = end - begin;

		add(NOT_KNOWN, begin - at);
		p = pieces.firstEndingAfter(begin, p);
		for (let q = p; q < pieces.count && pieces.from[q] < end; q++) {
			const ns = Math.min(end, pieces.to[q]) - Math.max(begin, pieces.from[q]);

			add(FIRST_SOURCE - data.events.source[pieces.index[q]], ns);
			own -= ns;
		}
		add(track.kind[i] === RUNNING ? track.threads[i] : IDLE, own);
		at = end;
	}
	add(NOT_KNOWN, to - at);
	return sums;
}

/* Who kept a thread from running in a part of a wait: a map from who to ns. */
function culprits(data, { from, to, cpu, cause, source }) {
	if (cause === 'runnable' && cpu !== NO_CPU)
		return whoHad(data, cpu, from, to);
	return new Map([[['throttled', 'interrupt'].includes(cause) ? FIRST_SOURCE - source :
			 cause === 'limited' ? LIMITED : NOT_KNOWN, to - from]]);
}

/* The same for a whole wait: [who, ns], the longest first. */
function culpritsOf(data, s) {
	const sums = new Map();

	for (const [who, ns] of partsOf(data, s).flatMap((part) => [...culprits(data, part)]))
		addTo(sums, who, ns);
	return bySize(sums);
}

/* The name of who had a CPU; nameOf(thread): how to print a thread. */
function culpritLabel({ threads, events }, who, nameOf = (t) => nameLabel(t.name, t.id)) {
	if (who >= 0)
		return nameOf(threads[who]);
	if (who > FIRST_SOURCE)
		return who === IDLE ? '(idle)' : who === LIMITED ? '(its class might not run)' : '(not known)';
	const { kind, name } = events.sources[FIRST_SOURCE - who];

	return kind === 'throttled' ? '(the quota of ' + visible(name) + ')' : '(' + visible(name) + ')';
}

/* The CPUs that a thread waited for, in order of time. */
function waitPlace(data, s) {
	const cpus = partsOf(data, s).map(({ cpu }) => cpu === NO_CPU ? '(not known)' : cpu);

	return 'CPU ' + cpus.filter((cpu, i) => cpu !== cpus[i - 1]).join(' → ');
}

/* --- sleeps and wakers ---------------------------------------------------------------------------------- */

/* The wait that begins where a sleep ends, which has the waker; -1: unknown. */
function endOfSleep(data, s) {
	const { spans } = data, next = s + 1;

	return isSleep(spans, s) && next < spans.count && spans.thread[next] === spans.thread[s] &&
		spans.from[next] === spans.to[s] && spans.kind[next] === RUNNABLE ? next : -1;
}

/*
 * The interrupt that woke a span, in brackets, if only one is possible: no other of its class ran
 * then (a soft one: on the CPU of the thread that it interrupted), and no records, CPU or kind of
 * interrupts are missing.
 */
function interruptLabel(data, s) {
	const { spans, events } = data, time = spans.from[s], kinds = INTERRUPTS[spans.irq[s]];
	const isWhole = data.hasAllCpus && kinds.every((kind) => events.sources.some((of) => of?.kind === kind));
	const found = [...data.cpuTracks].map(([cpu, runs]) => {
		const pieces = piecesOf(data, cpu), hit = runs.threads[runs.positionAt(time)];

		return [NO_THREAD, hit].includes(spans.hit[s]) ? pieces.index?.[pieces.positionAt(time)] : undefined;
	}).filter((i) => i !== undefined && kinds.includes(events.kindOf(i)));

	return isWhole && found.length === 1 && !lostUntil(data, time, time + 1) ?
		' (' + visible(events.sourceOf(found[0]).name) + ')' : '';
}

/* Who woke a span that began with a wakeup, also which interrupt; null: unknown. */
function wakerLabel(data, s) {
	return data.spans.irq[s] ? IRQS[data.spans.irq[s]] + interruptLabel(data, s) : wakerName(data, s);
}

/* The waker of a span, with one name for all interrupts of a class. */
function wakerName(data, s) {
	const { spans, threads } = data;

	if (spans.irq[s])
		return IRQS[spans.irq[s]];
	return spans.waker[s] === NO_THREAD ? null : threadLabel(threads[spans.waker[s]]);
}

/* --- a range of time -------------------------------------------------------------------------- */

/* The time of each kind in a track between two times. */
function gained(track, from, to) {
	const before = new Float64Array(SUMMED), until = new Float64Array(SUMMED);

	track.sumUntil(from, track.firstEndingAfter(from), before);
	track.sumUntil(to, track.firstEndingAfter(to), until);
	return until.map((ns, kind) => ns - before[kind]);
}

/* Waits that end between two times: their number, the longest one, and the count of each waker. */
function waitsIn(data, from, to, rows) {
	const { spans, waits } = data, wakers = new Map();
	let count = 0, longest = -1;

	for (let i = atLeast(0, waits.length, (n) => spans.to[waits[n]] >= from); spans.to[waits[i]] <= to; i++) {
		const s = waits[i], length = spans.to[s] - spans.from[s];

		if (rows && !isIn(rows, spans.thread[s], partsOf(data, s).at(-1)?.cpu))
			continue;
		count++;
		if (longest < 0 || length > spans.to[longest] - spans.from[longest])
			longest = s;
		if (spans.kind[s] === RUNNABLE)
			addTo(wakers, wakerName(data, s) ?? 'unknown', 1);
	}
	return { count, longest, wakers: bySize(wakers) };
}

function cpuIn(data, cpu, from, to) {
	const track = data.cpuTracks.get(cpu), busy = gained(track, from, to)[RUNNING];
	const unknown = gained(track.gaps, from, to)[UNKNOWN];

	return { cpu, busy, idle: to - from - busy - unknown, unknown };
}

/* The sums of a range: { from, to, cpus: [{ cpu, busy, idle, unknown }], switches, waits } */
function summarize(data, { from, to, rows }) {
	const { switches } = data, has = (cpu) => !rows?.cpus.size || rows.cpus.has(cpu);

	return { from, to, waits: waitsIn(data, from, to, rows),
		 cpus: data.cpus.filter(has).map((cpu) => cpuIn(data, cpu, from, to)),
		 switches: atLeast(0, switches.length, (i) => switches[i] >= to) -
			 atLeast(0, switches.length, (i) => switches[i] >= from) };
}
