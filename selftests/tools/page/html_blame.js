// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_blame.js - checks the table of who is blamed for waits in a page of fxt report --html. A part of
 * html_check.js; html_account.js checks its numbers.
 */
'use strict';

const assert = require('assert/strict');

module.exports = ({ open, close, shoot }) => ({
	async 'a table says who had the CPU while others waited, by name'(browser) {
		const it = await open(browser, 'stacks'), { page } = it;

		await page.click('#tab-blame');
		await page.waitForSelector('#blame-table button');
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
			fxtPage.timeline.onTell();
		});
		await page.click('#tab-blame');
		await page.waitForFunction(() =>
			document.querySelectorAll('#blame-table button').length === 0);
		assert.match(await page.textContent('#blame-told'), /Nobody waited .* in the range/);
		await close(it);
	},

	async 'waits out of view do not count for the limit of the table'(browser) {
		const it = await open(browser, 'stacks'), { page } = it;
		const counts = await page.evaluate(() => {
			const { data, view } = fxtPage.timeline;
			const part = { from: -2, to: -1, cpu: 0, cause: 'runnable', source: -1 };
			const parts = new Map(Array.from({ length: MOST_BLAMED_WAITS + 1 }, (_, i) =>
				[data.spans.count + i, [part]]));

			return [blamePairs(data, view), blamePairs({ ...data, parts: new Map([...parts, ...data.parts]) }, view)]
				.map((pairs) => pairs?.length);
		});

		assert.deepEqual(counts, [3, 3]);
		await close(it);
	},

	async 'only the names with most time have a row or column, the others are one'(browser) {
		const it = await open(browser, 'many'), { page } = it;

		await page.click('#tab-blame');
		await page.waitForSelector('#blame-table button');
		const [rows, columns, sum, all] = await page.evaluate(() => {
			const { data, view } = fxtPage.timeline, pairs = blamePairs(data, view);
			const few = fewPairs(pairs), add = (list) => list.reduce((a, { ns }) => a + ns, 0);

			return [few.victims, few.culprits, add([...few.cells.values()]),
				add(pairs)];
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
