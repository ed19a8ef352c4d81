// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_layout.js - checks the screen of a page of fxt report --html: timeline, pane and tabs,
 * rows that stay, and colours. A part of html_check.js.
 *
 * In:  story.html, events.html and random.html (4 CPUs); many.html (64 CPUs).
 */
'use strict';

const assert = require('assert/strict');

const SIZES = [{ width: 1280, height: 800 }, { width: 1600, height: 1000 }];

const box = (page, id) => page.locator('#' + id).boundingBox();

module.exports = ({ open, close, click, shoot }) => ({
	async 'the page is one screen, and nothing scrolls but its parts'(browser) {
		for (const viewport of SIZES) {
			for (const name of ['events', 'many']) {
				const it = await open(browser, name, { viewport }), { page } = it;
				const scroll = await page.evaluate(() => {
					window.scrollTo(0, 1000);
					return [window.scrollY, document.body.scrollHeight - innerHeight,
						document.body.scrollWidth - innerWidth];
				});
				const stage = await box(page, 'stage'), pane = await box(page, 'pane');
				const end = await box(page, 'keys-short');

				assert.deepEqual(scroll, [0, 0, 0]);
				assert.ok(stage.height > viewport.height / 2, String(stage.height));
				assert.ok(pane.y >= stage.y + stage.height);
				assert.ok(end.y + end.height <= viewport.height);
				await shoot(it, name + '-' + viewport.width);
				await close(it);
			}
		}
	},

	async 'the pane is resized by dragging and by keys, and remembers it'(browser) {
		const it = await open(browser, 'story'), { page } = it;
		const before = await box(page, 'pane'), splitter = await box(page, 'splitter');
		const x = splitter.x + splitter.width / 2, y = splitter.y + splitter.height / 2;

		await page.mouse.move(x, y);
		await page.mouse.down();
		await page.mouse.move(x, y - 100, { steps: 4 });
		await page.mouse.up();
		const dragged = await box(page, 'pane');

		assert.equal(Math.round(dragged.height - before.height), 100);
		await page.locator('#splitter').focus();
		await page.keyboard.press('ArrowDown');
		const pressed = await box(page, 'pane');

		assert.ok(pressed.height < dragged.height);
		await page.reload();
		await page.waitForSelector('html[data-state=drawn]');
		assert.equal(Math.round((await box(page, 'pane')).height),
			     Math.round(pressed.height));
		/* The timeline takes the rest. */
		const stage = await box(page, 'scroller'), canvas = await box(page, 'timeline');

		assert.ok(Math.abs(stage.height - canvas.height) <= 1);
		await page.click('#view-menu > summary');
		await page.selectOption('#dock', 'right');
		const right = await box(page, 'pane'), left = await box(page, 'stage');

		assert.ok(right.x >= left.x + left.width && left.height === right.height);
		await page.click('#view-menu > summary');
		await shoot(it, 'story-right');
		await close(it);
	},

	async 'tabs show one panel, by click and by arrows; a click on a slice shows details'(browser) {
		const it = await open(browser, 'stacks'), { page } = it;
		const visible = () => page.evaluate(() => [...document.querySelectorAll('.panel')]
			.filter((panel) => panel.offsetHeight).map((panel) => panel.id));

		assert.deepEqual(await visible(), ['panel-details']);
		for (const name of ['findings', 'latency', 'flame', 'tables']) {
			await page.keyboard.press('Escape');
			await page.click('#tab-' + name);
			assert.deepEqual(await visible(), ['panel-' + name]);
			assert.equal(await page.getAttribute('#tab-' + name, 'aria-selected'), 'true');
		}
		await page.keyboard.press('ArrowLeft');
		assert.deepEqual(await visible(), ['panel-flame']);
		await page.keyboard.press('Home');
		assert.deepEqual(await visible(), ['panel-details']);
		await page.keyboard.press('End');
		await click(page, 'worker/11', 5);
		assert.deepEqual(await visible(), ['panel-details']);
		assert.ok(await page.locator('#details dl').isVisible());
		await page.click('#tab-tables');
		await page.click('#parts [data-key=threads]');
		assert.ok(await page.locator('#threads-table').isVisible());
		assert.ok(!await page.locator('#names-table').isVisible());
		await close(it);
	},

	async 'rows of CPUs stay while threads scroll'(browser) {
		const it = await open(browser, 'many', { viewport: SIZES[0] }), { page } = it;
		const ys = () => page.evaluate(() => {
			const t = fxtPage.timeline;

			return [t.rowY(t.rows[0]), t.rowY(t.rows[t.rows.length - 1])];
		});
		const stage = await box(page, 'timeline'), [cpu, thread] = await ys();

		await page.mouse.move(stage.x + 400, stage.y + stage.height - 40);
		await page.mouse.wheel(0, 300);
		await page.waitForFunction(() => fxtPage.timeline.scroller.scrollTop === 300);
		assert.deepEqual(await ys(), [cpu, thread - 300]);
		/* Pinned rows that do not fit scroll among themselves. */
		await page.mouse.move(stage.x + 400, stage.y + 60);
		await page.mouse.wheel(0, 40);
		await page.waitForFunction(() => fxtPage.timeline.pinnedTop > 0);
		assert.deepEqual(await ys(), [cpu - 40, thread - 300]);
		await close(it);
	},

	async 'many CPUs have low rows, which a click on the name opens'(browser) {
		const it = await open(browser, 'many'), { page } = it;
		const height = () => page.evaluate(() => fxtPage.timeline.rows[3].height);
		const stage = await box(page, 'timeline');
		const y = await page.evaluate(() => fxtPage.timeline.rowY(fxtPage.timeline.rows[3]));

		assert.equal(await height(), 8);
		await page.mouse.click(stage.x + 30, stage.y + y + 4);
		assert.equal(await height(), 28);
		await shoot(it, 'many-open');
		await page.mouse.click(stage.x + 30, stage.y + y + 4);
		assert.equal(await height(), 8);
		await close(it);
		const events = await open(browser, 'events');
		const labels = () => events.page.evaluate(() => fxtPage.timeline.rows
			.map((row) => row.label));
		const canvas = await box(events.page, 'timeline');
		const row = await events.page.evaluate(() => fxtPage.timeline.rowY(
			fxtPage.timeline.rows.find((r) => r.label === 'CPU 1')));

		assert.ok((await labels()).includes('idle states'));
		await events.page.mouse.click(canvas.x + 20, canvas.y + row + 12);
		assert.ok(!(await labels()).includes('idle states'));
		await close(events);
	},
});
