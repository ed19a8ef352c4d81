// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_search.js - searches in a page of fxt report --html, as people do. A part of html_check.js.
 *
 * In:  story.html, events.html, stacks.html (generate_page.c, which has their events).
 */
'use strict';

const assert = require('assert/strict');

/* What is selected: name of the thread or event, and its start in ms of the page. */
const shown = (page) => page.evaluate(() => {
	const { selected: s, event, data: { spans, events, threads } } = fxtPage.timeline;

	return event >= 0 ? eventLabel(events, event) + ' ' + events.from[event] / 1e6 :
		s < 0 ? null : threads[spans.thread[s]].name + ' ' + KIND_NAMES[spans.kind[s]] + ' ' +
		spans.from[s] / 1e6;
});

/* The list of hits: { kind: [[name, how often]] }. */
const hits = (page) => page.evaluate(() => Object.fromEntries(
	[...document.querySelectorAll('#panel-found section')].map((section) => [
		section.querySelector('h2').textContent,
		[...section.querySelectorAll('li')].map((li) =>
			[li.children[0].textContent, Number(li.children[2].textContent)])])));

const search = async (page, text) => {
	await page.keyboard.press('/');
	await page.fill('#search', text);
};

const steps = async (page, keys) => {
	const places = [];

	for (const key of keys) {
		await page.keyboard.press(key);
		places.push(await shown(page));
	}
	return places;
};

module.exports = ({ open, close, shoot }) => ({
	async 'a search lists threads, processes, events; Enter, N and Shift + N go through them'(browser) {
		const it = await open(browser, 'events'), { page } = it;

		await search(page, 'r');
		const all = await hits(page);

		assert.deepEqual(all['system call'], [['read', 1]]);
		assert.ok(await page.locator('#panel-found').isVisible());
		await shoot(it, 'found');
		await search(page, 'soft interrupt');
		assert.deepEqual(await hits(page), { 'soft interrupt': [['NET_RX', 2]] });
		assert.equal(await page.textContent('#found'), '1 hit');
		/* All threads keep their rows. */
		assert.ok(await page.evaluate(() => fxtPage.timeline.model.areas.threads.rows.length) > 5);
		assert.deepEqual(await steps(page, ['Enter', 'n', 'n', 'Shift+N', 'Shift+N']),
				 ['NET_RX 26', 'NET_RX 29', 'NET_RX 26', 'NET_RX 29', 'NET_RX 26']);
		await shoot(it, 'found-event');
		await search(page, 'eleven');
		assert.deepEqual(await hits(page), { thread: [['eleven/11', 3]], process: [['eleven/11', 4]] });
		await close(it);
	},

	async 'a search by the number of a process finds it; a click goes through one hit'(browser) {
		const it = await open(browser, 'story'), { page } = it;

		await search(page, '31');
		assert.deepEqual((await hits(page)).process.map(([, times]) => times), [3]);
		await search(page, 'e');
		await page.click('#panel-found button:text-is("eleven/11")');
		assert.deepEqual([await shown(page), ...await steps(page, ['n', 'n', 'n'])],
				 ['eleven running 0', 'eleven running 5', 'eleven running 69', 'eleven running 0']);
		await page.fill('#search', '');
		assert.ok(!await page.locator('#tab-found').isVisible());
		assert.ok(await page.locator('#details').isVisible());
		await close(it);
	},

	async 'a search finds functions, and the sleeps in them'(browser) {
		const it = await open(browser, 'stacks'), { page } = it;

		await search(page, 'futex_wait');
		assert.deepEqual(await hits(page), { function: [['futex_wait', 2]] });
		assert.deepEqual(await steps(page, ['Enter', 'n', 'n']),
				 ['worker sleeping 1', 'worker sleeping 10', 'worker sleeping 1']);
		await close(it);
	},
});
