// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_tables.js - checks tables of a page of fxt report --html that are long, are in some order, or are
 * copied, and names that are written from right to left. A part of html_check.js.
 *
 * In:  many.html, with over a thousand threads; events.html; requests.html (generate_page.c, which has
 *      what happens in it).
 */
'use strict';

const assert = require('assert/strict');

/* The numbers of the rows that exist, from 1, and of those on the screen. */
const rowsOf = (page, id) => page.evaluate((place) => {
	const { top, bottom } = document.getElementById('tables').getBoundingClientRect();
	const all = [...document.querySelectorAll('#' + place + ' tbody tr')];
	const seen = all.filter((tr) => tr.getBoundingClientRect().bottom > top + 40 &&
				tr.getBoundingClientRect().top < bottom);
	const number = (tr) => tr.ariaRowIndex - 1;

	return { made: all.map(number), seen: seen.map(number) };
}, id);

const scrollTo = (page, top) => page.evaluate(async (to) => {
	document.getElementById('tables').scrollTop = to;
	for (let i = 0; i < 3; i++)
		await new Promise(requestAnimationFrame);
}, top);

const marked = (page, id) => page.evaluate((place) => [...document.querySelectorAll('#' + place + ' th')]
	.filter((th) => th.hasAttribute('aria-sort')).map((th) => th.textContent), id);

module.exports = ({ open, close, openTable, table, shoot }) => ({
	async 'of a long table only rows near the screen exist, and all can be reached'(browser) {
		const it = await open(browser, 'many'), { page, json } = it, all = json.threads.length;
		const id = 'threads-table';

		assert.ok(all > 1000);
		await openTable(page, id);
		assert.equal((await rowsOf(page, id)).seen[0], 1);
		for (const top of [5000, 12345, 1e6, 300]) {
			await scrollTo(page, top);
			const { made, seen } = await rowsOf(page, id);

			assert.ok(made.length <= 100 && seen.length > 5, String(top));
			assert.deepEqual(made, made.map((_, i) => made[0] + i));
			if (top === 1e6)
				assert.equal(seen.at(-1), all);
		}
		/* The last row leads to its thread, as the first one does. */
		await scrollTo(page, 1e6);
		await shoot(it, 'table-end');
		await page.click('#' + id + ' tbody tr:last-child');
		assert.equal(await page.evaluate(() => fxtPage.timeline.data.threads[
			fxtPage.timeline.selectedThread].id), String(json.threads.at(-1).tid));
		/* Tab goes on beyond the rows that existed at first. */
		await openTable(page, id);
		await page.click('#' + id + ' th:first-child button');
		await scrollTo(page, 0);
		await page.locator('#' + id + ' tbody tr').nth(60).focus();
		for (let i = 0; i < 70; i++)
			await page.keyboard.press('Tab');
		assert.equal(await page.evaluate(() => document.activeElement.ariaRowIndex), '132');
		await close(it);
	},

	async 'the order of the report is marked, until another one is chosen'(browser) {
		const it = await open(browser, 'events'), { page } = it;

		await openTable(page, 'threads-table');
		assert.deepEqual(await marked(page, 'threads-table'), ['run ▼']);
		assert.deepEqual(await marked(page, 'worst-table'), ['latency ▼']);
		assert.deepEqual(await marked(page, 'cpus-table'), ['CPU ▲']);
		await page.click('#threads-table th:first-child button');
		assert.deepEqual(await marked(page, 'threads-table'), ['name ▲']);
		await page.click('#threads-table th:first-child button');
		assert.deepEqual(await marked(page, 'threads-table'), ['name ▼']);
		await close(it);
	},

	async 'requests have a row for each device and operation, sorted by any column'(browser) {
		const it = await open(browser, 'requests'), { page } = it, id = 'requests-table';
		const rows = async () => (await table(page, id)).map(Object.fromEntries);
		const order = async () => (await rows()).map((row) => row.device + ' ' + row.operation);
		const head = (title) => page.click('#' + id + ' th button:text-is("' + title + '")');

		assert.deepEqual(await rows(), [
			{ device: 'vda', operation: 'read', count: 1, errors: 1, 'not completed': 0, bytes: 4096,
			  total: 6e6, 'of it queued': 0, 'of it in the device': 6e6, p50: 6e6, p99: 6e6,
			  max: 6e6, 'longest of': 'writer/11', 'average depth': 0.3, 'largest depth': 1 },
			/* The median is the middle of a class of the histogram. */
			{ device: 'vda', operation: 'write', count: 2, errors: 0, 'not completed': 0,
			  bytes: (128 << 10) + 4096, total: 5e6, 'of it queued': 2e6,
			  'of it in the device': 3e6, p50: it.json.requests[1].p50_ns, p99: 4e6, max: 4e6,
			  'longest of': 'writer/11', 'average depth': 0.25, 'largest depth': 2 },
			{ device: 'sda', operation: 'read', count: 0, errors: 0, 'not completed': 1, bytes: 0,
			  total: 0, 'of it queued': 0, 'of it in the device': 0, p50: 0, p99: 0, max: 0,
			  'longest of': null, 'average depth': 0, 'largest depth': 0 },
		]);
		const shown = await page.locator('#' + id + ' tbody tr:nth-child(2) td').allTextContents();

		assert.deepEqual(shown.map((text) => text.replace(/\s/g, ' ')), [
			'vda', 'write', '2', '0', '0', '135 168', '5.00 ms', '2.00 ms', '3.00 ms', '1.02 ms',
			'4.00 ms', '4.00 ms', 'writer/11', '0.25', '2']);
		assert.deepEqual(await marked(page, id), ['total ▼']);
		await shoot(it, 'requests');
		await head('bytes');
		assert.deepEqual(await order(), ['vda write', 'vda read', 'sda read']);
		await head('bytes ▼');
		assert.deepEqual(await order(), ['sda read', 'vda read', 'vda write']);
		await head('device');
		assert.deepEqual(await order(), ['sda read', 'vda read', 'vda write']);
		await head('device ▲');
		assert.deepEqual(await order(), ['vda read', 'vda write', 'sda read']);
		assert.deepEqual(await marked(page, id), ['device ▼']);
		/* A row is of no thread, so it leads nowhere, as those of cgroups and sockets do not. */
		await page.click('#' + id + ' tbody tr');
		assert.equal(await page.locator('#' + id + ' tbody tr.link').count(), 0);
		assert.deepEqual(await page.evaluate(() => [fxtPage.tabs.shown, shownTable(),
			fxtPage.timeline.selected, fxtPage.timeline.selectedThread]),
				 ['tables', 'requests', -1, -1]);
		/* Those of threads do. */
		await openTable(page, 'threads-table');
		assert.equal(await page.locator('#threads-table tbody tr:not(.link)').count(), 0);
		await close(it);
	},

	async 'columns of CSV have names that differ, with units'(browser) {
		const it = await open(browser, 'events'), { page } = it;
		const heads = await page.evaluate(() => Object.values(fxtPage.tables).map((table) =>
			tableCsv(table.columns, []).trim().split(',')));

		for (const head of heads)
			assert.deepEqual([...new Set(head)].filter((name) => name), head);
		assert.ok(heads.flat().includes('woken.p99_ns') && heads.flat().includes('mean_ns'));
		await close(it);
	},

	async 'the id of a name that is written from right to left is on its right'(browser) {
		const it = await open(browser, 'events'), { page } = it;
		const [id, first, last] = await page.evaluate(() => {
			const place = element('span', 'thread ' + nameLabel('שלום', 2895));
			const [text] = place.childNodes, range = document.createRange();
			const left = (at) => {
				range.setStart(text, at);
				range.setEnd(text, at + 1);
				return range.getBoundingClientRect().left;
			};

			document.getElementById('title').replaceChildren(place);
			return [text.data.indexOf('2'), text.data.indexOf('ש'), text.data.indexOf('ם')].map(left);
		});

		assert.ok(last < first && first < id, [id, first, last].join());
		await close(it);
	},
});
