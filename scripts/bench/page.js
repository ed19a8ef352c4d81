// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * page.js - measures pages of fxt report --html in Chromium while they are used.
 *
 * In:  playwright-core's directory, the browser, repetitions, then pages.
 * Out: a line for each page and repetition: its name, ms from the start of loading to the first
 *      paint and until the timeline is drawn, then for zooming, moving and hovering the median and
 *      the 99th percentile of ms between two frames, all separated by tabs.
 *
 * The page is drawn again for each frame. Without a GPU, the browser draws at most 60 frames a
 * second.
 */
'use strict';

const path = require('path');

const [playwright, executablePath, repetitions, ...pages] = process.argv.slice(2);
const SIZE = { width: 1600, height: 1000 };
const HELD = 2000;		/* ms that a key is held */
const HOVERS = 150;		/* places of the mouse */

/* Runs in the page: notes the time of each frame. */
function noteFrames() {
	window.frames_ = [];
	const note = (now) => {
		window.frames_.push(now);
		requestAnimationFrame(note);
	};

	requestAnimationFrame(note);
}

/* ms between the frames during an interaction: median and 99th percentile. */
async function framesOf(page, interact) {
	await page.evaluate(() => window.frames_.length = 0);
	await interact();
	const times = await page.evaluate(() => window.frames_.slice());
	const ms = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
	const at = (share) => ms[Math.min(ms.length - 1, Math.floor(share * ms.length))];

	return [at(0.5), at(0.99)];
}

async function hold(page, key) {
	await page.keyboard.down(key);
	await page.waitForTimeout(HELD);
	await page.keyboard.up(key);
}

async function interact(page) {
	const { x, y, width, height } = await page.locator('#timeline').boundingBox();
	const frames = [];

	await page.mouse.move(x + width * 0.6, y + height * 0.7);
	frames.push(await framesOf(page, async () => {
		await hold(page, 'w');
		await hold(page, 's');
	}));
	/* Zoom to a place where every row is full. */
	await page.keyboard.press('0');
	for (let i = 0; i < 8; i++)
		await page.keyboard.press('w');
	frames.push(await framesOf(page, async () => {
		await hold(page, 'd');
		await hold(page, 'a');
	}));
	frames.push(await framesOf(page, async () => {
		for (let i = 0; i < HOVERS; i++)
			await page.mouse.move(x + 200 + i / HOVERS * (width - 220),
					      y + 40 + i / HOVERS * (height - 60));
	}));
	return frames.flat();
}

async function measure(browser, file) {
	const context = await browser.newContext({ viewport: SIZE }), page = await context.newPage();

	await page.goto('file://' + path.resolve(file));
	await page.waitForSelector('html[data-state=drawn]', { timeout: 300000 });
	await page.waitForTimeout(500);
	const loaded = await page.evaluate(() => ['first-contentful-paint', 'fxt-drawn']
		.map((name) => performance.getEntriesByName(name)[0]?.startTime ?? NaN));

	await page.evaluate(noteFrames);
	const frames = await interact(page);

	console.log([path.basename(file, '.html'), ...loaded.concat(frames)
		.map((ms) => ms.toFixed(1))].join('\t'));
	await context.close();
}

async function main() {
	const { chromium } = require(path.resolve(playwright));
	const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });

	try {
		for (let i = 0; i < Number(repetitions); i++) {
			for (const file of pages)
				await measure(browser, file);
		}
	} finally {
		await browser.close();
	}
}

main().catch((error) => {
	console.error(String(error.message));
	process.exitCode = 1;
});
