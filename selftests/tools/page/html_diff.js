// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_diff.js - checks the flame graphs and timelines in a page of fxt diff --html. A part of html_check.js.
 *
 * In:  diff.html: the stacks of generate_page.c during their first 8 ms, and all of them.
 */
'use strict';

const assert = require('assert/strict');
const path = require('path');

/* What each function says, where it is, and its colour. */
const functions = (page, nth) => page.locator('svg:has(title)').nth(nth).evaluate((svg) =>
	[...svg.querySelectorAll('g')].map((g) => {
		const rect = g.querySelector('rect');

		return { title: g.querySelector('title').textContent, x: Number(rect.getAttribute('x')),
			 y: Number(rect.getAttribute('y')), width: Number(rect.getAttribute('width')),
			 colour: rect.getAttribute('fill') };
	}));

module.exports = ({ directory, shoot }) => ({
	async 'a comparison has flame graphs of both sides'(browser) {
		const page = await browser.newPage(), troubles = [];

		page.on('console', (message) => troubles.push(message.text()));
		page.on('pageerror', (error) => troubles.push(error.stack));
		await page.goto('file://' + path.join(directory, 'diff.html'));
		const slept = await functions(page, 0), preempted = await functions(page, 1);
		const [all, io, ioCaller, futex, caller, main] = slept;

		assert.deepEqual(slept.map(({ title }) => title.replace(/:.*/, '')),
				 ['all', '<b>io_schedule</b> [fuse]', 'do_syscall_64', 'futex_wait',
				  'do_syscall_64', '0x401010']);
		assert.match(futex.title, /: A 6\.00ms, B 4\.14ms \(-31%\)$/);
		assert.match(io.title, /: A 0ns, B 1\.66ms$/);
		/* Widths are the sums of both sides. Callers are below, and as wide. */
		assert.ok(Math.abs(futex.width / all.width - (6 + 4.14) / (6 + 4.14 + 1.66)) < 0.01);
		assert.deepEqual([caller.x, caller.width, main.x, ioCaller.x],
				 [futex.x, futex.width, futex.x, io.x]);
		assert.ok(io.y > all.y && ioCaller.y > io.y && main.y > caller.y);
		/* What has less time in B is blue. What is only in B has the full colour. */
		const [red, , blue] = futex.colour.match(/[0-9a-f]{2}/g).map((part) => parseInt(part, 16));

		assert.ok(blue > red, futex.colour);
		assert.equal(io.colour, '#ee8866');
		assert.deepEqual(preempted.map(({ title }) => title.replace(/:.*/, '')),
				 ['all', 'preempt_schedule']);
		await shoot({ page }, 'diff');
		assert.deepEqual(troubles, []);
		await page.close();
	},

	async 'a comparison is dark if the system is'(browser) {
		const page = await browser.newPage({ colorScheme: 'dark' });

		await page.goto('file://' + path.join(directory, 'diff.html'));
		/* The root's scheme is that of the paper behind it. */
		assert.deepEqual(await page.evaluate(() => [getComputedStyle(document.documentElement).colorScheme,
			getComputedStyle(document.body).color]), ['light dark', 'rgb(255, 255, 255)']);
		await shoot({ page }, 'diff-dark');
		await page.close();
	},

	async 'a comparison has the timelines of both sides, which show the same time'(browser) {
		const page = await browser.newPage({ viewport: { width: 1280, height: 800 } }), troubles = [];

		page.on('console', (message) => troubles.push(message.text()));
		page.on('pageerror', (error) => troubles.push(error.stack));
		await page.goto('file://' + path.join(directory, 'diff.html'));
		const [, a, b] = page.frames(), view = (frame) => frame.evaluate(() => location.hash);

		for (const frame of [a, b])
			await frame.waitForSelector('html[data-state=drawn]');
		/* A is shorter: 8 ms. */
		await b.locator('#timeline').click({ position: { x: 240, y: 60 } });
		for (let i = 0; i < 10; i++)
			await page.keyboard.press('w');
		await a.waitForFunction(() => /view=/.test(location.hash));
		assert.equal((await view(a)).match(/view=[^&]*/)[0], (await view(b)).match(/view=[^&]*/)[0]);
		assert.doesNotMatch(await view(a), /at=/);

		/* Apart, each stays where it is. */
		const before = await view(a);

		await page.uncheck('#together');
		await b.locator('#timeline').click({ position: { x: 240, y: 60 } });
		await page.keyboard.press('w');
		await b.waitForFunction((old) => !location.hash.includes(old), before);
		assert.equal(await view(a), before);
		/* A click on a name searches for it in both. */
		const name = page.locator('button[data-search]').first();

		await name.click();
		for (const frame of [a, b])
			await frame.waitForFunction((text) => byId('search').value === text,
						    await name.textContent());
		await shoot({ page }, 'diff-timelines');
		/* The wheel needs no click; the browser goes back through no step of the other side. */
		const steps = await page.evaluate(() => history.length), still = await view(a);

		await page.check('#together');
		await a.locator('#timeline').hover({ position: { x: 400, y: 60 } });
		await page.keyboard.down('Control');
		await page.mouse.wheel(0, -300);
		await page.keyboard.up('Control');
		await a.waitForFunction((old) => location.hash !== old, still);
		await b.waitForFunction((of) => location.hash.includes(of), (await view(a)).match(/view=[^&]*/)[0]);
		assert.equal(await page.evaluate(() => history.length), steps);
		assert.deepEqual(troubles, []);
		await page.close();
	},
});
