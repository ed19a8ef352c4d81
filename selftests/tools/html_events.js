// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_events.js - checks interrupts, idle states and work items in a page of
 * fxt report --html. A part of html_check.js.
 *
 * In:  events.html, of a recording with all of them (generate_page.c); story.html, of one
 *      without any.
 */
'use strict';

const assert = require('assert/strict');

const labels = (page) => page.evaluate(() => fxtPage.timeline.rows
	.filter((row) => row.type === 'event').map((row) => row.label));

/* The place on the canvas of a row of events at a time in ms. */
const placeOf = (page, label, ms) => page.evaluate(([name, time]) => {
	const t = fxtPage.timeline, row = t.rows.find((r) => r.label === name);

	t.showRow(row);
	return { x: t.xAt(time * 1e6 - Number(t.data.base)),
		 y: t.rowY(row) + row.height / 2 };
}, [label, ms]);

module.exports = ({ open, close, shoot }) => ({
	async 'events have rows below their CPU and thread, which can be hidden'(browser) {
		const it = await open(browser, 'events'), { page } = it;

		assert.deepEqual(await labels(page), ['interrupts', 'soft interrupts',
						      'idle states', 'work items']);
		await shoot(it, 'events');
		await page.uncheck('#events');
		assert.deepEqual(await labels(page), []);
		await page.check('#events');
		assert.equal((await labels(page)).length, 4);
		await close(it);
	},

	async 'a click on an event describes it'(browser) {
		const it = await open(browser, 'events'), { page } = it;
		const at = await placeOf(page, 'soft interrupts', 28);

		await page.locator('#timeline').click({ position: at });
		const text = await page.textContent('#details');

		assert.match(text, /soft interruptNET_RX/);
		assert.match(text, /duration2.00 ms/);
		await close(it);
	},

	async 'tables have interrupts and work items'(browser) {
		const it = await open(browser, 'events'), { page } = it;

		assert.match(await page.textContent('#interrupts-table'), /NET_RX/);
		assert.match(await page.textContent('#interrupts-table'), /<b>eth0<\/b>/);
		assert.match(await page.textContent('#work-table'), /vmstat_update/);
		assert.match(await page.textContent('#cpus-table thead'), /idle states/);
		assert.ok(await page.locator('#interrupts-title').isVisible());
		assert.match(await page.textContent('#worst-table'),
			     /of it interrupts 2.00 ms, most of that NET_RX/);
		await close(it);
	},

	async 'a recording without events has nothing of them'(browser) {
		const it = await open(browser, 'story'), { page } = it;

		assert.deepEqual(await labels(page), []);
		assert.ok(!await page.locator('#events').isVisible());
		assert.ok(!await page.locator('#interrupts-title').isVisible());
		assert.ok(!await page.locator('#work-title').isVisible());
		await close(it);
	},
});
