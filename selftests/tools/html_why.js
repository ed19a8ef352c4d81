// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_why.js - checks why a thread did not run, in a page of fxt report --html, beside fxt why. A
 * part of html_check.js.
 *
 * In:  story, events, late, raised, random and snapshot, each with what fxt why --json says of all
 *	its threads.
 */
'use strict';

const assert = require('assert/strict');
const fs = require('fs');
const path = require('path');

/* The page omits interrupts and throttling within a run or wait, and wakeups of idle CPUs. */
const CAUSES = { interrupt: 'running', throttled: 'runnable' };
const causeOf = ({ cause, by }) => by[0]?.name === 'an interrupt of an idle CPU' ? 'unknown' :
	CAUSES[cause] ?? cause;

/* [from, to, tid, cause], neighbours of the same thread and cause as one. */
function joined(parts) {
	const list = [];

	for (const [from, to, tid, cause] of parts) {
		const last = list.at(-1);

		if (last && last[2] === tid && last[3] === cause && last[1] === from)
			last[1] = to;
		else
			list.push([from, to, tid, cause]);
	}
	return list;
}

/* The answers of fxt why, in ns after the beginning of the page's range. */
function answers(directory, name, base) {
	const text = fs.readFileSync(path.join(directory, name + '.why'), 'utf8');
	const why = JSON.parse(text), windows = why.windows ?? [why];

	return windows.map(({ window: { thread, from_ns: from, to_ns: to }, parts }) => ({
		tid: String(thread.tid), from: from - base, to: to - base,
		parts: joined(parts.map((p) => [p.from_ns - base, p.to_ns - base, String(p.thread.tid),
						causeOf(p)])),
	}));
}

/* The same windows in the page; ids that several threads have had are left out. */
const pageParts = (page, windows) => page.evaluate((list) => {
	const { data } = fxtPage.timeline;
	const of = (tid) => data.threads.filter((t) => t && t.id === tid);

	return list.map(({ tid, from, to }) => of(tid).length !== 1 ? null :
		pathOf(data, of(tid)[0].number, from, to).map((p) =>
			[p.from, p.to, data.threads[p.thread].id, p.cause]));
}, windows.map(({ tid, from, to }) => ({ tid, from, to })));

/* Some soft interrupts are proven to be what 11 raised, while 12 slept, and others are not. */
function checkRaised(parts) {
	const ns = (is) => parts.filter(is).reduce((sum, [from, to]) => sum + to - from, 0);

	assert.ok(ns(([, , tid, cause]) => tid === '11' && cause === 'running') > 5e5);
	assert.ok(ns(([, , tid, cause]) => tid === '12' && cause === 'asleep') > 1e6);
}

module.exports = ({ open, close, click, directory, shoot }) => ({
	async 'the page explains threads as fxt why does'(browser) {
		for (const name of ['story', 'events', 'late', 'raised', 'snapshot', 'random']) {
			const it = await open(browser, name), { page } = it;
			const base = Number(await page.evaluate(() => Number(fxtPage.timeline.data.base)));
			const windows = answers(directory, name, base).slice(0, 200);
			const parts = await pageParts(page, windows);
			let compared = 0;

			windows.forEach((w, i) => {
				if (!parts[i])
					return;
				assert.deepEqual(joined(parts[i]), w.parts, name + ': thread ' + w.tid);
				compared += w.parts.length;
			});
			if (name === 'raised')
				checkRaised(windows.find((w) => w.tid === '12').parts);
			assert.ok(compared > 3, name + ': ' + compared);
			await close(it);
		}
	},

	async 'Y tells and draws why a thread did not run'(browser) {
		const it = await open(browser, 'story'), { page } = it;

		await click(page, 'twelve/12', 2.5);
		await page.keyboard.press('y');
		assert.match(await page.textContent('#details'),
			     /Why: what it waited for.*twelve\/12 waited for a CPU/);
		const parts = await page.evaluate(() => fxtPage.timeline.path.map((p) => p.cause));

		assert.deepEqual(parts, ['runnable']);
		await shoot(it, 'why');
		await page.click('#details .moves button:text("Back")');
		await page.click('#details .moves button:text("Why (Y)")');
		assert.match(await page.textContent('#details'), /Why: what it waited for/);
		await page.keyboard.press('Escape');
		assert.equal(await page.evaluate(() => fxtPage.timeline.path.length), 0);
		await close(it);
	},
});
