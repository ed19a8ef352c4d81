// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * colours.js - a hue for each process, and a shade of it for each thread: styles (numbers of
 * colours).
 *
 * The hues of report.css differ for people with any colour vision, also in brightness. Processes
 * that follow one another on CPUs get different hues, as far as there are enough.
 */

const HUES = 12, SHADES = 3;
const FIRST_HUE = KINDS + 1;		/* the first style that is a colour of a thread */
const MOST_PAIRS = 400000;		/* pairs of neighbours looked at */

const styleOfHue = (hue, shade) => FIRST_HUE + hue * SHADES + shade;
const hueOfStyle = (style) => Math.floor((style - FIRST_HUE) / SHADES);

/* By number of a thread, its ns in spans of some kinds. */
function kindTimes({ spans, threads }, kinds) {
	const sums = new Float64Array(threads.length), isWanted = new Uint8Array(KINDS);

	for (const kind of kinds)
		isWanted[kind] = 1;
	for (const t of threads) {
		const end = t && !t.isIdle ? spans.first[t.number + 1] : 0;

		for (let s = t ? spans.first[t.number] : 0; s < end; s++) {
			if (isWanted[spans.kind[s]])
				sums[t.number] += spans.to[s] - spans.from[s];
		}
	}
	return sums;
}

/* How often two processes follow each other on a CPU: for each, a map of the other's weight. */
function neighbours(data, processOf) {
	const near = new Map(), most = MOST_PAIRS / Math.max(1, data.cpuTracks.size);
	const add = (a, b) => {
		if (!near.has(a))
			near.set(a, new Map());
		near.get(a).set(b, (near.get(a).get(b) ?? 0) + 1);
	};

	for (const track of data.cpuTracks.values()) {
		let last = null;

		for (let i = 0; i < track.count && i < most; i++) {
			if (track.kind[i] !== RUNNING)
				continue;
			const now = processOf(track.threads[i]);

			if (last !== null && last !== now) {
				add(last, now);
				add(now, last);
			}
			last = now;
		}
	}
	return near;
}

/* The hue that is rarest among a process's neighbours; of equal ones, that with the least time. */
function bestHue(near, hueOf, used) {
	const cost = used.map((time) => time * 1e-3);

	for (const [other, weight] of near ?? []) {
		if (hueOf.has(other))
			cost[hueOf.get(other)] += weight;
	}
	return cost.indexOf(Math.min(...cost));
}

/* The busiest processes come first, so that they differ most. */
function hueOfProcesses(data, processOf, run) {
	const sums = new Map(), hueOf = new Map(), used = new Array(HUES).fill(0);
	let all = 0;

	run.forEach((ns, thread) => {
		if (ns) {
			const process = processOf(thread);

			addTo(sums, process, ns);
			all += ns;
		}
	});
	const near = neighbours(data, processOf);

	for (const [process, ns] of bySize(sums)) {
		const hue = bestHue(near.get(process), hueOf, used);

		hueOf.set(process, hue);
		used[hue] += ns / all;
	}
	return hueOf;
}

/* The styles of a CPU's threads, with another shade where two neighbours would look alike. */
function stylesOfCpu(data, track) {
	const styles = new Uint8Array(track.count);
	let last = 0, lastThread = -1;

	for (let i = 0; i < track.count; i++) {
		const thread = track.threads[i];
		let style = data.styles[thread];

		if (track.kind[i] !== RUNNING) {
			styles[i] = SLEEPING;
			continue;
		}
		if (style === last && thread !== lastThread)
			style = styleOfHue(hueOfStyle(style), (style - FIRST_HUE + 1) % SHADES);
		styles[i] = last = style;
		lastThread = thread;
	}
	return styles;
}

/**
 * addColours() - data.run, .wait (ns), .styles: by number of the thread; .styles and .hues of each
 * CPU's track: by position, and a track of the same spans by their hue
 */
function addColours(data) {
	const { threads } = data, shades = new Map();
	const processOf = (n) => threads[n].process === '0' ? 't' + n : threads[n].process;

	data.run = kindTimes(data, [RUNNING]);
	data.wait = kindTimes(data, [RUNNABLE, PREEMPTED]);
	const hues = hueOfProcesses(data, processOf, data.run);

	data.styles = new Uint8Array(threads.length);
	for (const t of threads.filter(Boolean).sort((a, b) =>
		data.run[b.number] - data.run[a.number])) {
		const process = processOf(t.number), shade = shades.get(process) ?? 0;

		shades.set(process, shade + 1);
		data.styles[t.number] = styleOfHue(hues.get(process) ?? 0, shade % SHADES);
	}
	for (const track of data.cpuTracks.values()) {
		track.styles = stylesOfCpu(data, track);
		track.hues = new Track(track.from, track.to, track.styles.map((style) =>
			style < FIRST_HUE ? HUES : hueOfStyle(style)), HUES);
	}
}
