// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_share.js - checks links to the timeline, the times of a page of fxt report --html, and what
 * people hand on: its address, texts, tables, pictures. A part of html_check.js.
 *
 * In:  story.html, events.html (generate_page.c); random.html, which has the time of day; many.html.
 */
'use strict';

const assert = require('assert/strict');
const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const state = (page) => page.evaluate(() => {
	const t = fxtPage.timeline, { selected: s, data: { spans, threads } } = t;

	return { view: [t.view.from, t.view.to].map(Math.round), range: t.range,
		 tab: fxtPage.tabs.shown,
		 span: s < 0 ? null : [threads[spans.thread[s]].id, spans.from[s], spans.to[s]] };
});

/* The text of the ruler's labels, which is drawn. */
const ruler = (page) => page.evaluate(() => {
	const t = fxtPage.timeline, texts = [], { fillText } = CanvasRenderingContext2D.prototype;

	CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
		texts.push(text);
		return fillText.call(this, text, ...rest);
	};
	t.context = t.canvas.getContext('2d');
	t.drawRuler();
	CanvasRenderingContext2D.prototype.fillText = fillText;
	return texts;
});

async function chooseClock(page, mode) {
	await page.click('#view-menu > summary');
	await page.selectOption('#clock', mode);
	await page.click('#view-menu > summary');
}

const { change, wake, makePage } = require('./html_ftrace.js');

module.exports = ({ open, close, settle, click, place, openTable, shoot, directory }) => ({
	async 'findings lead to the timeline'(browser) {
		const it = await open(browser, 'random'), { page, json } = it;
		const wait = json.worst[0];

		/* The finding of a spike, as the report has it. */
		await page.evaluate((w) => tellFindings({ findings: [{ kind: 'spike', text: 'a <b>spike</b>',
			name: w.name, tid: w.tid, nth: w.nth, pid: null, cpu: w.from_cpu, of_ns: w.latency_ns,
			culprits: [w.occupants[0]] }] },
			() => fxtPage.timeline), wait);
		await page.click('#tab-findings');
		assert.match(await page.textContent('#findings-list'), /a <b>spike<\/b>/);
		await page.click('#findings-list button:has-text("Show the wait")');
		const { span, view } = await state(page);

		assert.deepEqual([span[0], span[2] - span[1]], [String(wait.tid), wait.latency_ns]);
		assert.ok(view[0] <= span[1] && span[2] <= view[1] && view[1] - view[0] <
			  3 * wait.latency_ns);
		assert.match(await page.textContent('#details'), /Who had CPU/);
		await page.click('#tab-findings');
		await page.click('#findings-list button >> nth=1');
		assert.equal((await state(page)).span[0], String(wait.occupants[0].tid));
		await page.click('#tab-findings');
		await page.click('#findings-list button:has-text("Show CPU")');
		const cpu = await page.evaluate(() => fxtPage.timeline.data.spans.cpu[
			fxtPage.timeline.selected]);

		assert.equal(cpu, wait.from_cpu);
		await close(it);
	},

	async 'a finding leads to what its culprit ran longest within the wait'(browser) {
		/* victim waits from 95 to 140 ms, during 5 ms of a long run of hog, and all of a shorter one. */
		makePage(directory, 'culprit', [change(0, 0, 'idle', 'R', 'hog/100'),
			change(1, 1, 'idle', 'R', 'victim/200'), change(2, 1, 'victim/200', 'S', 'idle'),
			wake(95, 0, 'hog/100', 'victim/200', 0), change(100, 0, 'hog/100', 'R', 'other/300'),
			change(105, 0, 'other/300', 'R', 'hog/100'), change(135, 0, 'hog/100', 'R', 'other/300'),
			change(140, 0, 'other/300', 'R', 'victim/200'), change(141, 0, 'victim/200', 'S', 'idle')]);
		const it = await open(browser, 'culprit'), { page } = it;

		await page.click('#tab-findings');
		await page.click('#findings-list li:has-text("victim") button:text-is("Show hog/100")');
		assert.deepEqual((await state(page)).span, ['100', 105e6, 135e6]);
		await close(it);
	},

	async 'rows of tables lead to the timeline'(browser) {
		const it = await open(browser, 'events'), { page, json } = it;
		const choose = async (key, row) => {
			await openTable(page, key + '-table');
			await page.click('#' + key + '-table tbody tr:nth-child(' + row + ')');
			return state(page);
		};

		assert.equal((await choose('threads', 1)).span[0], String(json.threads[0].tid));
		assert.equal((await choose('processes', 2)).span[0], String(json.processes[1].pid));
		const cpu = json.cpus[1];

		assert.equal((await choose('cpus', 2)).span[1], cpu.longest_from_ns - json.from_ns);
		const sleep = json.longest_sleeps[0];

		assert.equal((await choose('longest_sleeps', 1)).span[2], sleep.time_ns - json.from_ns);
		const call = json.system_calls[0];

		await choose('system_calls', 1);
		const event = await page.evaluate(() => {
			const t = fxtPage.timeline, { events } = t.data;

			return [eventLabel(events, t.event), events.to[t.event] - events.from[t.event]];
		});

		assert.deepEqual(event, [call.name, call.longest_ns]);
		await page.click('#tab-details');
		assert.match(await page.textContent('#details'), /system callread/);
		await close(it);
	},

	async 'a cell of the heat map leads to the longest wait in it'(browser) {
		const it = await open(browser, 'random'), { page } = it;

		await page.click('#tab-latency');
		const fullest = await page.evaluate(() => {
			const heat = fxtPage.heat, { counts, rows } = heat;
			const at = counts.indexOf(Math.max(...counts));
			const column = Math.floor(at / rows), row = at % rows;

			return { x: LABELS + (column + 0.5) * CELL, y: (heat.y(row) + heat.y(row - 1)) / 2,
				 column, row: row + heat.low, count: counts[at] };
		});

		await page.locator('#heatmap').hover({ position: fullest });
		assert.ok((await page.textContent('#heat')).startsWith(fullest.count + ' waits of up to '));
		/* The waits of the cell, counted without the map. */
		const [longest, count] = await page.evaluate(({ column, row }) => {
			const { spans, waits } = fxtPage.timeline.data, { heat } = fxtPage;
			const length = (s) => spans.to[s] - spans.from[s];
			const found = [...waits].filter((s) => heat.column(s) === column &&
				Math.floor(Math.log2(length(s)) * 2) === row);

			return [Math.max(...found.map(length)), found.length];
		}, fullest);

		await page.locator('#heatmap').click({ position: fullest });
		assert.deepEqual([await page.evaluate(() => {
			const { selected: w, data: { spans: { from, to } } } = fxtPage.timeline;

			return to[w] - from[w];
		}), count], [longest, fullest.count]);
		/* The wait is half of the width, and the details tell of it. */
		assert.ok(await page.locator('#panel-details').isVisible());
		assert.equal(await page.evaluate(() => Math.round(fxtPage.timeline.view.to - fxtPage.timeline.view.from)),
			     2 * longest);
		await close(it);
	},

	async 'one switch changes all times: ruler, details and tables'(browser) {
		const it = await open(browser, 'random', { timezoneId: 'Asia/Tokyo' }), { page, json } = it;
		const wait = BigInt(json.worst[0].time_ns);
		const times = async () => {
			await openTable(page, 'worst-table');
			return [(await ruler(page)).slice(0, 2), await page.textContent('#details'),
				await page.textContent('#worst-table td[data-value="' + wait + '"]'),
				await page.textContent('#window')];
		};
		const first = await page.evaluate(() => {
			const t = fxtPage.timeline, thread = t.data.threads.find((of) => of && !of.isIdle &&
				t.data.threadTracks[of.number].count);

			t.select(t.data.threadTracks[thread.number].span(0));
			return t.data.spans.from[t.selected];
		});
		const at = BigInt(json.from_ns) + BigInt(first);
		const seconds = (ns) => String(ns).padStart(10, '0').replace(/(\d{9})$/, '.$1');
		const day = (ns, hours) => new Date(Number((1700000000000000000n + ns) / 1000000n) +
			hours * 3600e3).toISOString().slice(11, 19) + '.' + String(ns % 1000000000n)
			.padStart(9, '0');

		for (const [mode, axis, value, unit] of [
			['start', 'time since start (s)', (ns) => seconds(ns - BigInt(json.from_ns)), ' s'],
			['boot', 'time since boot (s)', seconds, ' s'],
			['utc', 'time of day, UTC', (ns) => day(ns, 0), ' UTC'],
			['local', 'time of day, local', (ns) => day(ns, 9), '']]) {
			await chooseClock(page, mode);
			const [[label, tick], details, cell, shown] = await times();

			assert.equal(label, axis);
			assert.ok(value(BigInt(json.from_ns)).startsWith(tick.slice(0, 4)), tick);
			assert.ok(details.includes('start' + value(at) + unit), details);
			assert.equal(cell.trim(), value(wait));
			assert.ok(shown.includes('from ' + value(BigInt(json.from_ns)) + unit), shown);
		}
		await shoot(it, 'local-time');
		await close(it);
		/* A recording without the time of day has no such choice. */
		const other = await open(browser, 'story');

		assert.deepEqual(await other.page.locator('#clock option').allTextContents(),
				 ['since start', 'since boot']);
		await close(other);
	},

	async 'the address has the view, the selection, the range and the tab'(browser) {
		const it = await open(browser, 'story'), { page } = it;
		const write = () => page.waitForTimeout(300);

		await page.evaluate(() => fxtPage.timeline.setView(5e6, 30e6));
		await click(page, 'CPU 1', 20);
		await page.evaluate(() => {
			fxtPage.timeline.setRange(6e6, 9e6);
			fxtPage.timeline.onTell();
		});
		await openTable(page, 'threads-table');
		await write();
		const before = await state(page), address = page.url();

		assert.match(address, /#view=5000000-30000000&at=21%4011000000&range=6000000-9000000&tab=tables&table=threads$/);
		await page.reload();
		await page.waitForSelector('html[data-state=drawn]');
		assert.deepEqual(await state(page), before);
		assert.ok(await page.locator('#threads-table').isVisible());
		/* Another address in the same page, which selects an idle CPU. */
		await page.evaluate(() => {
			location.hash = '#at=0@25000000@1&tab=latency';
		});
		await page.waitForFunction(() => fxtPage.tabs.shown === 'latency');
		assert.deepEqual((await state(page)).span, ['0', 24e6, 71e6]);
		/* Wrong values in an address are ignored. */
		for (const wrong of ['#at=nobody@1&tab=none&table=none&view=9-1', '#view=x', '#%%%=1']) {
			await page.evaluate((hash) => {
				fxtPage.timeline.select(0);
				fxtPage.timeline.setView(5e6, 6e6);
				location.hash = hash;
			}, wrong);
			await page.waitForFunction(() => fxtPage.timeline.selected < 0);
			assert.deepEqual((await state(page)).view, [0, 71e6], wrong);
		}
		await close(it);
	},

	async 'the address has the search, the clock, pins, hidden threads, rows, events and notes'(browser) {
		const it = await open(browser, 'events'), { page } = it;
		const more = () => page.evaluate(() => {
			const { model, event, notes, range, data } = fxtPage.timeline;

			return [[...model.kept], [...model.hidden], clock.mode, byId('search').value, byId('order').value,
				event < 0 ? null : eventLabel(data.events, event), notes,
				range && [range.from, range.to, [...range.rows?.threads ?? []], [...range.rows?.cpus ?? []]],
				byId('found').textContent];
		});
		/* part: what the address has as soon as it follows */
		const restored = async (part) => {
			await page.waitForFunction((of) => location.hash.includes(of), part);
			const before = await more();

			await page.reload();
			await page.waitForSelector('html[data-state=drawn]');
			assert.deepEqual(await more(), before);
			return before;
		};

		await click(page, 'other/21', 20);
		await page.keyboard.press('p');
		await click(page, 'twelve/12', 6);
		await page.keyboard.press('h');
		await page.click('#view-menu > summary');
		await page.selectOption('#clock', 'boot');
		await page.selectOption('#order', 'name');
		await page.click('#view-menu > summary');
		await page.fill('#search', 'read');
		await page.keyboard.press('Enter');
		await page.keyboard.press('m');
		assert.match(await page.textContent('#ask-what'), /^Note at 0\.034250000 s$/);
		await page.keyboard.type('reads & waits #1');
		await page.keyboard.press('Enter');
		await shoot(it, 'note');
		const [pins, hidden, mode, text, order, event, notes] = await restored('note=');

		assert.deepEqual([pins.length, hidden.length, mode, text, order, event, notes], [1, 1, 'boot', 'read',
			'name', 'read', [{ time: 33.25e6, text: 'reads & waits #1' }]]);
		await page.evaluate(() => {
			const t = fxtPage.timeline;

			t.setRange(1e6, 2e6, { threads: new Set([t.data.threads.find((of) => of?.id === '22').number]),
					       cpus: new Set([1]) });
			t.sumUp();
		});
		const [, , , , , , , [from, to, threads, cpus]] = await restored('cpus=1');

		assert.deepEqual([from, to, threads.length, cpus], [1e6, 2e6, 1, [1]]);
		/* Without text the note goes. */
		await page.evaluate(() => fxtPage.timeline.showAll());
		await settle(page);
		const at = await page.evaluate(() => {
			const box = fxtPage.timeline.canvas.getBoundingClientRect();

			return [box.x + fxtPage.timeline.xAt(33.25e6) + 3, box.y + 8];
		});

		await page.mouse.click(...at);
		assert.equal(await page.inputValue('#ask-text'), 'reads & waits #1');
		await page.fill('#ask-text', '');
		await page.keyboard.press('Enter');
		await page.waitForFunction(() => !fxtPage.timeline.notes.length);
		await close(it);
	},

	async 'the browser goes back and forward through what was selected'(browser) {
		const it = await open(browser, 'story'), { page } = it;
		const follows = (part) => page.waitForFunction((of) => location.hash.includes(of), part);
		/* Waits until a thread, or no one, is selected, with or without a range. */
		const shows = (tid, hasRange) => page.waitForFunction(([id, has]) => {
			const { selected, range, data: { threads, spans } } = fxtPage.timeline;

			return (selected < 0 ? null : threads[spans.thread[selected]].id) === id && Boolean(range) === has;
		}, [tid, hasRange]);

		await click(page, 'eleven/11', 3);
		await follows('at=11');
		await click(page, 'other/21', 20);
		await follows('at=21');
		await page.keyboard.press('w');
		await follows('view=');
		const from = await place(page, 'CPU 0', 20), to = await place(page, 'CPU 0', 25);

		/* A pause while a range is marked is no step. */
		await page.mouse.move(from.x, from.y);
		await page.mouse.down();
		await page.mouse.move(to.x - 5, to.y, { steps: 3 });
		await page.waitForTimeout(300);
		await page.mouse.move(to.x, to.y);
		await page.mouse.up();
		await follows('range=');
		for (const [go, tid, hasRange] of [['goBack', '21', false], ['goBack', '11', false],
						   ['goForward', '21', false], ['goForward', null, true]]) {
			await page[go]();
			await shows(tid, hasRange);
		}
		await close(it);
	},

	async 'details are copied as text, tables as CSV, the timeline as a picture'(browser) {
		const it = await open(browser, 'story', { permissions: ['clipboard-read',
			'clipboard-write'] }), { page, json } = it;
		const copied = () => page.evaluate(() => navigator.clipboard.readText());

		await click(page, 'twelve/12', 3.5);
		await page.click('#details button:has-text("Copy")');
		await page.waitForSelector('#details button:has-text("Copied")');
		const text = await copied();

		assert.match(text, /^thread: twelve\/12\nprocess: eleven\/11\n/);
		assert.match(text, /\nduration: 3\.00 ms\n/);
		assert.match(text, /\n\nWho had CPU 0 meanwhile\n {2}eleven\/11 {2}3\.00 ms {2}100\.00%\n/);
		await openTable(page, 'threads-table');
		await page.click('#threads-table .copy');
		await page.waitForSelector('#threads-table .copy:has-text("Copied")');
		const [head, ...rows] = (await copied()).trim().split('\r\n');

		assert.equal(rows.length, json.threads.length);
		assert.match(head, /^name,/);
		assert.ok(rows[0].split(',').includes(String(json.threads[0].run_ns)), rows[0]);
		/* A name with quotes. */
		assert.ok(rows.some((row) => row.startsWith('"<img src=x onerror=harmed=1>&amp;""\'",')));
		await page.click('#view-menu > summary');
		const [download] = await Promise.all([page.waitForEvent('download'),
			page.click('#picture')]);
		const bytes = fs.readFileSync(await download.path());

		assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
		/* It is higher than the timeline by a title and the legend. */
		assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], await page.evaluate(() =>
			[fxtPage.timeline.canvas.width, fxtPage.timeline.canvas.height + 2 * RULER]));
		const texts = await page.evaluate(() => {
			const list = [], { fillText } = CanvasRenderingContext2D.prototype;

			CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
				list.push(text);
				return fillText.call(this, text, ...rest);
			};
			pictureOf(fxtPage.timeline);
			CanvasRenderingContext2D.prototype.fillText = fillText;
			return list;
		});

		assert.match(texts[0], /story\.fxt, In view: 71\.0 ms from 0/);
		assert.deepEqual(texts.slice(1, 4), ['running', 'runnable', 'preempted']);
		await close(it);
	},

	async 'on paper are the view in light colours, findings, and the first rows of all tables'(browser) {
		const it = await open(browser, 'many', { colorScheme: 'dark' }), { page, json } = it;
		const paper = () => page.evaluate(() => {
			const isSeen = (selector) => document.querySelector(selector)?.checkVisibility() ?? false;

			return { background: getComputedStyle(document.body).backgroundColor,
				 picture: isSeen('#printed canvas'), stage: isSeen('#stage'), tabs: isSeen('#tabs'),
				 findings: isSeen('#findings-list'),
				 tables: ['names', 'cpus', 'worst'].map((key) => isSeen('#' + key + '-table table')),
				 rows: fxtPage.tables.threads.body.rows.length,
				 rest: getComputedStyle(byId('threads-table'), '::after').content };
		});
		const before = await paper();

		assert.deepEqual([before.picture, before.stage, before.rows, before.rest],
				 [false, true, 100, 'none']);
		await openTable(page, 'threads-table');
		await page.evaluate(() => {
			byId('tables').scrollTop = 9000;
		});
		await page.emulateMedia({ media: 'print' });
		await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
		assert.deepEqual(await paper(), { background: 'rgb(255, 255, 255)', picture: true, stage: false,
			tabs: false, findings: true, tables: [true, true, true], rows: 30,
			rest: '"and ' + String(json.threads.length - 30).replace(/(\d)(\d{3})$/, '$1\u2009$2') +
				' more rows"' });
		/* It continues on other pages, and is not wider than the first one. */
		const [height, width] = await page.evaluate(() => [document.body.scrollHeight,
								   document.documentElement.scrollWidth]);

		assert.ok(height > 2000 && width <= 1400, height + ' ' + width);
		await page.emulateMedia({ media: 'screen' });
		await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
		const after = await paper();

		assert.deepEqual([after.background, after.picture, after.stage, after.rows],
				 [before.background, false, true, 100]);
		await close(it);
	},
});
