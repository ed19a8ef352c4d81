// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_why.js - checks how a page of fxt report --html shows why a thread did not run. A part of
 * html_check.js; html_account.js checks what it shows.
 */
'use strict';

const assert = require('assert/strict');

module.exports = ({ open, close, click, shoot }) => ({
	async 'Y tells and draws why a thread did not run'(browser) {
		const it = await open(browser, 'story'), { page } = it;

		await click(page, 'twelve/12', 2.5);
		await page.keyboard.press('y');
		assert.match(await page.textContent('#details'),
			     /Why: what it waited for.*twelve\/12 waited for a CPU/);
		const parts = await page.evaluate(() => fxtPage.timeline.path.map((p) => p.cause));

		assert.deepEqual(parts, ['runnable']);
		await shoot(it, 'why');
		await page.click('#details .moves button:text("Back")');
		await page.click('#details .moves button:text("Why (Y)")');
		assert.match(await page.textContent('#details'), /Why: what it waited for/);
		await page.keyboard.press('Escape');
		assert.equal(await page.evaluate(() => fxtPage.timeline.path.length), 0);
		await close(it);
	},
});
