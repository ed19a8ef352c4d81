// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_access.js - checks that people can use a page of fxt report --html without a mouse, and with a
 * screen reader. A part of html_check.js.
 *
 * In:  story.html, events.html, stacks.html; the path of axe-core.
 */
'use strict';

const assert = require('assert/strict');
const fs = require('fs');

const MOST_TABS = 400;
const SIZE = { width: 1280, height: 800 };

/* The violations that axe-core finds: [rule, elements]. */
const violations = (page) => page.evaluate(async () => (await window.axe.run()).violations
	.map(({ id, nodes }) => [id, nodes.map((node) => node.html.slice(0, 120))]));

/* The controls that keys must reach: those that can be seen and used, as text for messages. */
const controls = (page) => page.evaluate(() => {
	const all = [...document.querySelectorAll(
		'button, input, select, summary, a[href], [tabindex="0"]')];
	const isUsed = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.disabled &&
		e.tabIndex >= 0;

	return all.filter(isUsed).map((e, i) => {
		e.dataset.number = i;
		return e.outerHTML.slice(0, 80);
	});
});

/* The numbers of the controls that Tab reaches, and of those whose focus cannot be seen. */
async function reached(page, count) {
	const found = new Set(), unseen = new Set();

	for (let i = 0; i < MOST_TABS && found.size < count; i++) {
		await page.keyboard.press('Tab');
		const [number, isSeen] = await page.evaluate(() => {
			const e = document.activeElement, style = getComputedStyle(e);

			return [e.dataset.number, parseFloat(style.outlineWidth) > 0 &&
				style.outlineStyle !== 'none'];
		});

		if (number !== undefined)
			found.add(Number(number));
		if (number !== undefined && !isSeen)
			unseen.add(Number(number));
	}
	return { found, unseen };
}

module.exports = ({ open, close, axe }) => ({
	[fs.existsSync(axe) ? 'axe-core finds no violation' : 'no axe-core here # SKIP']:
	async (browser) => {
		const source = fs.existsSync(axe) && fs.readFileSync(axe, 'utf8');

		for (const [name, colorScheme] of source ? [['events', 'light'], ['stacks', 'dark']] : []) {
			const it = await open(browser, name, { colorScheme, viewport: SIZE }), { page } = it;
			const check = async (what) => assert.deepEqual(await violations(page), [],
								       name + ': ' + what);

			await page.evaluate(source);
			await check('as it opens');
			await page.locator('#timeline').focus();
			await page.keyboard.press('ArrowRight');
			await check('with a slice selected');
			for (const tab of await page.locator('#tabs [role=tab]:visible').all()) {
				await tab.click();
				await page.waitForTimeout(200);
				await check(await tab.getAttribute('id'));
			}
			await page.click('#view-menu > summary');
			await check('with the menu');
			await page.keyboard.press('Escape');
			await page.click('#help');
			await check('with the keys');
			await close(it);
		}
	},

	async 'Tab reaches everything, and shows where it is'(browser) {
		for (const name of ['events', 'stacks']) {
			const it = await open(browser, name, { viewport: SIZE }), { page } = it;

			await page.focus('#view-menu > summary');
			await page.keyboard.press('Enter');
			await page.evaluate(() => document.querySelector('#event-menu').setAttribute('open', ''));
			const names = await controls(page), { found, unseen } = await reached(page, names.length);

			assert.deepEqual(names.filter((_, i) => !found.has(i)), [], name);
			assert.deepEqual([...unseen].map((i) => names[i]), [], name);
			await close(it);
		}
	},

	/* Keys do what a mouse does: open a tab, choose a table, follow a row to the timeline. */
	async 'keys lead from a table to its slice and on'(browser) {
		const it = await open(browser, 'story'), { page } = it;

		await page.focus('#tab-details');
		for (let i = 0; i < 8 && !await page.locator('#tab-tables[aria-selected=true]').count(); i++)
			await page.keyboard.press('ArrowRight');
		await page.focus('#parts [data-key="worst"]');
		await page.keyboard.press('Enter');
		for (let i = 0; i < 30 && !await page.locator('#worst-table tbody :focus').count(); i++)
			await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
		assert.ok(await page.evaluate(() => fxtPage.timeline.selected) >= 0);
		await close(it);
	},
});
