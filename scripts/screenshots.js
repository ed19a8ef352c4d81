// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * screenshots.js - draws the pictures of scripts/screenshots.sh in a browser.
 *
 * In:  text, html or stacks; the directory with report.ansi, build.html, first (the build's
 *      first process) and older (processes that existed before it), or bank.html;
 *      playwright-core's directory, the browser, and the file to write.
 * Out: a PNG file.
 */
'use strict';

const fs = require('fs');
const path = require('path');

const [what, directory, playwright, executablePath, picture] = process.argv.slice(2);
const LINES = 45;		/* lines of the text report to draw */
const SIZE = { width: 1280, height: 800 };
const VIEW = 60e6;		/* ns of the timeline */
const read = (name) => fs.readFileSync(path.join(directory, name), 'utf8');

/* --- the text report ---------------------------------------------------------------------- */

const escaped = (text) => text.replace(/[&<>]/g, (c) => '&#' + c.codePointAt(0) + ';');

/* Each escape sequence of the text report ends the one before. */
function lineOfHtml(line) {
	const [plain, ...parts] = line.split('\x1b[');

	return escaped(plain) + parts.map((part) => {
		const [, code, text] = part.match(/^(\d*)m([^]*)$/);

		return '<span class="c' + code + '">' + escaped(text) + '</span>';
	}).join('');
}

function terminalPage() {
	const lines = read('report.ansi').replace(/\r/g, '').split('\n').slice(0, LINES);

	return `<!DOCTYPE html><meta charset="utf-8"><style>
		body { margin: 0; background: #1b1d22; }
		pre { display: inline-block; margin: 0; padding: 14px 18px; color: #d4d6da;
			font: 14px/17px "DejaVu Sans Mono", "Liberation Mono", monospace; }
		.c1 { font-weight: bold; color: #ffffff; }
		.c31 { color: #ff6b68; }
		.c36 { color: #33b5c4; }
		</style><pre><span class="c36">$</span> fxt report --cgroup /build build.fxt.zst\n` +
		lines.map(lineOfHtml).join('\n') + '</pre>';
}

async function drawText(browser) {
	const page = await browser.newPage({ viewport: { width: 1000, height: 900 } });

	await page.setContent(terminalPage());
	await page.locator('pre').screenshot({ path: picture });
}

/* --- the timeline ------------------------------------------------------------------------- */

/*
 * Runs in the page: hides threads that do not belong to the build. A thread's first span begins
 * when its parent wakes it; for processes older than the recording, it may be any wakeup.
 */
function keepBuild([first, older]) {
	const t = fxtPage.timeline, { spans, threads, threadTracks } = t.data;
	const parent = (n) => threadTracks[n]?.count ? spans.waker[threadTracks[n].span(0)] :
		NO_THREAD;
	const known = new Map([[threads.find((of) => of?.id === first)?.number, true]]);
	const isOfBuild = (n) => {
		if (!known.has(n)) {
			known.set(n, false);
			known.set(n, parent(n) !== NO_THREAD && isOfBuild(parent(n)) &&
				     !older.includes(threads[n].process));
		}
		return known.get(n);
	};

	t.model.wanted = (thread) => isOfBuild(thread.number);
	t.makeRows();
	if (t.model.ofThread.size < 2)
		throw new Error('the build, process ' + first + ', is not in the recording');
}

/*
 * Runs in the page: selects a slice that has arrows to and from several threads, so that these
 * arrows are visible, and shows some time around it. Takes the first of several equal slices.
 */
function selectSlice(length) {
	const t = fxtPage.timeline, { spans, end } = t.data;
	const others = (s) => new Set(t.wakeupsOf(s).flatMap((w) => [spans.thread[w],
		spans.waker[w]]).filter((thread) => t.model.ofThread.has(thread))).size;
	let best = -1, most = 0;

	for (let s = 0; s < spans.count; s++) {
		if (spans.kind[s] !== RUNNING || spans.from[s] < end / 10 ||
		    spans.to[s] > end * 0.9 || spans.to[s] - spans.from[s] < length / 50 ||
		    !t.model.ofThread.has(spans.thread[s]))
			continue;
		const count = others(s);

		if (count > most) {
			best = s;
			most = count;
		}
	}
	if (best < 0)
		throw new Error('no slice of the build has woken another thread');
	t.setView(spans.from[best] - length * 0.4, spans.from[best] + length * 0.6);
	document.querySelector('#active').click();
	t.select(best, true);
	t.onPick();
}

async function drawHtml(browser) {
	const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });

	await page.goto('file://' + path.join(directory, 'build.html'));
	await page.waitForSelector('html[data-state=drawn]', { timeout: 120000 });
	await page.evaluate(keepBuild, [read('first').trim(), read('older').split('\n')]);
	await page.evaluate(selectSlice, VIEW);
	await page.waitForTimeout(500);
	await page.screenshot({ path: picture });
}

/* --- the flame graph ----------------------------------------------------------------------- */

const BANK = 'process bank/';	/* the label of that process, and its id */
const TALLER = 12;		/* steps of the pane's edge */
const FUNCTION = 'lock_accounts [bank]';

async function drawStacks(browser) {
	const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });

	await page.goto('file://' + path.join(directory, 'bank.html'));
	await page.waitForSelector('html[data-state=drawn]', { timeout: 120000 });
	await page.click('#tab-flame');
	await page.focus('#splitter');
	for (let i = 0; i < TALLER; i++)
		await page.keyboard.press('ArrowUp');
	const labels = await page.locator('#flame-of option').allTextContents();

	await page.selectOption('#flame-of', { label: labels.find((l) => l.startsWith(BANK)) });
	const widths = await page.locator('#flame .frame', { hasText: FUNCTION }).evaluateAll((all) =>
		all.map((frame) => parseFloat(frame.style.width)));

	await page.locator('#flame .frame', { hasText: FUNCTION }).nth(
		widths.indexOf(Math.max(...widths))).hover();
	await page.waitForTimeout(500);
	await page.locator('#pane').screenshot({ path: picture });
}

async function main() {
	const { chromium } = require(path.resolve(playwright));
	const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });

	try {
		await { text: drawText, html: drawHtml, stacks: drawStacks }[what](browser);
	} finally {
		await browser.close();
	}
}

main().catch((error) => {
	console.error(String(error.message));
	process.exitCode = 1;
});
