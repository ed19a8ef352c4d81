// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_cpus.js - checks how rows of CPUs are grouped, and how much room they have, in a page of fxt
 * report --html. A part of html_check.js.
 *
 * In:  many.html: 64 CPUs, of which eight share a cache, and 32 a node; random.html, whose
 *      recording does not say what its CPUs share.
 */
'use strict';

const assert = require('assert/strict');

const rows = (page) => page.evaluate(() => fxtPage.timeline.model.areas.cpus.rows
	.filter((row) => ['cpu', 'cpus'].includes(row.type)).map((row) => row.label));

/* Clicks the name of a row. */
async function clickName(page, label) {
	const { x, y } = await page.evaluate((name) => {
		const t = fxtPage.timeline, box = t.canvas.getBoundingClientRect();
		const row = t.rows.find((r) => r.label === name);

		return { x: box.x + 60, y: box.y + t.rowY(row) + row.height / 2 };
	}, label);

	await page.mouse.click(x, y);
}

const cpus = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => 'CPU ' + (from + i));

function cache(number) {
	const from = number * 8;

	return ['Cache of CPUs ' + from + '-' + (from + 7), ...cpus(from, from + 7)];
}

const FIRST = 'Node of CPUs 0-31', SECOND = 'Node of CPUs 32-63';

/* The number of CPUs that run a thread at a time, from the rows of CPUs themselves. */
const busyAt = (page, label, time) => page.evaluate(([name, at]) => {
	const t = fxtPage.timeline, group = t.rows.find((row) => row.label === name);
	const busy = group.cpus.filter((cpu) => {
		const track = t.data.cpuTracks.get(cpu), i = track.positionAt(at);

		return i >= 0 && track.kind[i] === RUNNING;
	}).length;

	return [group.valueAt(at), busy + ' of ' + group.cpus.length + ' CPUs busy'];
}, [label, time]);

module.exports = ({ open, share, close, click, shoot }) => ({
	async 'CPUs are grouped by node and cache, and a click or G closes groups'(browser) {
		const it = await open(browser, 'many'), { page } = it;
		const all = [FIRST, ...[0, 1, 2, 3].flatMap(cache),
			     SECOND, ...[4, 5, 6, 7].flatMap(cache)];

		assert.deepEqual(await rows(page), all);
		await shoot(it, 'cpu-groups');
		await clickName(page, 'Cache of CPUs 8-15');
		assert.deepEqual(await rows(page), all.filter((label) => !cpus(8, 15).includes(label)));
		await clickName(page, FIRST);
		assert.deepEqual(await rows(page), [FIRST, ...all.slice(all.indexOf(SECOND))]);
		await page.locator('#timeline').focus();
		await page.keyboard.press('g');
		assert.deepEqual(await rows(page), [FIRST, SECOND]);
		await shoot(it, 'cpu-groups-closed');
		/* A thread on a CPU without a row can be selected. */
		await page.keyboard.press('/');
		await page.keyboard.type('worker');
		await page.press('#search', 'Enter');
		assert.match(await page.textContent('#details'), /running/);
		await page.keyboard.press('g');
		assert.deepEqual(await rows(page), all);
		await close(it);
		const other = await share(browser, 'random');

		assert.deepEqual(await rows(other.page), cpus(0, 3));
	},

	async 'the row of a group is a chart of its busy CPUs'(browser) {
		const it = await open(browser, 'many'), { page } = it;
		const end = await page.evaluate(() => fxtPage.timeline.data.end);
		const seen = new Set();

		for (let i = 1; i < 40; i++) {
			for (const label of [FIRST, 'Cache of CPUs 40-47']) {
				const [shown, counted] = await busyAt(page, label, end * i / 40);

				assert.equal(shown, counted, label + ' at ' + i);
				seen.add(shown);
			}
		}
		assert.ok(seen.size > 4, [...seen].join());
		/* The tooltip shows the number, too. */
		await page.keyboard.press('g');
		const { x, y } = await page.evaluate((name) => {
			const t = fxtPage.timeline, box = t.canvas.getBoundingClientRect();
			const row = t.rows.find((r) => r.label === name);

			return { x: box.x + 700, y: box.y + t.rowY(row) + row.height / 2 };
		}, FIRST);

		await page.mouse.move(x, y);
		assert.match(await page.textContent('#tooltip'), /^\d+ of 32 CPUs busyNode of CPUs 0-31$/);
		await close(it);
	},

	async 'the line below the CPUs is dragged, moved by keys, and remembered'(browser) {
		const it = await open(browser, 'many'), { page } = it;
		const pinned = () => page.evaluate(() => fxtPage.timeline.model.areas.cpus.room);
		const box = await page.locator('#timeline').boundingBox(), before = await pinned();
		const top = await page.evaluate(() => RULER), y = box.y + top + before;

		await page.mouse.move(box.x + 600, y);
		await page.mouse.down();
		await page.mouse.move(box.x + 600, y - 120, { steps: 4 });
		await page.mouse.up();
		const after = await pinned();

		assert.ok(after <= before - 110 && after >= before - 150, before + ' ' + after);
		/* The drag selected and marked nothing. */
		assert.deepEqual(await page.evaluate(() =>
			[fxtPage.timeline.selected, fxtPage.timeline.range]), [-1, null]);
		await page.reload();
		await page.waitForSelector('html[data-state=drawn]');
		assert.equal(await pinned(), after);
		await page.locator('#timeline').focus();
		for (let i = 0; i < 3; i++)
			await page.keyboard.press(']');
		assert.ok(await pinned() > after);
		for (let i = 0; i < 6; i++)
			await page.keyboard.press('[');
		assert.ok(await pinned() < after);
		await close(it);
	},
});
