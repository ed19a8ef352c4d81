// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_blame.js - checks who is blamed for waits in a page of fxt report --html, beside fxt blame. A
 * part of html_check.js.
 *
 * In:  stacks.fxt and story.fxt with their pages, neither with an interrupt in a wait.
 */
'use strict';

const assert = require('assert/strict');
const { execFileSync } = require('child_process');
const path = require('path');

/* [victim, culprit, ns, count] of all pairs. */
function pairsOf(directory, name) {
	const text = execFileSync('../collector/fxt/fxt', ['blame', '--json',
		path.join(directory, name + '.fxt')], { encoding: 'utf8' });
	const label = (who) => who.name ?? '(' + who.what + ')';

	return JSON.parse(text).pairs.map((p) => [p.victim.name, label(p.culprit), p.ns, p.count]);
}

const shown = (page) => page.evaluate(() => {
	const { data, view, range } = fxtPage.timeline, { from, to } = range ?? view;

	return [...blamePairs(data, from, to)].flatMap(([victim, of]) => [...of].map(
		([culprit, { ns, count }]) => [victim, culprit, Math.round(ns), count]));
});

const byTime = (a, b) => b[2] - a[2] || (a[0] + a[1] < b[0] + b[1] ? -1 : 1);

module.exports = ({ open, close, directory, shoot }) => ({
	async 'a table says who had the CPU while others waited, as fxt blame does'(browser) {
		const it = await open(browser, 'stacks'), { page } = it;

		await page.click('#tab-blame');
		await page.waitForSelector('#blame-table button');
		assert.deepEqual((await shown(page)).sort(byTime), pairsOf(directory, 'stacks').sort(byTime));
		const cells = await page.locator('#blame-table tr').evaluateAll((rows) =>
			rows.map((row) => [...row.cells].map((cell) => cell.textContent)));

		assert.deepEqual(cells, [['', 'worker', 'flusher'], ['flusher', '5.00 ms', ''],
					 ['worker', '1.00 ms', '1.00 ms']]);
		await shoot(it, 'blame');
		/* A click selects the longest wait. */
		await page.click('#blame-table button:text-is("5.00 ms")');
		await page.click('#tab-details');
		assert.match(await page.textContent('#details'), /flusher\/21.*3\.00 ms/s);
		/* A range counts instead of the view. */
		await page.evaluate(() => {
			fxtPage.timeline.setRange(0, 4e6);
			fxtPage.timeline.tell();
		});
		await page.click('#tab-blame');
		await page.waitForFunction(() =>
			document.querySelectorAll('#blame-table button').length === 0);
		assert.match(await page.textContent('#blame-told'), /Nobody waited .* in the range/);
		await close(it);
	},

	async 'only the names with most time have a row or column, the others are one'(browser) {
		const it = await open(browser, 'many'), { page } = it;

		await page.click('#tab-blame');
		await page.waitForSelector('#blame-table button');
		const [rows, columns, sum, all] = await page.evaluate(() => {
			const { data, view } = fxtPage.timeline, pairs = blamePairs(data, view.from, view.to);
			const few = fewPairs(pairs), add = (list) => list.reduce((a, { ns }) => a + ns, 0);

			return [few.victims, few.culprits, add([...few.cells.values()]),
				add([...pairs.values()].flatMap((of) => [...of.values()]))];
		});

		assert.equal(rows.length, 13);
		assert.equal(columns.length, 13);
		assert.ok(rows.includes('(others)') && columns.includes('(others)'));
		assert.ok(Math.abs(sum - all) < 1 && all > 0);
		assert.equal(await page.locator('#blame-table tr').count(), 14);
		await shoot(it, 'blame-many');
		await close(it);
	},
});
