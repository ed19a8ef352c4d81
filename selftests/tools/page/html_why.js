// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_why.js - checks how a page of fxt report --html shows why a thread did not run, and what woke
 * it. A part of html_check.js; html_account.js checks the parts and the culprits.
 *
 * In:  story.html, stacks.html, events.html, raised.html (generate_page.c, which has their events).
 */
'use strict';

const assert = require('assert/strict');
const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');

/* The rows of the path: [label, [text, from, to in ms of the page]...]. */
const hops = (page) => page.evaluate(() => fxtPage.timeline.rows.filter((row) => row.type === 'hop')
	.map(({ label, depth, track }) => [label, depth, ...Array.from(track.from, (from, i) =>
		[track.look.labelOf(track.span(i), track.kind[i], i), from / 1e6, track.to[i] / 1e6])]));

const culprits = (page) => page.locator('#details ul[aria-label^=Why] li > :first-child').allTextContents();

const { change, wake, makePage } = require('./html_ftrace.js');

module.exports = ({ open, close, click, shoot, directory }) => ({
	async 'Y tells and draws why a thread did not run, and who had the CPU'(browser) {
		const it = await open(browser, 'story'), { page } = it;

		await click(page, 'twelve/12', 2.5);
		await page.click('#tab-findings');
		await page.locator('#timeline').focus();
		await page.keyboard.press('y');
		assert.ok(await page.locator('#details').isVisible());
		assert.deepEqual(await culprits(page), ['eleven/11: twelve/12 waited for a CPU']);
		assert.deepEqual(await hops(page), [['why', 0, ['eleven/11: twelve/12 waited for a CPU', 1, 4]]]);
		await shoot(it, 'why');
		await page.click('#details .moves button:text("Back")');
		await page.click('#details .moves button:text("Why (Y)")');
		assert.match(await page.textContent('#details'), /Why: what it waited for/);
		await page.keyboard.press('Escape');
		assert.deepEqual(await hops(page), []);
		await close(it);
	},

	async 'each hop from a thread to who woke it has a row; a click selects its slice'(browser) {
		const it = await open(browser, 'stacks'), { page } = it;

		await click(page, 'worker/11', 4);
		await page.keyboard.press('y');
		assert.deepEqual(await hops(page), [['why', 0, ['worker/11 slept', 1, 7]], ['woken by', 1,
			['flusher/21 is unknown', 1, 3], ['flusher/21 ran', 3, 7]]]);
		await shoot(it, 'hops');
		const { x, y } = await page.evaluate(() => {
			const t = fxtPage.timeline, box = t.canvas.getBoundingClientRect();
			const row = t.rows.findLast(({ type }) => type === 'hop');

			return { x: box.x + t.xAt(5e6), y: box.y + t.rowY(row) + 10 };
		});

		await page.mouse.move(x, y);
		assert.match(await page.textContent('#tooltip'), /flusher\/21running for 5\.00 ms/);
		await page.mouse.click(x, y);
		assert.match(await page.textContent('#details'), /threadflusher\/21.*staterunning/);
		/* The rows stay until Escape. */
		assert.equal((await hops(page)).length, 2);
		await close(it);
	},

	async 'interrupts and quotas are culprits, too'(browser) {
		const it = await open(browser, 'events'), { page } = it;

		await click(page, 'short/22', 32);
		await page.keyboard.press('y');
		assert.deepEqual(await culprits(page), ['(NET_RX): short/22 waited for a CPU',
			'(idle): short/22 waited for a CPU']);
		await page.click('#tab-blame');
		await page.waitForSelector('#blame-table button');
		assert.ok((await page.locator('#blame-table th').allTextContents()).includes('(NET_RX)'));
		await close(it);
	},

	async 'it is said which soft interrupt woke a thread, if only one can be it'(browser) {
		const file = (name) => path.join(directory, name);
		const labels = ({ page }) => page.evaluate(() => {
			const { data } = fxtPage.timeline, counts = new Map();

			for (const s of data.allWaits)
				addTo(counts, wakerLabel(data, s), 1);
			return Object.fromEntries(counts);
		});
		const it = await open(browser, 'raised'), named = await labels(it);

		/* Of half of them the wakeup was recorded after the end of the soft interrupt. */
		assert.deepEqual([named['a soft interrupt (NET_RX)'], named['a soft interrupt']], [256, 256]);
		await close(it);
		/* It may be one of a CPU that the page does not have. */
		execFileSync('../collector/fxt/fxt', ['report', '--cpu', '0', '--html', file('some.html'),
			file('raised.fxt')], { stdio: 'ignore' });
		fs.copyFileSync(file('raised.json'), file('some.json'));
		const some = await open(browser, 'some');

		assert.ok(!Object.keys(await labels(some)).includes('a soft interrupt (NET_RX)'));
		await close(some);
	},

	async 'a path of more hops than rows has all further ones in the last row, one after the other'(browser) {
		const threads = Array.from({ length: 12 }, (_, i) => 't' + i + '/' + (100 + i));
		const runs = threads.flatMap((t, i) => [change(0.01 * i, 0, 'idle', 'R', t),
			change(0.01 * i + 0.005, 0, t, 'S', 'idle')]);

		/* From 1 ms on each runs for a ms, on the other CPU, and wakes the one before it. */
		makePage(directory, 'hops', runs.concat(threads.toReversed().flatMap((t, n, all) => [
			n ? wake(1 + n, (n + 1) % 2, all[n - 1], t, n % 2) : wake(1, 0, 'idle', t, 0),
			change(1.02 + n, n % 2, 'idle', 'R', t), change(2.01 + n, n % 2, t, 'S', 'idle')])));
		const it = await open(browser, 'hops'), { page } = it;

		await page.keyboard.press('/');
		await page.fill('#search', 't0/100');
		await page.click('#panel-found button:has-text("t0/100")');
		await page.keyboard.press('n');
		await page.keyboard.press('y');
		const rows = await page.evaluate(() => fxtPage.timeline.rows.filter(({ type }) => type === 'hop')
			.map(({ track }) => [track.count, track.from.every((from, i) => !i || from >= track.to[i - 1])]));

		assert.deepEqual([rows.length, ...rows.map(([, isInOrder]) => isInOrder)], [8, ...Array(8).fill(true)]);
		assert.ok(rows[7][0] > 3, rows[7][0] + ' parts in the last row');
		await close(it);
	},
});
