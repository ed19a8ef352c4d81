// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_slices.js - pages of traces without scheduling. A part of html_check.js.
 *
 * In:  traces of Chrome's format, which the tests write.
 */
'use strict';

const assert = require('assert/strict');
const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');

/* Times are us. */
const slice = (name, ts, dur, tid) => ({ ph: 'X', name, ts, dur, tid, pid: 1 });

module.exports = ({ open, close, shoot, directory }) => {
	const openTrace = (browser, events) => {
		const file = (name) => path.join(directory, name);

		fs.writeFileSync(file('slices.trace.json'), JSON.stringify(events));
		execFileSync('../collector/fxt/fxt', ['report', '-q', '--html', file('slices.html'),
			file('slices.trace.json')]);
		fs.writeFileSync(file('slices.json'), '{}');
		return open(browser, 'slices');
	};

	return {
		async 'a trace without scheduling has its slices, nested, and its counters in the timeline'(browser) {
			const it = await openTrace(browser, [
				{ ph: 'M', name: 'process_name', pid: 1, args: { name: 'app' } },
				{ ph: 'M', name: 'thread_name', pid: 1, tid: 11, args: { name: 'main' } },
				slice('outer', 0, 100, 11), slice('inner', 10, 40, 11), slice('inner', 60, 20, 11),
				slice('innermost', 20, 10, 11), slice('alone', 30, 50, 0),
				...[['a', 5, 50], ['b', 20, 70]].flatMap(([id, from, to]) => [
					{ ph: 'b', cat: 'net', name: 'request', id, ts: from, pid: 1, tid: 11 },
					{ ph: 'e', cat: 'net', name: 'request', id, ts: to, pid: 1, tid: 11 }]),
				/* It ends nothing, because nothing of its name has begun. */
				{ ph: 'e', cat: 'net', name: 'answer', id: 'a', ts: 30, pid: 1, tid: 11 },
				...[[10, -1.5], [50, 2.25], [90, 3e9]].map(([ts, n]) =>
					({ ph: 'C', name: 'depth', ts, pid: 2, args: { n } })),
			]), { page } = it;
			const rows = () => page.evaluate(() => fxtPage.timeline.rows.map(({ type, label, track, look }) =>
				[type, label, ...Array.from(track?.from ?? [], (from, i) => [look.textOf && track.value ?
					look.textOf(track, i) : look.labelOf(track.span(i)), from / 1e3, track.to[i] / 1e3])]));
			const details = () => page.textContent('#details');
			const at = (row, us) => page.evaluate(([n, time]) => {
				const t = fxtPage.timeline, box = t.canvas.getBoundingClientRect(), of = t.rows[n];

				return [box.x + t.xAt(time * 1e3), box.y + t.rowY(of) + of.height / 2];
			}, [row, us]);

			assert.equal(await page.textContent('#summary'),
				     'No scheduling: 5 slices, 2 asynchronous slices, 1 counter');
			assert.deepEqual(await page.locator('#tabs button:visible').allTextContents(), ['Details', 'Tables']);
			assert.deepEqual(await rows(), [
				['process', 'app/1, 2 threads'],
				['event', 'main/11', ['outer', 0, 100]],
				['event', '', ['inner', 10, 50], ['inner', 60, 80]],
				['event', '', ['innermost', 20, 30]],
				['event', '?/0', ['alone', 30, 80]],
				['event', 'request', ['request', 5, 50]],
				['event', '', ['request', 20, 70]],
				['process', '?/2'],
				['event', 'depth n', ['-1.5', 10, 50], ['2.25', 50, 90], ['3\u2009000\u2009000\u2009000', 90, 100]],
			]);
			await page.mouse.click(...await at(3, 25));
			assert.match(await details(), /sliceinnermostduration10\.0 us.*threadmain\/11processapp\/1$/);
			await page.mouse.move(...await at(8, 60));
			assert.match(await page.textContent('#tooltip'), /^depth n: 2\.25counter for 40\.0 us$/);
			/* Each time counts once, for the innermost slice. */
			await page.mouse.move(...await at(1, 10));
			await page.mouse.down();
			await page.mouse.move(...await at(3, 60), { steps: 3 });
			await page.mouse.up();
			await page.selectOption('#details select', 'cause');
			assert.deepEqual(await page.locator('#details section:has(h2:text("slices")) li').allTextContents(),
					 ['inner30.0 us60.00%', 'innermost10.0 us20.00%', 'outer10.0 us20.00%']);
			await page.click('#tab-tables');
			await page.click('#tables tr:has(td:text-is("inner"))');
			assert.match(await details(), /sliceinnerduration40\.0 us/);
			await page.keyboard.press('/');
			await page.fill('#search', 'main');
			assert.equal(await page.textContent('#found'), '1 hit');
			await page.keyboard.press('Enter');
			assert.match(await details(), /sliceouterduration100 us/);
			await page.keyboard.press('n');
			assert.match(await details(), /sliceinnerduration40\.0 us/);
			await page.keyboard.press('/');
			await page.fill('#search', 'alone');
			await page.keyboard.press('Enter');
			assert.match(await details(), /slicealone.*thread\?\/0process/);
			await shoot(it, 'slices');
			await close(it);
		},

		async 'a trace without scheduling has tables; an empty one has nothing else'(browser) {
			/* More kinds than rows that exist at the same time. */
			const others = Array.from({ length: 150 }, (_, i) => slice('kind' + i, 20 + 10 * i, 1, 1));
			const it = await openTrace(browser, [slice('parse', 1, 5, 1), slice('load', 7, 3, 2), ...others,
				{ ph: 'C', name: 'depth', ts: 2, pid: 1, args: { n: 3 } }]), { page } = it;

			assert.deepEqual(await page.locator('#parts button').allTextContents(),
					 ['Slices by name', 'Threads that have slices', 'Counters']);
			const names = () => page.locator('#tables tbody tr:visible td:first-child').allTextContents();

			assert.deepEqual((await names()).slice(0, 2), ['parse', 'load']);
			await page.evaluate(() => {
				byId('tables').scrollTop = 1e6;
			});
			await page.waitForSelector('#tables section:not([hidden]) tr[aria-rowindex="153"]');
			await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
			assert.equal((await names()).length, 30);
			await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
			await page.click('#parts button:has-text("Counters")');
			assert.match(await page.textContent('#tables section:not([hidden]) tbody'), /depth n/);
			await close(it);
			const empty = await openTrace(browser, []);

			assert.equal(await empty.page.textContent('#summary'), 'No scheduling: nothing to show');
			assert.ok(!await empty.page.locator('#stage').isVisible());
			await close(empty);
		},
	};
};
