// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracks.js - the spans of one thread or one CPU, by time, at any scale.
 *
 * Tracks find the span at a time, and the duration of each kind of span between two times for any
 * number of spans: they keep sums of blocks of spans, so that drawing never walks over all.
 */

const BLOCK_BITS = 3;
const SUMMED = SLEEPING;	/* states below this one have sums */

/*
 * Spans in order of time and without overlap. from, to, kind: of each span, by position; a dense
 * subarray or copy; without kinds all are 0. summed: kinds below this one have sums.
 */
class Track {
	constructor(from, to, kind = new Uint8Array(from.length), summed = SUMMED) {
		this.from = from;
		this.to = to;
		this.kind = kind;
		this.count = from.length;
		this.summed = summed;
		this.sums = null;
		this.index = null;	/* numbers of the spans, or null */
	}

	/* The number of a span, -1: it has none. */
	span(position) {
		return this.index ? this.index[position] : -1;
	}

	paint(painter, y, height, look) {
		painter.paint(this, y, height, look);
	}

	/*
	 * Position of the first span, from low on, that ends after a time. This is quick if it is
	 * near low.
	 */
	firstEndingAfter(time, low = 0) {
		const { to } = this;
		let high = this.count, step = 4;

		while (low + step < high && to[low + step] <= time) {
			low += step + 1;
			step *= 2;
		}
		high = Math.min(high, low + step);
		while (low < high) {
			const middle = (low + high) >>> 1;

			if (to[middle] > time)
				high = middle;
			else
				low = middle + 1;
		}
		return low;
	}

	/* -1: none */
	positionAt(time) {
		const i = this.firstEndingAfter(time);

		return i < this.count && this.from[i] <= time ? i : -1;
	}

	/* The number of the span at a time, or of the next one, or of the last one. */
	spanNear(time) {
		return this.span(Math.min(this.firstEndingAfter(time), this.count - 1));
	}

	/* Position of the longest span between two times; a sleep only if there is nothing else. */
	longest(from, to) {
		const first = this.firstEndingAfter(from);
		let best = -1, length = -1;

		for (let i = first; i < this.count && i < first + 4096 && this.from[i] < to; i++) {
			const weight = this.kind[i] >= SUMMED ? 1e-6 : 1;
			const part = weight * (Math.min(to, this.to[i]) - Math.max(from, this.from[i]));

			if (part > length) {
				best = i;
				length = part;
			}
		}
		return best;
	}

	/* For each block and kind, the sum of all spans before the block. */
	blockSums() {
		const blocks = (this.count >> BLOCK_BITS) + 1, { summed } = this;
		const sums = new Float64Array(blocks * summed), now = new Float64Array(summed);

		for (let i = 0; i <= this.count; i++) {
			if (!(i & ((1 << BLOCK_BITS) - 1)))
				sums.set(now, (i >> BLOCK_BITS) * summed);
			if (i < this.count && this.kind[i] < summed)
				now[this.kind[i]] += this.to[i] - this.from[i];
		}
		return sums;
	}

	/* ns of each kind before a time, into sums; position: firstEndingAfter(time). */
	sumUntil(time, position, sums) {
		if (!this.sums)
			this.sums = this.blockSums();
		const { summed } = this;
		const block = position >> BLOCK_BITS, end = Math.min(position + 1, this.count);

		for (let kind = 0; kind < summed; kind++)
			sums[kind] = this.sums[block * summed + kind];
		for (let i = block << BLOCK_BITS; i < end; i++) {
			const kind = this.kind[i], from = this.from[i];

			if (kind < summed && from < time)
				sums[kind] += (this.to[i] < time ? this.to[i] : time) - from;
		}
	}
}

const NO_TRACK = new Track([], [], []);

/* One thread: span number base + position. */
class ThreadTrack extends Track {
	constructor(spans, thread, isIdle) {
		const base = spans.first[thread];
		const end = isIdle ? base : spans.first[thread + 1];

		super(spans.from.subarray(base, end), spans.to.subarray(base, end),
		      spans.kind.subarray(base, end));
		this.base = base;
	}

	span(position) {
		return this.base + position;
	}

	/* The position of a span in this track, -1: not in it. */
	position(span) {
		const at = span - this.base;

		return at >= 0 && at < this.count ? at : -1;
	}
}

/* The times without a known thread, between the spans of a CPU and at both ends. */
class GapTrack extends Track {
	constructor(track, end) {
		const from = [], to = [];
		let last = 0;

		for (let i = 0; i <= track.count; i++) {
			const next = i < track.count ? track.from[i] : end;

			if (next > last) {
				from.push(last);
				to.push(next);
			}
			last = i < track.count ? Math.max(last, track.to[i]) : last;
		}
		super(from, to, new Uint8Array(from.length).fill(UNKNOWN));
	}
}

/* The running threads of a CPU; the idle thread counts as sleeping. */
class CpuTrack extends Track {
	constructor({ runs, end }, cpu) {
		const part = (of) => of.subarray(runs.first[cpu], runs.first[cpu + 1]);

		super(part(runs.from), part(runs.to), part(runs.kind));
		this.index = part(runs.span);
		this.threads = part(runs.thread);
		this.gaps = new GapTrack(this, end);
	}
}

/* The waits of shown threads for a CPU that ended with a run, or last to the end of the trace. */
function findWaits(timeline) {
	const { spans, threads, end } = timeline, waits = timeline.allWaits.slice();
	const isShown = Uint8Array.from(threads, (t) => t && t.isShown ? 1 : 0);
	let count = 0;

	for (const s of waits) {
		const thread = spans.thread[s], next = s + 1;
		const isComplete = next === spans.first[thread + 1] ? spans.to[s] === end :
			spans.kind[next] === RUNNING && spans.from[next] === spans.to[s];

		if (isShown[thread] && isComplete)
			waits[count++] = s;
	}
	return waits.slice(0, count);
}

/* Cover all threads, or only those of the report. */
function setScope(timeline, isAll) {
	for (const t of timeline.threads) {
		if (t)
			t.isShown = isAll ? !t.isIdle : t.isOfReport;
	}
	timeline.waits = findWaits(timeline);
}

/* Add threadTracks (by number), cpuTracks (by CPU) and waits to the timeline. */
function addTracks(timeline) {
	const { spans, threads } = timeline;

	timeline.threadTracks = threads.map((t) => t && new ThreadTrack(spans, t.number, t.isIdle));
	timeline.cpuTracks = new Map(timeline.cpus.map((cpu) => [cpu, new CpuTrack(timeline, cpu)]));
	setScope(timeline, false);
	timeline.byWaker = new Map();
	delete timeline.runs;
}

/* Numbers of the spans that began with a wakeup by a thread, in order of time. */
function wokenBy(timeline, thread) {
	const spans = timeline.spans;
	let woken = timeline.byWaker.get(thread);

	if (!woken) {
		woken = [];
		for (let s = 0; s < spans.count; s++) {
			if (spans.waker[s] === thread)
				woken.push(s);
		}
		woken.sort((a, b) => spans.from[a] - spans.from[b]);
		timeline.byWaker.set(thread, woken);
	}
	return woken;
}

/* Numbers of the spans in which some threads run. */
function runsOf({ spans }, threads) {
	const runs = [];

	for (const { number } of threads) {
		for (let s = spans.first[number]; s < spans.first[number + 1]; s++) {
			if (spans.kind[s] === RUNNING)
				runs.push(s);
		}
	}
	return runs;
}
