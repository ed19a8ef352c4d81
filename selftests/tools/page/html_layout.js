// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_layout.js - checks the screen of a page of fxt report --html: timeline, pane and tabs,
 * rows that stay, and colours. A part of html_check.js.
 *
 * In:  story.html, which has one finding, events.html and random.html (4 CPUs), stacks.html, which has
 *      none; many.html (64 CPUs).
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

	async 'what is wrong comes first, and the pane is as high as its content'(browser) {
		const it = await open(browser, 'story', { viewport: SIZES[0] }), { page } = it;
		const shown = () => page.locator('.panel:visible').getAttribute('id');
		/* Pixels below the content of the panel. */
		const below = () => page.evaluate(() => {
			const panel = document.querySelector('.panel:not([hidden])');

			return panel.getBoundingClientRect().bottom - Math.max(...[...panel.children]
				.map((e) => e.getBoundingClientRect().bottom));
		});

		assert.equal(await shown(), 'panel-findings');
		assert.ok(await below() < 24, String(await below()));
		await page.locator('#timeline').focus();
		await page.keyboard.press('ArrowRight');
		assert.equal(await shown(), 'panel-details');
		const { height } = await box(page, 'pane');

		for (let i = 0; i < 12; i++)
			await page.keyboard.press(i % 2 ? 'ArrowRight' : 'ArrowDown');
		assert.ok((await box(page, 'pane')).height >= height);
		await page.click('#tab-tables');
		assert.ok((await box(page, 'pane')).height > 0.38 * (await box(page, 'work')).height);
		await close(it);
		const other = await open(browser, 'stacks');

		assert.ok(await other.page.locator('#panel-details').isVisible());
		await close(other);
	},

	async 'nothing is cut off on small screens, with large letters, or with the pane on the right'(browser) {
		for (const [width, height, dock] of [[390, 844], [640, 400], [1280, 800, 'right']]) {
			const it = await open(browser, 'stacks', { viewport: { width, height } }), { page } = it;
			/* Those whose left or right end is outside of the screen. */
			const cut = (selector) => page.evaluate((wanted) => [...document.querySelectorAll(wanted)]
				.filter((e) => e.checkVisibility()).map((e) => [e, e.getBoundingClientRect()])
				.filter(([, { left, right }]) => left < 0 || right > window.innerWidth)
				.map(([e]) => e.outerHTML.slice(0, 60)), selector);

			await page.click('#view-menu > summary');
			if (dock)
				await page.selectOption('#dock', dock);
			assert.deepEqual(await cut('header *, #tabs *'), []);
			await page.keyboard.press('Escape');
			for (const tab of await page.locator('#tabs [role=tab]:visible').all()) {
				await tab.click();
				assert.deepEqual(await cut('.panel, .flame-tools *, #details *, #panel-blame > p'), []);
			}
			assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
			const { width: labels } = await page.evaluate(() => ({ width: LABELS }));

			assert.ok(labels < width / 3);
			await shoot(it, 'small-' + width);
			await close(it);
		}
	},

	async 'on a small screen a table of blame has many rows, and 64 CPUs have names'(browser) {
		const it = await open(browser, 'many', { viewport: SIZES[0] }), { page } = it;
		const names = await page.evaluate(() => {
			const texts = [], { fillText } = CanvasRenderingContext2D.prototype;

			CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
				texts.push(text);
				return fillText.call(this, text, ...rest);
			};
			fxtPage.timeline.draw();
			CanvasRenderingContext2D.prototype.fillText = fillText;
			return texts.filter((text) => text.startsWith('CPU '));
		});

		assert.deepEqual(names.slice(0, 16), Array.from({ length: 16 }, (_, i) => 'CPU ' + i));
		await page.click('#tab-blame');
		await page.waitForSelector('#blame-table button');
		const rows = await page.evaluate(() => {
			const { bottom } = document.getElementById('panels').getBoundingClientRect();

			return [...document.querySelectorAll('#blame-table tr')]
				.filter((row) => row.getBoundingClientRect().bottom <= bottom).length;
		});

		assert.ok(rows > 6, String(rows));
		await close(it);
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
		await page.waitForFunction(() => fxtPage.timeline.model.areas.cpus.scroll > 0);
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
