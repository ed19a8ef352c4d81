// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_tasks.js - what people open a page of fxt report --html for: each with at most three clicks or keys,
 * and with the right answer. A part of html_check.js.
 *
 * In:  a recording of four CPUs, whose truth is known (html_ftrace.js); diff.html.
 */
'use strict';

const assert = require('assert/strict');
const path = require('path');

const { change, wake, interrupt, makePage } = require('./html_ftrace.js');

/*
 * victim waits for CPU 0 from 10 to 20 ms, which hog has. Meanwhile CPU 1 is idle for 2 ms, 2 for all of it but
 * an interrupt, and 3 for all of it. victim serves a request of client, which sleeps until 25 ms.
 */
const EVENTS = [
	change(0, 0, 'idle', 'R', 'hog/100'), change(0, 1, 'other/300', 'S', 'idle'),
	change(0, 2, 'idle', 'R', 'client/400'), change(0, 3, 'idle', 'R', 'victim/200'),
	change(1, 2, 'client/400', 'S', 'idle'), change(2, 3, 'victim/200', 'S', 'idle'),
	wake(10, 0, 'hog/100', 'victim/200', 0), wake(12, 1, 'idle', 'other/300', 1),
	change(12, 1, 'idle', 'R', 'other/300'), ...interrupt(13, 14.5, 2),
	change(20, 0, 'hog/100', 'S', 'victim/200'),
	wake(25, 0, 'victim/200', 'client/400', 2), change(25, 2, 'idle', 'R', 'client/400'),
	change(30, 0, 'victim/200', 'S', 'idle'), change(30, 1, 'other/300', 'S', 'idle'),
	change(30, 2, 'client/400', 'S', 'idle'), change(30, 3, 'idle', 'R', 'other/300'),
];

const list = (page, title) => page.locator('#details section:has(h2:text-matches("^' + title + '")) li')
	.evaluateAll((items) => items.map((li) => [...li.children].map((e) => e.textContent)
		.filter((text) => text)));

module.exports = ({ open, close, click, shoot, directory }) => {
	/* A page, and what counts each thing that a person does. */
	async function openTask(browser) {
		makePage(directory, 'tasks', EVENTS);
		const it = await open(browser, 'tasks'), { page } = it;
		let actions = 0;
		const act = async (promise) => {
			await promise;
			assert.ok(++actions <= 3, 'more than three actions');
		};
		/* Times of the page begin at its first event, which place() of html_check.js adds. */
		const at = (row, ms) => act(click(page, row, ms + 1));

		return { it, page, at, tap: (selector) => act(page.click(selector)), press: (key) => act(page.keyboard.press(key)) };
	}

	return {
		async 'the longest wait, and who had the CPU: three clicks'(browser) {
			const { it, page, tap } = await openTask(browser);

			await tap('#tab-tables');
			await tap('#parts button:text("Longest waits")');
			await tap('#worst-table tbody tr:nth-child(1)');
			assert.match(await page.textContent('#details'), /threadvictim\/200.*duration10\.0 ms/);
			assert.deepEqual(await list(page, 'Who had CPU 0 meanwhile'), [['hog/100', '10.0 ms', '100.00%']]);
			await shoot(it, 'task-longest');
			await close(it);
		},

		async 'who woke a thread: one click'(browser) {
			const { it, page, at } = await openTask(browser);

			await at('victim/200', 15);
			assert.match(await page.textContent('#details .moves'), /Woken by hog\/100/);
			await close(it);
		},

		async 'what a request waited for: a click and a key'(browser) {
			const { it, page, at, press } = await openTask(browser);

			await at('client/400', 15);
			await press('y');
			assert.deepEqual(await list(page, 'Why'), [
				['hog/100: victim/200 waited for a CPU', '10.0 ms', '41.67%'],
				['hog/100 ran', '8.00 ms', '33.33%'], ['victim/200 ran', '6.00 ms', '25.00%']]);
			await shoot(it, 'task-why');
			await close(it);
		},

		async 'which CPUs are idle while a thread waits: one click, and one to go there'(browser) {
			const { it, page, at, tap } = await openTask(browser);

			await at('victim/200', 15);
			assert.deepEqual(await list(page, 'CPUs idle meanwhile'), [['CPU 3', '10.0 ms', '100.00%'],
				['CPU 2', '8.50 ms', '85.00%'], ['CPU 1', '2.00 ms', '20.00%']]);
			assert.deepEqual([it.json.worst[0].idle_cpu, it.json.worst[0].idle_ns], [3, 10e6]);
			await tap('#details button:text-is("CPU 1")');
			assert.match(await page.textContent('#details'), /stateidle.*duration12\.0 ms.*CPU1/);
			await close(it);
		},

		async 'two runs: the page of fxt diff opens with what changed, and a click shows a name in both'(browser) {
			const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });

			await page.goto('file://' + path.join(directory, 'diff.html'));
			const [, a, b] = page.frames();

			assert.match(await page.textContent('table tr:nth-child(2)'), /worker|flusher/);
			await page.click('button[data-search]:text-is("worker")');
			for (const frame of [a, b])
				await frame.waitForFunction(() => document.documentElement.dataset.state === 'drawn' &&
					/^[1-9].* hits?$/.test(byId('found').textContent));
			await page.close();
		},
	};
};
