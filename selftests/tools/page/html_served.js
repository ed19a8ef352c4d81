// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_served.js - opens a page of fxt report --html as web servers and old browsers do. A part of
 * html_check.js.
 *
 * In:  few.html: its threads have names with letters beyond ASCII (generate_sched.c).
 */
'use strict';

const assert = require('assert/strict');
const fs = require('fs');
const http = require('http');
const path = require('path');

/* What servers send for a file of HTML. A charset here replaces that of the page. */
const TYPES = ['text/html', 'text/html; charset=utf-8', 'text/html; charset=iso-8859-1',
	'text/html; charset=shift_jis'];

/* Serves a file as each type at a URL of its own. */
async function serve(file) {
	const bytes = fs.readFileSync(file);
	const server = http.createServer((request, response) => {
		response.setHeader('Content-Type', TYPES[Number(request.url.slice(1))] ?? TYPES[0]);
		response.end(bytes);
	});

	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address();

	return { urls: TYPES.map((type, i) => `http://127.0.0.1:${port}/${i}`),
		 end() {
			server.closeAllConnections();
			server.close();
		} };
}

/* Texts of a table, of report.html and of report.css; an expression to evaluate in the page. */
const TEXTS = `[byId('threads-table').textContent, byId('keys').textContent,
	[...document.styleSheets[0].cssRules].map((rule) => rule.style?.content).join('')]`;

/** checkTexts() - are they right? */
function checkTexts([threads, keys, style]) {
	assert.match(threads, /blöck/);
	assert.match(threads, /日本/);
	assert.match(keys, /←, →.*↑, ↓/s);
	assert.match(style, /▾/);
}

const tests = ({ directory }) => ({
	async 'the page is right with any charset that a server names'(browser) {
		const { urls, end } = await serve(path.join(directory, 'few.html'));

		try {
			for (const url of urls) {
				const page = await browser.newPage();

				await page.goto(url);
				await page.waitForSelector('html[data-state=drawn]', { timeout: 120000 });
				checkTexts(await page.evaluate(TEXTS));
				await page.close();
			}
		} finally {
			end();
		}
	},

	async 'a browser that cannot unpack the page says so'(browser) {
		const page = await browser.newPage();

		await page.addInitScript(() => delete window.DecompressionStream);
		await page.goto('file://' + path.join(directory, 'few.html'));
		assert.match(await page.textContent('#problem'), /DecompressionStream.*2023 or later/);
		assert.ok(await page.isVisible('#problem'));
		await page.close();
	},

	async 'a page whose scripts are damaged says so'(browser) {
		const page = await browser.newPage();
		const html = fs.readFileSync(path.join(directory, 'few.html'), 'latin1');
		const at = html.indexOf('id="fxt-scripts">') + 1000;

		await page.setContent(html.slice(0, at) + html.slice(at + 2));
		await page.waitForSelector('#problem:visible');
		assert.match(await page.textContent('#problem'), /cannot be shown.*fxt report --html again/);
		await page.close();
	},
});

module.exports = { serve, tests, TEXTS, checkTexts };
