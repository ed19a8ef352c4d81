// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_account.js - checks that a page of fxt report --html has the numbers of fxt why, fxt blame and
 * fxt report, for all of the time and for parts of it. A part of html_check.js.
 *
 * In:  archives with their pages: among them moved, where threads wait for several CPUs, are
 *	throttled, and lose records; random schedules; and generated ones.
 */
'use strict';

const assert = require('assert/strict');
const { execFileSync } = require('child_process');
const path = require('path');

const NAMES = ['story', 'events', 'stacks', 'late', 'raised', 'snapshot', 'random', 'begun',
	'moved', ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 19].map((seed) => 'schedule' + seed)];

/* What a verb says of an archive between two times (BigInt), as JSON. */
function say(file, verb, [from, to], ...options) {
	const time = (ns) => String(ns).padStart(10, '0').replace(/(\d{9})$/, '.$1');

	return JSON.parse(execFileSync('../collector/fxt/fxt', [verb, '--json', '--from', time(from),
		'--to', time(to), ...options, file], { encoding: 'utf8', maxBuffer: 1e9 }));
}

/* All of the time, and parts that overlap: [from, to] in ns since the start of the page. */
const rangesOf = (end) => [[0, end], ...[1, 3].map((i) =>
	[i / 7, i / 7 + 0.31].map((part) => Math.round(part * end)))];

/* Neighbours that are the same but for their times, their first two elements, as one. */
function joined(parts) {
	const list = [], rest = (part) => JSON.stringify(part.slice(2));

	for (const part of parts) {
		if (list.length && list.at(-1)[1] === part[0] && rest(list.at(-1)) === rest(part))
			list.at(-1)[1] = part[1];
		else
			list.push([...part]);
	}
	return list;
}

/* The sums of a range by CPU and by thread: run time, interrupts in it, system calls. */
function reportSums(report) {
	const of = (key) => Object.fromEntries(report.threads.filter((t) => t[key]).map((t) =>
		[t.nth ? t.tid + '#' + t.nth : String(t.tid), t[key]]));

	return {
		cpus: report.cpus.map((c) => [c.cpu, c.busy_ns, c.idle_ns, c.unknown_ns + c.offline_ns]),
		runs: of('run_ns'),
		interrupts: of('stolen_ns'),
		calls: of('in_calls_ns'),
		wrongWaits: [],
		switches: report.switches_counted,
	};
}

const pageSums = (page, range) => page.evaluate(([from, to]) => {
	const { data } = fxtPage.timeline, sum = summarize(data, { from, to }), round = Math.round;
	const cells = cellsIn(data, { from, to }), of = (...measures) => {
		const sums = {};

		for (const cell of cells) {
			const t = data.threads[cell.thread];

			if (t?.isShown && measures.includes(measureOf(data, cell)))
				sums[t.key] = (sums[t.key] ?? 0) + round(cell.ns);
		}
		return sums;
	};
	const waits = of('waiting for a CPU'), wrong = new Map(Object.entries(waits));

	/* Those of the parts of waits, which are those of fxt blame. */
	for (const s of new Set([...data.allWaits, ...data.parts.keys()])) {
		const t = data.threads[data.spans.thread[s]];

		for (const part of t.isShown ? partsBetween(data, s, from, to) : [])
			addTo(wrong, t.key, part.cause === 'unknown' ? 0 : part.from - part.to);
	}
	return {
		cpus: sum.cpus.map((c) => [c.cpu, round(c.busy), round(c.idle), round(c.unknown)]),
		runs: of('run time'),
		interrupts: of('interrupts', 'soft interrupts'),
		calls: of('system calls'),
		wrongWaits: [...wrong].filter(([, ns]) => Math.abs(ns) > 1),
		switches: sum.switches,
	};
}, range);

/* [victim, culprit, ns, number of waits, ns of the longest] of all pairs. */
function blamed({ pairs }) {
	const label = ({ name, kind }) => !kind ? name : kind === 'throttled' ? '(the quota of ' + name + ')' :
		kind === 'unknown' ? '(not known)' : kind === 'idle' ? '(idle)' : '(' + name + ')';

	return pairs.map((p) => [p.victim.name, label(p.culprit), p.ns, p.count, p.longest_ns].join()).sort();
}

const pageBlamed = (page, range) => page.evaluate(([from, to]) =>
	blamePairs(fxtPage.timeline.data, { from, to }).map(({ victim, culprit, ns, count, most }) =>
		[victim, culprit, Math.round(ns), count, Math.round(most)].join()).sort(), range);

/* The parts of each thread that alone has had its id: [tid, [from, to, tid, cause, CPU, source]...]. */
function explained(why, base) {
	const windows = why.windows ?? [why];

	return windows.map(({ window: w, parts }) => [String(w.thread.tid), w.from_ns - base, w.to_ns - base,
		joined(parts.map((p) => [p.from_ns - base, p.to_ns - base, String(p.thread.tid), p.cause, p.cpu,
			['interrupt', 'throttled'].includes(p.cause) ? p.by[0].name : null]))]);
}

const pageExplained = (page, windows) => page.evaluate((list) => {
	const { data } = fxtPage.timeline, { sources } = data.events;

	return list.map(([tid, from, to]) => {
		const of = data.threads.filter((t) => t && t.id === tid);

		return of.length !== 1 ? null : new PathWalk(data, of[0].number, from, to).run().map((p) => [p.from, p.to,
			data.threads[p.thread].id, p.cause, p.cpu === NO_CPU ? null : p.cpu,
			['interrupt', 'throttled'].includes(p.cause) ? sources[p.source].name : null]);
	});
}, windows.map((w) => w.slice(0, 3)));

/* Some soft interrupts are proven to be what 11 raised, while 12 slept, and others are not. */
function checkRaised(parts) {
	const ns = (is) => parts.filter(is).reduce((sum, [from, to]) => sum + to - from, 0);

	assert.ok(ns(([, , tid, cause]) => tid === '11' && cause === 'running') > 5e5);
	assert.ok(ns(([, , tid, cause]) => tid === '12' && cause === 'asleep') > 1e6);
}

module.exports = ({ share, directory }) => {
	const pageOf = (browser, name) => share(browser, name, 'account');

	/* Calls a function for each archive and range: (page, name, range, the same for a verb). */
	const each = async (browser, check) => {
		for (const name of NAMES) {
			const { page } = await pageOf(browser, name);
			const file = path.join(directory, name + '.fxt');
			const [base, end] = await page.evaluate(() => {
				const { data } = fxtPage.timeline;

				return [String(data.base), data.end];
			});

			for (const range of rangesOf(end)) {
				const times = range.map((ns) => BigInt(base) + BigInt(ns));

				await check(page, name, range, (verb, ...options) =>
					say(file, verb, times, ...options), Number(base));
			}
		}
	};

	return {
		'a range of the page has the sums of fxt report': async (browser) => {
			await each(browser, async (page, name, range, verb) => {
				assert.deepEqual(await pageSums(page, range), reportSums(verb('report')),
						 name + ': ' + range);
			});
		},

		'a wait lists how long the CPU was idle that fxt report names': async (browser) => {
			let compared = 0;

			for (const name of NAMES) {
				const it = await pageOf(browser, name);
				const waits = it.json.worst.filter(({ idle_ns: ns }) => ns);
				const lists = await it.page.evaluate((list) => list.map((wait) => {
					showWait(fxtPage.timeline, wait);
					return [...document.querySelectorAll('#details ul[aria-label^="CPUs idle"] li')]
						.map((li) => li.children[0].textContent + ' ' + li.children[2].textContent);
				}), waits);
				const label = (ns) => it.page.evaluate((of) => timeLabel(of), ns);

				for (const [i, { idle_cpu: cpu, idle_ns: ns }] of waits.entries())
					assert.ok(lists[i].includes('CPU ' + cpu + ' ' + await label(ns)), name + ': ' + lists[i]);
				compared += waits.length;
			}
			assert.ok(compared > 5, compared + ' waits');
		},

		'the page blames those whom fxt blame does': async (browser) => {
			let compared = 0;

			await each(browser, async (page, name, range, verb) => {
				const pairs = await pageBlamed(page, range);

				compared += pairs.length;
				assert.deepEqual(pairs, blamed(verb('blame')), name + ': ' + range);
			});
			assert.ok(compared > 100, compared + ' pairs');
		},

		'the page explains threads as fxt why does': async (browser) => {
			let compared = 0;

			await each(browser, async (page, name, range, verb, base) => {
				/* All of these are 20 MB; their parts have the same situations. */
				if (['random', 'begun'].includes(name) && !range[0])
					return;
				const windows = explained(verb('why', '--thread', '*'), base);
				const parts = await pageExplained(page, windows);

				windows.forEach(([tid, , , want], i) => {
					if (!parts[i])
						return;
					assert.deepEqual(joined(parts[i]), want, name + ': ' + range + ': ' + tid);
					compared += want.length;
				});
				if (name === 'raised' && !range[0])
					checkRaised(windows.find(([tid]) => tid === '12')[3]);
			});
			assert.ok(compared > 10000, compared + ' parts');
		},
	};
};
