// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_firefox.js - uses a page of fxt report --html in Firefox as a person does. A part of
 * html_check.js.
 *
 * In:  story.html (generate_page.c), few.html, diff.html; Firefox, which is driven by its own protocol,
 *      Marionette: lengths, colons and JSON lists over TCP. Without Firefox the test is skipped.
 */
'use strict';

const assert = require('assert/strict');
const { execFileSync, spawn } = require('child_process');
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');

const { serve, TEXTS, checkTexts } = require('./html_served.js');

const PORT_WAIT = 250;		/* ms between looks for the port that Firefox chose */
const MOST_LOOKS = 480;		/* for a condition */
const MOST_CLICKS = 20;		/* on a tab */

function findFirefox() {
	for (const name of ['firefox-esr', 'firefox']) {
		try {
			return execFileSync('sh', ['-c', 'command -v ' + name]).toString().trim();
		} catch {
			/* not this one */
		}
	}
	return null;
}

/** class Marionette - one command at a time */
class Marionette {
	constructor(socket) {
		this.socket = socket;
		this.text = Buffer.alloc(0);
		this.waiting = [];
		this.number = 0;
		socket.on('data', (data) => this.take(data));
	}

	take(data) {
		this.text = Buffer.concat([this.text, data]);
		for (;;) {
			const colon = this.text.indexOf(':'), length = Number(this.text.subarray(0, colon));

			if (colon < 0 || this.text.length < colon + 1 + length)
				return;
			const message = JSON.parse(this.text.subarray(colon + 1, colon + 1 + length));

			this.text = this.text.subarray(colon + 1 + length);
			/* The first message is a greeting. */
			if (Array.isArray(message))
				this.waiting.shift()(message);
		}
	}

	async command(name, parameters = {}) {
		const text = JSON.stringify([0, ++this.number, name, parameters]);
		const answer = new Promise((resolve) => {
			this.waiting.push(resolve);
		});

		this.socket.write(Buffer.byteLength(text) + ':' + text);
		const [, , error, result] = await answer;

		if (error)
			throw new Error(name + ': ' + error.message);
		return result;
	}

	async evaluate(script) {
		return (await this.command('WebDriver:ExecuteScript',
			{ script: 'return ' + script, args: [], sandbox: null })).value;
	}

	keys(...keys) {
		return this.command('WebDriver:PerformActions', { actions: [{ type: 'key', id: 'keys',
			actions: keys.flatMap((value) => [{ type: 'keyDown', value },
				{ type: 'keyUp', value }]) }] });
	}

	/* Presses at the first place, moves to the others, and releases. */
	mouse([first, ...places]) {
		const move = ([x, y]) => ({ type: 'pointerMove', x: Math.round(x), y: Math.round(y) });

		return this.command('WebDriver:PerformActions', { actions: [{ type: 'pointer',
			id: 'mouse', parameters: { pointerType: 'mouse' }, actions: [move(first),
				{ type: 'pointerDown', button: 0 }, ...places.map(move),
				{ type: 'pointerUp', button: 0 }] }] });
	}
}

/* It chooses a port, and starts no more processes than it needs. */
const PREFERENCES = { 'marionette.port': 0, 'browser.startup.page': 0, 'fission.autostart': false,
	'dom.ipc.processCount': 1, 'dom.ipc.processPrelaunch.enabled': false };

/* Starts Firefox with a profile of its own; it writes the port into the profile. */
async function start(firefox) {
	const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'fxt-firefox.'));
	const file = path.join(profile, 'MarionetteActivePort');

	fs.writeFileSync(path.join(profile, 'user.js'), Object.entries(PREFERENCES).map(([name, value]) =>
		`user_pref("${name}", ${value});\n`).join(''));
	const child = spawn(firefox, ['--headless', '--marionette', '--remote-allow-system-access', '--no-remote', '--profile', profile],
			    { stdio: 'ignore', env: { ...process.env, HOME: profile } });

	while (!fs.existsSync(file) && child.exitCode === null)
		await new Promise((resolve) => setTimeout(resolve, PORT_WAIT));
	const socket = net.connect(Number(fs.readFileSync(file, 'utf8')), '127.0.0.1');
	const ended = new Promise((resolve) => child.on('exit', resolve));

	return { marionette: new Marionette(socket), async end() {
		socket.destroy();
		child.kill();
		await ended;
		fs.rmSync(profile, { recursive: true, force: true });
	} };
}

/* The place of a row at a time, in ms of the page. */
const place = (row, ms) => `(() => {
	const t = fxtPage.timeline, box = t.canvas.getBoundingClientRect();
	const of = t.rows.find((r) => r.label === '${row}');

	return [box.x + t.xAt(${ms} * 1e6), box.y + t.rowY(of) + of.height / 2];
})()`;

async function until(firefox, condition) {
	for (let i = 0; !await firefox.evaluate(condition); i++) {
		assert.ok(i < MOST_LOOKS, 'never: ' + condition);
		await new Promise((resolve) => setTimeout(resolve, PORT_WAIT));
	}
}

/* The tabs may move between the look for their place and the click, which then misses. */
async function openTab(firefox, tab) {
	const isOpen = `byId("panel-${tab}").offsetHeight > 0`;

	for (let i = 0; !await firefox.evaluate(isOpen); i++) {
		assert.ok(i < MOST_CLICKS, 'no click opens the tab ' + tab);
		const { x, y, width, height } = await firefox.evaluate(`byId("tab-${tab}").getBoundingClientRect()`);

		await firefox.mouse([[x + width / 2, y + height / 2]]);
		await new Promise((resolve) => setTimeout(resolve, PORT_WAIT));
	}
}

/* The errors of all pages so far, which are on the console. */
async function errors(firefox) {
	await firefox.command('Marionette:SetContext', { value: 'chrome' });
	const found = await firefox.evaluate(`Services.console.getMessageArray().filter((m) =>
		m instanceof Ci.nsIScriptError && !(m.flags & Ci.nsIScriptError.warningFlag) &&
		/^(file|http|about:srcdoc)/.test(m.sourceName)).map(String)`);

	await firefox.command('Marionette:SetContext', { value: 'content' });
	return found;
}

/* A comparison: a click on a name searches for it in both timelines. */
async function useDiff(firefox, page) {
	const frames = (condition) => `[...document.querySelectorAll("iframe")].filter(({ contentDocument: page }) =>
		${condition}).length === 2`;

	await firefox.command('WebDriver:Navigate', { url: 'file://' + page });
	await until(firefox, frames('page.documentElement.dataset.state === "drawn"'));
	const [x, y] = await firefox.evaluate(`(() => {
		const button = [...document.querySelectorAll("button[data-search]")].find((e) => e.textContent === "worker");

		button.scrollIntoView();
		const { x, y } = button.getBoundingClientRect();

		return [x + 4, y + 4];
	})()`);

	await firefox.mouse([[x, y]]);
	await until(firefox, frames('/^[1-9].* hits?$/.test(page.getElementById("found").textContent)'));
}

async function open(firefox, url) {
	await firefox.command('WebDriver:Navigate', { url });
	await until(firefox, 'document.documentElement.dataset.state === "drawn"');
}

/* As a server sends it. */
async function useServed(firefox, page) {
	const { urls, end } = await serve(page);

	try {
		for (const url of urls) {
			await open(firefox, url);
			checkTexts(await firefox.evaluate(TEXTS));
		}
	} finally {
		end();
	}
}

async function use(firefox, page, shots) {
	await firefox.command('WebDriver:NewSession', {});
	await firefox.command('WebDriver:SetWindowRect', { width: 1280, height: 900 });
	await open(firefox, 'file://' + page);
	assert.ok(await firefox.evaluate('byId("problem").hidden'));
	assert.equal(await firefox.evaluate('document.body.scrollHeight > innerHeight'), false);
	await firefox.mouse([await firefox.evaluate(place('twelve/12', 2.5))]);
	assert.match(await firefox.evaluate('byId("details").textContent'),
		     /twelve\/12.*Who had CPU 0 meanwhile/s);
	const [from, to] = [await firefox.evaluate(place('CPU 0', 10)),
		await firefox.evaluate(place('CPU 0', 20))];

	await firefox.mouse([from, [(from[0] + to[0]) / 2, from[1]], to]);
	assert.match(await firefox.evaluate('byId("details").textContent'), /CPUs busy/);
	await firefox.keys('z');
	const [begin, end] = await firefox.evaluate(
		'[fxtPage.timeline.view.from / 1e6, fxtPage.timeline.view.to / 1e6]');

	assert.ok(Math.abs(begin - 10) < 0.2 && Math.abs(end - 20) < 0.2, begin + ' ' + end);
	await firefox.evaluate('byId("timeline").focus()');
	await until(firefox, 'location.hash.includes("range=")');
	await firefox.keys('/', ...'twelve', '\uE007');		/* Enter */
	assert.equal(await firefox.evaluate('byId("found").textContent'), '1 hit');
	assert.match(await firefox.evaluate('byId("details").textContent'), /threadtwelve.*staterunning/s);
	await firefox.keys('y');
	assert.match(await firefox.evaluate('byId("details").textContent'), /Why: what it waited for.*twelve/);
	await until(firefox, 'location.hash.includes("at=12")');
	await firefox.command('WebDriver:Back');
	await until(firefox, 'byId("details").textContent.includes("CPUs busy")');
	for (const tab of ['findings', 'latency', 'blame', 'tables']) {
		await openTab(firefox, tab);
	}
	assert.ok(await firefox.evaluate('byId("names-table").offsetHeight > 0'));
	assert.deepEqual(await errors(firefox), []);
	if (!shots)
		return;
	const { value } = await firefox.command('WebDriver:TakeScreenshot', { full: false });

	fs.writeFileSync(path.join(shots, 'firefox.png'), Buffer.from(value, 'base64'));
}

module.exports = ({ directory, shots }) => {
	const firefox = findFirefox();

	return { [firefox ? 'the page works in Firefox, too' : 'no Firefox here # SKIP']: async () => {
		if (!firefox)
			return;
		const { marionette, end } = await start(firefox);

		try {
			await use(marionette, path.resolve(directory, 'story.html'), shots);
			await useDiff(marionette, path.resolve(directory, 'diff.html'));
			await useServed(marionette, path.resolve(directory, 'few.html'));
			assert.deepEqual(await errors(marionette), []);
		} finally {
			await end();
		}
	} };
};
