// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * why.js - why a thread did not run: walks back from a time to the causes, as fxt why does. Out:
 * parts that partition the time, in the pane and in rows: one row for each hop from a thread to its
 * waker. Must hold: the time of a sleep belongs to the thread that ended it; time with lost records
 * is unknown.
 */

const DEEPEST = 10000;		/* threads of a chain */
const MOST_HOPS = 8;		/* rows; the last one has all further hops, too */

/* The end of the last gap in the records between two times; 0: there is none. */
function lostUntil({ gaps }, from, to) {
	const i = atLeast(0, gaps.length / 2, (n) => gaps[2 * n] >= to) - 1;

	return i >= 0 && gaps[2 * i + 1] > from ? gaps[2 * i + 1] : 0;
}

/* A walk back in time. Frames are the chain of threads, each with the earliest time to explain. */
class PathWalk {
	constructor(data, thread, from, to) {
		this.data = data;
		this.frames = [{ thread, from }];
		this.time = to;
		this.to = to;
		this.parts = [];
		this.sleeps = [];	/* parts for sleeps that other threads explain */
		this.met = new Set();
		const { spans } = data, s = spanBefore(data, thread, to), first = spans.first[thread];

		/* A sleep that lasts beyond the window is explained by its end. */
		if (s < 0 && spans.kind[first] === RUNNABLE)
			this.time = Math.max(to, spans.from[first]);
		else if (endOfSleep(data, s) >= 0)
			this.time = Math.max(to, spans.to[s]);
	}

	/*
	 * Add a part from a time on; part: its CPU, and the source of an interrupt or quota, if
	 * any.
	 */
	tell(cause, span, from, part = {}) {
		const to = Math.min(this.time, this.to), { thread } = this.frames.at(-1);

		if (from < to)
			this.parts.push({ cpu: NO_CPU, ...part, from, to, thread, span, cause,
					  hop: this.frames.length - 1 });
		this.time = from;
	}

	/* Explain a sleep: continue with the thread that ended it. */
	explain(s, from) {
		const { data } = this, { spans } = data, end = endOfSleep(data, s);

		if (end < 0 && s + 1 === spans.first[this.frames.at(-1).thread + 1])
			return this.tell(lostUntil(data, from, this.time) ? 'unknown' : 'asleep', s, from);
		return this.explainBy(end, s, from);
	}

	/* Explain a sleep by @end, the wait after it. */
	explainBy(end, s, from) {
		const { data } = this, { spans } = data;
		const lost = lostUntil(data, from, this.time);

		if (end < 0 || this.time < spans.from[end] || lost >= this.time)
			return this.tell('unknown', s, from);
		const left = data.wakers.get(end) ?? spans.from[end];

		if (left === BY_TIMER || (spans.irq[end] && !data.wakers.has(end)))
			return this.tell('asleep', s, Math.max(from, lost));
		const waker = spans.irq[end] ? spans.hit[end] : spans.waker[end], key = waker + '@' + this.time;

		if (waker === NO_THREAD || left < 0 || this.met.has(key) || this.frames.length > DEEPEST)
			return this.tell('unknown', s, from);
		this.met.add(key);
		return this.follow(waker, left, s, Math.max(from, lost));
	}

	/* The waker is not the cause of time after it left its CPU: the thread was still asleep then. */
	follow(waker, left, s, from) {
		const hop = this.frames.length - 1;

		if (left < this.time)
			this.tell('asleep', s, Math.max(left, from));
		const to = Math.min(this.time, this.to);

		if (from < to)
			this.sleeps.push({ from, to, thread: this.frames[hop].thread, span: s, cause: 'asleep', hop });
		return this.frames.push({ thread: waker, from });
	}

	tellWait(s, from) {
		for (const part of partsOf(this.data, s).toReversed()) {
			if (part.from >= this.time || part.to <= from)
				continue;
			if (part.to < this.time)
				this.tell('unknown', s, part.to);
			this.tell(part.cause, s, Math.max(part.from, from), part);
		}
		if (from < this.time)
			this.tell('unknown', s, from);
	}

	/* Add a run, and the interrupts in it. */
	tellRun(s, from) {
		const { spans, events } = this.data, cpu = spans.cpu[s], pieces = piecesOf(this.data, cpu);

		for (let i = pieces.firstEndingAfter(this.time); i >= 0 && this.time > from; i--) {
			if (i === pieces.count || pieces.from[i] >= this.time)
				continue;
			if (pieces.to[i] <= from)
				break;
			this.tell('running', s, Math.min(pieces.to[i], this.time), { cpu });
			this.tell('interrupt', s, Math.max(pieces.from[i], from),
				  { cpu, source: events.source[pieces.index[i]] });
		}
		this.tell('running', s, from, { cpu });
	}

	step() {
		const { spans } = this.data, { thread, from } = this.frames.at(-1);
		const s = spanBefore(this.data, thread, this.time);

		if (s < 0 && spans.from[spans.first[thread]] === this.time)
			return this.explainBy(spans.first[thread], -1, from);
		if (s < 0 || spans.to[s] < this.time)
			return this.tell('unknown', -1, Math.max(from, s < 0 ? from : spans.to[s]));
		const begin = Math.max(from, spans.from[s]);

		if (isSleep(spans, s))
			return this.explain(s, begin);
		if (isWait(spans.kind[s]))
			return this.tellWait(s, begin);
		return spans.kind[s] === RUNNING ? this.tellRun(s, begin) : this.tell('unknown', s, begin);
	}

	/*
	 * Walk. Return: parts in order of time: { from, to, thread, span, cause, cpu, source (of an
	 * interrupt or quota), hop }
	 */
	run() {
		while (this.frames.length) {
			if (this.time <= this.frames.at(-1).from)
				this.frames.pop();
			else
				this.step();
		}
		return this.parts.reverse();
	}
}

/* The time to explain for a span: its own, or, for a run, the time since the run before. */
function windowOf(data, s) {
	const { spans } = data, first = spans.first[spans.thread[s]];
	let begin = s;

	if (spans.kind[s] !== RUNNING)
		return { from: spans.from[s], to: spans.to[s] };
	while (begin > first && spans.kind[begin - 1] !== RUNNING)
		begin--;
	return { from: spans.from[begin], to: spans.from[s] };
}

const CAUSES = { running: 'ran', runnable: 'waited for a CPU', asleep: 'slept', unknown: 'is unknown',
	interrupt: 'was interrupted', throttled: 'was throttled', limited: 'might not run, by its class' };
const CAUSE_KINDS = { running: RUNNING, runnable: RUNNABLE, asleep: SLEEPING, unknown: UNKNOWN,
	interrupt: OTHER, throttled: PREEMPTED, limited: PREEMPTED };

/*
 * Who is to blame for a part, and what its thread did; the former first, because the text may be
 * cut.
 */
function partLabel(data, { thread, cause }, who) {
	return (who === null ? '' : culpritLabel(data, who) + ': ') + threadLabel(data.threads[thread]) + ' ' +
		CAUSES[cause];
}

/* Who kept the thread of a part from running: [who, ns]; who is null if nobody did. */
function partCulprits(data, part) {
	return ['runnable', 'interrupt', 'throttled'].includes(part.cause) ? bySize(culprits(data, part)) :
		[[null, part.to - part.from]];
}

/* A row with the parts of one hop. */
class HopTrack extends Track {
	constructor(data, parts) {
		super(...['from', 'to'].map((key) => Float64Array.from(parts, (part) => part[key])),
		      Uint8Array.from(parts, ({ cause }) => CAUSE_KINDS[cause]));
		this.index = parts.map(({ span }) => span);
		this.look = { ...THREAD_LOOK, labelOf: (s, kind, i) =>
			partLabel(data, parts[i], partCulprits(data, parts[i])[0][0]) };
	}
}

/* Replace the rows of hops by those of a path and the sleeps in it. */
function showHops(timeline, path) {
	const hops = groupedBy(path, ({ hop }) => Math.min(hop, MOST_HOPS - 1));

	timeline.changeRows((model) => {
		model.hops = [...hops].sort(([a], [b]) => a - b).map(([hop, parts]) => {
			const track = new HopTrack(timeline.data, parts.sort((a, b) => a.from - b.from));

			return { type: 'hop', label: hop ? 'woken by' : 'why', depth: hop, track, look: track.look };
		});
	});
}

/* Show the path of the selected span, or of its thread in the marked range. */
function explainSelected(timeline) {
	const { data, selected, range } = timeline;

	if (selected < 0 || data.threads[data.spans.thread[selected]].isIdle)
		return;
	const thread = data.spans.thread[selected], { from, to } = range ?? windowOf(data, selected);
	const walk = new PathWalk(data, thread, from, to), path = walk.run();

	/* The last row has the parts of all further hops, which its sleeps would overlap. */
	showHops(timeline, [...path, ...walk.sleeps.filter(({ hop }) => hop < MOST_HOPS - 1)]);
	timeline.onPick();
	tellPath(timeline, path, thread, from, to);
}

function tellPath(timeline, path, thread, from, to) {
	const { data } = timeline, sums = new Cells();

	for (const part of path) {
		for (const [who, ns] of partCulprits(data, part)) {
			const label = partLabel(data, part, who);

			sums.add(label, { label }, { ns, place: part.span });
		}
	}
	showDetails([button('Back', () => timeline.select(timeline.selected))],
		    [['thread', threadLabel(data.threads[thread])], ['time', timeLabel(to - from)], ...startRows(data, from)],
		    [shareList('Why: what it waited for', sums.list.map((sum) => [sum, sum.ns]), to - from,
			       ({ label, place }) => [label, place >= 0 ? () => timeline.select(place, true) : undefined])]);
}
