// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_check.js - checks pages of fxt report --html in a browser.
 *
 * In:  playwright-core's directory; the browser; a directory with story.html, .json
 *      (generate_page.c), empty.* (nobody runs), random.* (generated) and large.* (over a
 *      million switches);
 *      a directory for screenshots, or '': none; a pattern for the names of the tests to run.
 * Out: TAP. Nothing depends on how long something takes.
 */
'use strict';

const assert = require('assert/strict');
const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const [playwright, executablePath, directory, shots, wanted] = process.argv.slice(2);
const { chromium } = require(path.resolve(playwright));
/* axe-core lies beside playwright-core in the cache. */
const axe = path.join(playwright, '../../../axe/node_modules/axe-core/axe.min.js');
const SIZE = { width: 1400, height: 1000 };
const TIMEOUT = 120000;		/* ms for a click on a busy machine */
const MOST_BYTES = 11.5e6;	/* of a page of a million switches */
const EMPTY_BYTES = 107000;	/* of a page without events */

/* --- what the tests share ----------------------------------------------------------------- */

/* The pane gets the height of its content, which moves the rows, before they are drawn again. */
const settle = (page) => page.evaluate(() => new Promise((resolve) =>
	requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))));

/* An open page, with all its errors and network requests. */
async function open(browser, name, options = {}) {
	const context = await browser.newContext({ viewport: SIZE, ...options });

	context.setDefaultTimeout(TIMEOUT);
	const page = await context.newPage(), troubles = [];
	const url = 'file://' + path.join(directory, name + '.html');

	page.on('console', (message) => troubles.push(message.text()));
	page.on('pageerror', (error) => troubles.push(error.stack));
	page.on('dialog', (dialog) => troubles.push('dialog ' + dialog.message()));
	page.on('request', (request) => {
		if (request.url().split('#')[0] !== url && request.url() !== 'data:,')
			troubles.push('request ' + request.url());
	});
	await page.goto(url);
	await page.waitForSelector('html[data-state=drawn]');
	await settle(page);
	return { context, page, troubles,
		 json: JSON.parse(fs.readFileSync(path.join(directory, name + '.json'))) };
}

async function close({ context, troubles }) {
	await context.close();
	assert.deepEqual(troubles, []);
}

const sharedPages = new Map();

/* An open page for tests that only read it; tests of @group may change it. main() closes it. */
function share(browser, name, group = 'readers') {
	const key = group + ' ' + name;

	if (!sharedPages.has(key))
		sharedPages.set(key, open(browser, name));
	return sharedPages.get(key);
}

/* For people: no test looks at a screenshot. */
async function shoot({ page }, name) {
	const file = path.join(shots, name + '.png');

	await settle(page);
	if (!shots)
		return;
	await page.waitForTimeout(300);
	await page.screenshot({ path: file, fullPage: true });
	console.log('# screenshot ' + file);
}

const view = (page) => page.evaluate(() => ({ ...fxtPage.timeline.view }));

/* The place on the screen of a row of a thread or CPU at a time in ms. */
function place(page, row, ms) {
	return page.evaluate(([name, time]) => {
		const t = fxtPage.timeline, box = t.canvas.getBoundingClientRect();
		const of = t.rows.find((r) => r.label === name);

		return { x: box.x + t.xAt(time * 1e6), y: box.y + t.rowY(of) + of.height / 2 };
	}, [row, ms - 1]);	/* the story begins at 1 ms */
}

async function click(page, row, ms) {
	const { x, y } = await place(page, row, ms);

	await page.mouse.click(x, y);
	return page.textContent('#details');
}

/* Opens the tab that has a table, and the table in it. */
async function openTable(page, id) {
	await page.click(id === 'latency-table' ? '#tab-latency' : '#tab-tables');
	if (id !== 'latency-table')
		await page.click('#parts [data-key="' + id.replace(/-table$/, '') + '"]');
}

/* A table as lists of the values of its cells, by the titles of its columns. */
async function table(page, id) {
	await openTable(page, id);
	return page.evaluate(async (place) => {
		const of = document.querySelector('#' + place + ' table'), rows = [];
		const scroller = of.closest('#tables, .panel'), all = of.getAttribute('aria-rowcount') - 1;
		const titles = [...of.tHead.rows[0].cells].map((th) => th.textContent.replace(/ [▲▼]$/, ''));

		/* Only those near the screen exist. */
		for (let top = 0; ; top += 500) {
			for (const tr of of.tBodies[0].rows)
				rows[tr.ariaRowIndex - 2] = [...tr.cells].map((td, i) =>
					[titles[i], JSON.parse(td.dataset.value)]);
			if (Object.keys(rows).length === all)
				return rows;
			scroller.scrollTop = top;
			await new Promise(requestAnimationFrame);
		}
	}, id);
}

const named = (name, id) => id === null ? null :
	(name ?? '?') + (id ? '/' + id : '');

const irqs = { hard: 'an interrupt', soft: 'a soft interrupt', nmi: 'an NMI' };

const lossOf = (cpu, json) => json.losses.streams.find((s) => s.cpu === cpu.cpu);

/* What the cells of these types have; of all others the value at their key in the report. */
const CELLS = {
	thread: (row, key) => named(row[key + 'name'], row[key + 'tid']),
	parent: (row) => named(row.parent_name, row.parent_pid),
	waker: (w) => w.waker_idle ? 'an idle CPU' :
		w.waker_irq === null ? named(w.waker_name, w.waker_tid) : irqs[w.waker_irq] +
		(w.waker_irq_cpu === null ? '' : ` (CPU ${w.waker_irq_cpu})`),
	wakers({ wakers: [w] }) {
		return w && w.count > w.over ? irqs[w.irq] ?? named(w.name, w.tid) : null;
	},
	cpus: (w) => w.cpu === null || w.from_cpu === w.cpu ? String(w.from_cpu) :
		w.from_cpu + ' → ' + w.cpu,
	kind: (w) => w.kind,
	lost: (cpu, key, json) => lossOf(cpu, json)?.[key] ?? 0,
	'lost time': (cpu, key, json) => lossOf(cpu, json)?.[key],
	/* The threads that had the CPU, without the times. */
	occupants(w) {
		const parts = w.occupants.map((o) => (!o.tid ? 'CPU idle' : o.threads > 1 ?
			o.name + ', ' + o.threads + ' threads' : named(o.name, o.tid)) +
			' (' + Math.round(100 * o.ns / w.latency_ns) + '%)');

		if (w.kind === 'held off')
			parts.push('throttled by its cgroup, or held off');
		return parts.length ? parts.join(', ') : null;
	},
};

const withoutTimes = (text) => text && text.replace(/ [0-9.]+ [mun]?s(?= \()/g, '');

const valueAt = (row, key) => key.split('.').reduce((value, part) => value?.[part], row);

/* The rows of a table, each as a list of cells, of the columns that have a value in some row. */
function expectedTable(json, { path, objects, columns }) {
	const list = objects ? objects.map(({ key, title }) => ({ key: title, ...json[key] })) :
		valueAt(json, path);
	const rows = Array.isArray(list) ? list : Object.entries(list)
		.filter(([, row]) => row?.count !== undefined).map(([key, row]) => ({ key, ...row }));
	const cells = rows.map((row) => columns.map(({ key, type }) =>
		(CELLS[type] ?? valueAt)(row, key, json) ?? null));

	return cells.map((row) => row.filter((cell, i) =>
		objects || cells.some((of) => of[i] !== null)));
}

/* Return: the keys of the tables that are shown. */
async function hasTables({ page, json }) {
	const tables = await page.evaluate(() => unpackedJson('tables'));
	const values = async (id) => (await table(page, id)).map((row) => row.map((c) => c[1]));
	const shown = [];

	for (const of of tables) {
		const expected = expectedTable(json, of);

		if (await page.locator('#' + of.key + '-table').count() === 0) {
			assert.deepEqual(expected, [], of.key);
			continue;
		}
		shown.push(of.key);
		assert.deepEqual((await values(of.key + '-table')).map((row) =>
			of.key === 'worst' ? row.map((cell, i) => i === row.length - 1 ?
				withoutTimes(cell) : cell) : row), expected, of.key);
	}
	/* The keys come from the page, so they must be the report's. */
	const { objects, columns } = tables.find(({ key }) => key === 'latency');

	assert.deepEqual(objects.map(({ key }) => key), ['woken', 'preempted', 'held_off']);
	for (const waits of objects.map(({ key }) => json[key]).filter(Boolean))
		assert.ok(columns.slice(1).every(({ key }) => key in waits));
	return shown;
}

/* The rows of a page's report have no histograms, but the totals have them. */
function inPage(json) {
	const strip = (value) => Array.isArray(value) ? value.map(strip) :
		value === null || typeof value !== 'object' ? value :
		Object.fromEntries(Object.entries(value).map(([key, of]) =>
			[key, key === 'histogram' ? [] : strip(of)]));

	return Object.fromEntries(Object.entries(json).map(([key, value]) =>
		[key, Array.isArray(value) ? strip(value) : value]));
}

/* --- the tests -------------------------------------------------------------------------------- */

const tests = {
	async 'the page loads without a complaint and without the network'(browser) {
		const it = await open(browser, 'story', { offline: true });

		await shoot(it, 'story-light');
		await close(it);
		const text = fs.readFileSync(path.join(directory, 'story.html'), 'utf8');

		assert.equal(text.match(/https?:\/\//), null);
	},

	async 'a page of nothing loads, and says so'(browser) {
		const it = await open(browser, 'empty'), { page } = it;

		for (const key of ['w', 'd', 'f', '0', 'ArrowRight'])
			await page.keyboard.press(key);
		assert.match(await page.textContent('#summary'), / 0 switches/);
		assert.equal(await page.locator('#problem').isVisible(), false);
		await close(it);
	},

	async 'the tables have the numbers of fxt report --json'(browser) {
		for (const name of ['story', 'random']) {
			const it = await open(browser, name);

			assert.deepEqual(await it.page.evaluate(() => readReport('report')), inPage(it.json));
			const shown = await hasTables(it);

			for (const key of ['names', 'threads', 'processes', 'cpus', 'worst', 'sleeps',
					   'longest_uninterruptible'])
				assert.ok(shown.includes(key), key);
			await close(it);
		}
	},

	/* Only the findings have no table, because they have a tab of their own. */
	async 'all lists of the report are tables'(browser) {
		const it = await share(browser, 'events');
		const tables = await it.page.evaluate(() => unpackedJson('tables'));
		const paths = tables.map((table) => table.path);
		const lists = Object.entries(it.json).filter(([, value]) => Array.isArray(value))
			.map(([key]) => key);

		assert.deepEqual(lists.filter((key) => !paths.includes(key)), ['findings']);
		for (const key of ['exits.failed', 'sleeps', 'idle_states', 'cgroup_quotas',
				   'inherited_priorities', 'cgroups'])
			assert.ok(paths.includes(key), key);
	},

	async 'numbers are read as they were written'(browser) {
		const it = await share(browser, 'empty');
		const read = await it.page.evaluate(() => {
			/* A chunk: how many, their first bytes, the second ones of those longer, ... */
			const bytes = [8, 0, 0, 1, 2, 3, 0x7f, 0x80, 0x81, 0xff, 1, 1, 0xff,
				       0xff, 0xff, 0xff, 0xff, 0xff, 0xf];
			const all = new Column(new Uint8Array(bytes));

			return bytes.slice(0, 8).map(() => all.hasMore ? all.nextSigned() : null);
		});

		/* The values as spool_i64() writes them; the last is -2^52. */
		assert.deepEqual(read, [0, -1, 1, -2, -64, 64, -65, -(2 ** 52)]);
	},

	async 'what is drawn adds up to the numbers of the report'(browser) {
		for (const name of ['story', 'random', 'large']) {
			const it = await (name === 'large' ? open : share)(browser, name);
			const drawn = await it.page.evaluate(() => {
				const { data } = fxtPage.timeline, run = {}, busy = {};
				const sums = new Float64Array(SUMMED);

				for (const t of data.threads) {
					const track = t && data.threadTracks[t.number];

					if (!track || !track.count)
						continue;
					track.sumUntil(Infinity, track.count, sums);
					run[t.id] = sums[RUNNING];
				}
				for (const [cpu, track] of data.cpuTracks) {
					track.sumUntil(Infinity, track.count, sums);
					busy[cpu] = sums[RUNNING];
				}
				return { run, busy, waits: data.waits.length };
			});

			for (const t of it.json.threads)
				assert.equal(drawn.run[t.tid], t.run_ns, 'thread ' + t.tid);
			for (const c of it.json.cpus)
				assert.equal(drawn.busy[c.cpu], c.busy_ns, 'cpu ' + c.cpu);
			assert.equal(drawn.waits, it.json.woken.count + it.json.preempted.count +
				(it.json.held_off?.count ?? 0));
			if (name === 'large') {
				await shoot(it, name);
				await close(it);
			}
		}
	},

	async 'sums of any part of a track are those of its spans'(browser) {
		const it = await share(browser, 'random');
		const wrong = await it.page.evaluate(() => {
			const { data } = fxtPage.timeline, until = new Float64Array(SUMMED);
			const found = [];
			const addUp = (track, time) => {
				const sums = new Array(SUMMED).fill(0);

				for (let n = 0; n < track.count; n++) {
					if (track.kind[n] < SUMMED && track.from[n] < time)
						sums[track.kind[n]] +=
							Math.min(time, track.to[n]) - track.from[n];
				}
				return sums;
			};

			for (const track of [...data.cpuTracks.values(), data.threadTracks[5]]) {
				for (let n = 0; n <= 500; n++) {
					const time = data.end * n / 500, plain = addUp(track, time);

					track.sumUntil(time, track.firstEndingAfter(time), until);
					if (plain.some((sum, i) => Math.abs(sum - until[i]) > 1))
						found.push([time, plain, Array.from(until)]);
				}
			}
			return found;
		});

		assert.deepEqual(wrong, []);
	},

	async 'slices have the colours of their states'(browser) {
		const it = await share(browser, 'story');
		const colour = (row, ms) => it.page.evaluate(([name, time]) => {
			const t = fxtPage.timeline, of = t.rows.find((r) => r.label === name);
			const c = document.createElement('canvas').getContext('2d',
				{ willReadFrequently: true });

			t.draw();
			c.drawImage(t.canvas, -Math.round(t.xAt(time * 1e6)),
				    -Math.round(t.rowY(of) + of.height - 5));
			const [r, g, b] = c.getImageData(0, 0, 1, 1).data;

			return '#' + [r, g, b].map((n) => n.toString(16).padStart(2, '0')).join('');
		}, [row, ms - 1]);

		assert.equal(await colour('eleven/11', 3), '#0072b2');
		assert.equal(await colour('twelve/12', 4.8), '#e69f00');
		assert.notEqual(await colour('eleven/11', 20), '#0072b2');
	},

	/* The filled area is the run time, whether slices are wide, share a column, or both. */
	async 'columns narrower than their spans show shares'(browser) {
		const it = await share(browser, 'random');
		const [busy, ...drawn] = await it.page.evaluate(() => {
			const t = fxtPage.timeline, { track } = t.rows[0];
			const rectangles = new Rectangles();
			const sums = new Float64Array(SUMMED);
			const area = ({ numbers, length }) => numbers.subarray(0, length)
				.reduce((sum, height, i, list) => i % 4 === 3 ?
					sum + list[i - 1] * height : sum, 0);
			const paint = (width) => {
				rectangles.lists.forEach((list) => (list.length = 0));
				new TrackPainter(rectangles, t.view, 0, width)
					.paint(track, 0, 1000, t.cpuLook());
				rectangles.lists[SLEEPING].length = 0;
				return rectangles.lists.reduce((sum, list) => sum + area(list), 0) /
					1000 / width;
			};

			track.sumUntil(Infinity, track.count, sums);
			return [sums[RUNNING] / t.data.end,
				...[20, 100, 1000, 2000, 4000].map(paint)];
		});

		for (const share of drawn)
			assert.ok(Math.abs(share - busy) < 0.006, share + ', not ' + busy);
	},

	async 'W A S D and 0 zoom and move'(browser) {
		const it = await open(browser, 'random'), { page } = it;
		const length = (v) => v.to - v.from;
		const after = async (key) => {
			await page.keyboard.press(key);
			return view(page);
		};
		const all = await view(page), near = await after('w'), nearer = await after('W');

		assert.ok(length(near) < length(all) && length(nearer) < length(near));
		const right = await after('d'), left = await after('a'), far = await after('s');

		assert.ok(right.from > nearer.from && left.from < right.from);
		assert.ok(length(far) > length(left));
		assert.deepEqual(await after('0'), all);
		await close(it);
	},

	async 'the wheel and dragging zoom and move'(browser) {
		const it = await open(browser, 'random'), { page } = it;
		const box = await page.locator('#timeline').boundingBox();
		const x = box.x + 700, y = box.y + 60;

		await page.mouse.move(x, y);
		const about = await page.evaluate(() => fxtPage.timeline.timeAt(700));
		await page.keyboard.down('Control');
		await page.mouse.wheel(0, -600);
		await page.keyboard.up('Control');
		await page.waitForFunction(() => fxtPage.timeline.view.from > 0);
		const near = await view(page);

		const stays = await page.evaluate(() => fxtPage.timeline.timeAt(700)) - about;

		assert.ok(Math.abs(stays) < (near.to - near.from) / 1000);
		await page.keyboard.down('Shift');
		await page.mouse.down();
		await page.mouse.move(x - 200, y, { steps: 5 });
		await page.mouse.up();
		await page.keyboard.up('Shift');
		assert.ok((await view(page)).from > near.from);
		await close(it);
	},

	async 'a click selects, arrows go on, wakers are told'(browser) {
		const it = await open(browser, 'story'), { page } = it;

		assert.match(await click(page, 'CPU 1', 20), /threadother\/21.*running.*13\.0 ms/s);
		const wakes = () => page.evaluate(() => {
			const t = fxtPage.timeline, { spans, threads } = t.data;

			return t.wakeupsOf(t.selected).map((s) => [spans.from[s],
				threads[spans.waker[s]].id, threads[spans.thread[s]].id]);
		});

		assert.deepEqual(await wakes(), [[8e6, '11', '21']]);
		assert.match(await click(page, 'CPU 0', 42), /Woken by an interrupt/);
		assert.deepEqual(await wakes(), [[40e6, '31', '32']]);
		await click(page, 'eleven/11', 3);
		assert.deepEqual(await wakes(), [[1e6, '11', '12']]);
		await click(page, 'CPU 1', 20);
		await page.keyboard.press('ArrowLeft');
		assert.match(await page.textContent('#details'), /runnable.*3\.00 ms/s);
		await page.click('text=Woken by eleven/11');
		assert.match(await page.textContent('#details'), /eleven\/11.*running.*4\.00 ms/s);
		await page.locator('#timeline').focus();
		await page.keyboard.press('f');
		const { from, to } = await view(page);

		assert.deepEqual([from, to], [3e6, 11e6]);
		await shoot(it, 'story-selected');
		await page.keyboard.press('Escape');
		assert.match(await page.textContent('#details'), /Nothing/);
		await close(it);
	},

	async 'states and losses are told'(browser) {
		const it = await open(browser, 'story'), { page } = it;
		const harm = '</script><script>window.harmed=1</script>/31';

		assert.match(await click(page, harm, 47), /uninterruptible/);
		assert.match(await click(page, 'eleven/11', 5.5), /preempted/);
		assert.match(await page.textContent('#losses'),
			     /7 of \d+ records lost: CPU 0 7/);
		assert.ok(await page.locator('#losses').isVisible());
		assert.deepEqual(await page.evaluate(() => fxtPage.timeline.data.losses),
				 [{ cpu: 0, from: 59e6, to: 69e6, records: 7 }]);
		await close(it);
	},

	async 'names are text, whatever they are'(browser) {
		const it = await open(browser, 'story'), { page } = it;
		const text = await page.textContent('#threads-table');

		assert.ok(text.includes('</script><script>window.harmed=1</script>'));
		assert.ok(text.includes('<img src=x onerror=harmed=1>&amp;"\''));
		assert.equal(await page.evaluate(() => window.harmed), undefined);
		assert.equal(await page.locator('img').count(), 0);
		assert.ok((await click(page, '</script><script>window.harmed=1</script>/31', 55))
			.includes('</script>'));
		await close(it);
	},

	async 'search finds threads'(browser) {
		const it = await open(browser, 'story'), { page } = it;

		await page.keyboard.press('/');
		await page.keyboard.type('TWEL');
		assert.equal(await page.textContent('#found'), '1 hit');
		assert.equal((await table(page, 'threads-table')).length, 1);
		await page.press('#search', 'Enter');
		assert.match(await page.textContent('#details'), /twelve\/12.*running/s);
		await page.fill('#search', '<img');
		assert.equal(await page.textContent('#found'), '1 hit');
		await page.fill('#search', 'nobody');
		assert.equal(await page.textContent('#found'), '0 hits');
		await page.fill('#search', '');
		assert.equal((await table(page, 'threads-table')).length, it.json.threads.length);
		await close(it);
	},

	async 'a process that is one thread of its name has no row of its own'(browser) {
		const it = await open(browser, 'story'), { page } = it;
		const rows = async (text) => {
			await page.fill('#search', text);
			return page.evaluate(() => fxtPage.timeline.model.areas.threads.rows
				.map((row) => row.label));
		};

		assert.deepEqual(await rows('eleven/11'), ['eleven/11']);
		assert.deepEqual(await rows('twelve'), ['eleven/11, 1 thread', 'twelve/12']);
		assert.deepEqual((await rows('')).slice(-3),
				 ['eleven/11, 2 threads', 'eleven/11', 'twelve/12']);
		await close(it);
	},

	async 'only who runs or waits in view has a row, if that is wanted'(browser) {
		const it = await open(browser, 'story'), { page } = it;
		const labels = () => page.evaluate(() => fxtPage.timeline.model.areas.threads.rows
			.map((row) => row.label));
		const rows = async (from, to) => {
			await page.evaluate(([begin, end]) =>
				fxtPage.timeline.setView(begin * 1e6, end * 1e6), [from, to]);
			return labels();
		};
		const all = await rows(12, 23);

		await page.click('#view-menu > summary');
		await page.check('#active');
		assert.deepEqual(await labels(), ['other/21']);
		assert.deepEqual(await rows(5.1, 7.9), ['eleven/11']);
		assert.deepEqual(await rows(4.1, 4.9), ['eleven/11, 2 threads', 'eleven/11',
			'twelve/12']);
		assert.deepEqual(await rows(5.1, 8.1), ['other/21', 'eleven/11']);
		/* The search still finds a sleeping thread. Its row stays while it is selected. */
		await page.fill('#search', 'short');
		assert.equal(await page.textContent('#found'), '1 hit');
		await page.press('#search', 'Enter');
		assert.match(await page.textContent('#details'), /short\/22/);
		await page.fill('#search', '');
		assert.ok((await rows(30, 35)).includes('short/22'));
		await page.locator('#timeline').focus();
		await page.keyboard.press('Escape');
		assert.ok(!(await labels()).includes('short/22'));
		await page.click('#view-menu > summary');
		await page.uncheck('#active');
		assert.deepEqual(await labels(), all);
		await close(it);
	},

	async 'a row of the names searches for its threads'(browser) {
		const it = await open(browser, 'story'), { page } = it;

		await openTable(page, 'names-table');
		await page.click('#names-table tr:has(td:text-is("twelve"))');
		assert.equal(await page.inputValue('#search'), 'twelve');
		assert.equal(await page.textContent('#found'), '1 hit');
		assert.deepEqual((await table(page, 'threads-table')).map((row) => row[0][1]),
				 ['twelve']);
		await close(it);
	},

	async 'a click on a head sorts'(browser) {
		const it = await open(browser, 'random'), { page } = it;
		const column = async () => (await table(page, 'threads-table'))
			.map((row) => row.find((cell) => cell[0].startsWith('switches'))[1]);
		const sorted = it.json.threads.map((t) => t.switches).sort((a, b) => b - a);

		const head = '#threads-table th:has-text("switches")';

		await openTable(page, 'threads-table');
		await page.click(head + ' button');
		assert.deepEqual(await column(), sorted);
		assert.equal(await page.getAttribute(head, 'aria-sort'), 'descending');
		await page.click(head + ' button');
		assert.deepEqual(await column(), sorted.reverse());
		await close(it);
	},

	async 'a row of the longest waits leads to it'(browser) {
		const it = await open(browser, 'random'), { page } = it, wait = it.json.worst[2];

		await openTable(page, 'worst-table');
		await page.click('#worst-table tbody tr:nth-child(3)');
		const [length, id] = await page.evaluate(() => {
			const { selected, data: { spans, threads } } = fxtPage.timeline;

			return [spans.to[selected] - spans.from[selected],
				threads[spans.thread[selected]].id];
		});

		assert.deepEqual([length, id], [wait.latency_ns, String(wait.tid)]);
		await close(it);
	},

	async 'a trigger is told, and is what is in view'(browser) {
		const it = await open(browser, 'snapshot'), { page } = it;
		const [length, id, view] = await page.evaluate(() => {
			const { selected, view, data: { spans, threads } } = fxtPage.timeline;

			return [spans.to[selected] - spans.from[selected],
				threads[spans.thread[selected]].id, view.to - view.from];
		});

		assert.deepEqual([length, id, view], [3000000, '12', 6000000]);
		assert.match(await page.textContent('#trigger'),
			     /^Trigger: twelve\/12 waited 3.00 ms for CPU 0, until /);
		assert.ok(await page.locator('#trigger').isVisible());
		assert.equal(await page.textContent('#worst-table tbody tr:nth-child(1) td:nth-child(3)'),
			     'woken, the trigger');
		await close(it);
		const other = await share(browser, 'story');

		assert.ok(!await other.page.locator('#trigger').isVisible());
	},

	async 'the theme is that of the system until somebody chooses'(browser) {
		const it = await open(browser, 'random', { colorScheme: 'dark' }), { page } = it;
		const colour = () => page.evaluate(() =>
			getComputedStyle(document.body).backgroundColor);

		assert.equal(await colour(), 'rgb(20, 22, 26)');
		await shoot(it, 'random-dark');
		await page.click('#view-menu > summary');
		await page.selectOption('#theme', 'light');
		assert.equal(await colour(), 'rgb(255, 255, 255)');
		await page.reload();
		await page.waitForSelector('html[data-state=drawn]');
		assert.equal(await colour(), 'rgb(255, 255, 255)');
		await close(it);
	},

	/* The test of what is drawn opens this page. */
	'a million random switches fit into 11.5 MB'() {
		const { switches } = JSON.parse(fs.readFileSync(path.join(directory, 'large.json')));
		const bytes = fs.statSync(path.join(directory, 'large.html')).size;

		assert.ok(switches > 1e6, switches + ' switches');
		assert.ok(bytes < MOST_BYTES, bytes + ' bytes');
		console.log('# ' + switches + ' switches, ' + bytes + ' bytes');
	},

	async 'a page has its scripts without comments and indentation, in 107 kB'(browser) {
		const it = await share(browser, 'empty'), { page } = it;
		const bytes = fs.statSync(path.join(directory, 'empty.html')).size;

		assert.ok(bytes < EMPTY_BYTES, bytes + ' bytes');
		console.log('# ' + bytes + ' bytes');
		for (const text of await page.locator('style, script').allTextContents())
			assert.doesNotMatch(text, /\/\*|\*\/|^[ \t]|\n[ \t\n]/);
		assert.equal(await page.locator('script:not([type])').count(), 2);
	},

	async 'a very large recording has a page with a part of the timeline, and says so'(browser) {
		const it = await open(browser, 'part'), { page, json } = it;
		const text = await page.textContent('#part'), all = json.to_ns - json.from_ns;
		const { end, items, unknown } = await page.evaluate(() => {
			const { end: to, spans } = fxtPage.timeline.data;

			return { end: to, items: spans.count,
				 unknown: Array.from(spans.to).filter((time) => time > to).length };
		});

		assert.deepEqual([items, unknown], [2000, 0]);
		assert.ok(end < all / 5, end + ' of ' + all);
		const [, from] = text.match(new RegExp('^The timeline shows .* of .* from the start; tables and ' +
			'findings cover everything\\. The next part: fxt report --html part\\.html ' +
			'--slices 2000 --slices-from \\+([\\d.]+) \\S+part\\.fxt$'));

		assert.ok(Math.abs(from * 1e9 - end) < 2e6, text);
		assert.ok(await page.locator('#part').isVisible());
		/* The tables cover the whole recording. */
		assert.deepEqual((await table(page, 'threads-table')).length, json.threads.length);
		await shoot(it, 'part');
		/* If the timeline does not have the wait of a row, the details say so. */
		await openTable(page, 'worst-table');
		const late = json.worst.findIndex((w) => w.time_ns - json.from_ns > end);

		await page.click('#worst-table tbody tr:nth-child(' + (late + 1) + ')');
		assert.match(await page.textContent('#details'), /Not in the timeline, which has only a part/);
		await close(it);
		const whole = await share(browser, 'random');

		assert.ok(!await whole.page.locator('#part').isVisible());
	},

	async 'a later part of a very large recording is as in the page of all of it'(browser) {
		const file = (name) => path.join(directory, name), first = await open(browser, 'part');
		const [, from] = (await first.page.textContent('#part')).match(/--slices-from (\S+)/);

		await close(first);
		execFileSync('../collector/fxt/fxt', ['report', '--html', file('later.html'), '--slices',
			'2000', '--slices-from', from, file('part.fxt')], { stdio: 'ignore' });
		fs.copyFileSync(file('part.json'), file('later.json'));
		const later = await open(browser, 'later'), whole = await share(browser, 'random');
		const [begin, end, earliest] = await later.page.evaluate(() => {
			const { base, end: to, spans } = fxtPage.timeline.data;

			return [Number(base), to, spans.from.reduce((a, b) => Math.min(a, b), to)];
		});
		/* ns that each CPU was busy between two times since the start of the report. */
		const busy = ({ page }, a, b) => page.evaluate(([x, y]) => {
			const { cpuTracks, base } = fxtPage.timeline.data, shift = Number(base);

			return [...cpuTracks.values()].map((track) =>
				Math.round(gained(track, x - shift, y - shift)[RUNNING]));
		}, [a, b]);
		const a = begin + end * 0.1, b = begin + end * 0.9;

		assert.equal(earliest, 0);
		assert.deepEqual(await busy(later, a, b), await busy(whole, a, b));
		assert.ok((await busy(later, a, b))[0] > 0);
		const text = await later.page.textContent('#part');

		assert.match(text, /^The timeline shows .* of .*, from 0\.\d+ s on; tables .* next part: /);
		assert.ok(Number(text.match(/--slices-from \+([\d.]+)/)[1]) > Number(from));
		/* Times count from the start of the whole recording. */
		const into = begin - Number(later.json.from_ns);

		assert.ok((await later.page.textContent('#window'))
			.includes('from ' + (into / 1e9).toFixed(9) + ' s'));
		assert.deepEqual((await table(later.page, 'threads-table')).length,
				 later.json.threads.length);
		await shoot(later, 'later');
		await close(later);
	},

	...require('./html_firefox.js')({ directory, shots }),
	...require('./html_served.js').tests({ directory }),
	...require('./html_account.js')({ share, directory }),
	...require('./html_access.js')({ open, close, axe }),
	...require('./html_blame.js')({ open, close, shoot }),
	...require('./html_diff.js')({ directory, shoot }),
	...require('./html_events.js')({ open, close, shoot }),
	...require('./html_stacks.js')({ open, close, click, shoot, directory }),
	...require('./html_families.js')({ open, close, click, shoot, table, openTable }),
	...require('./html_colours.js')({ open, share, close, shoot }),
	...require('./html_search.js')({ open, close, shoot }),
	...require('./html_share.js')({ open, close, settle, click, place, openTable, shoot, directory }),
	...require('./html_slices.js')({ open, close, shoot, directory }),
	...require('./html_tasks.js')({ open, close, click, shoot, directory }),
	...require('./html_tables.js')({ open, close, openTable, table, shoot }),
	...require('./html_acts.js')({ open, close, click, place, shoot, directory }),
	...require('./html_why.js')({ open, close, click, shoot, directory }),
	...require('./html_marks.js')({ open, close, shoot }),
	...require('./html_cpus.js')({ open, share, close, click, shoot }),
	...require('./html_rows.js')({ open, close, click, shoot, directory }),
	...require('./html_layout.js')({ open, close, click, place, shoot }),
};

/* Most of a test is waiting for frames, so several run at once, each with a browser of its own. */
const AT_ONCE = 3;

/* Takes tests from @queue until it is empty. Return: how many failed. */
async function work(browser, queue) {
	let failed = 0;

	for (let next; (next = queue.shift());) {
		const { number, name, test } = next;

		try {
			await test(browser);
			console.log('ok ' + number + ' ' + name);
		} catch (error) {
			failed++;
			console.log(String(error.stack).replace(/^/gm, '# ') + '\nnot ok ' + number + ' ' + name);
		}
	}
	return failed;
}

async function main() {
	const queue = Object.entries(tests).filter(([name]) => name.match(wanted ?? ''))
		.map(([name, test], i) => ({ number: i + 1, name, test }));
	const browsers = await Promise.all(Array.from({ length: AT_ONCE }, () =>
		chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })));

	const last = { number: queue.length + 1, name: 'the pages that tests share have no error', async test() {
		for (const it of await Promise.all(sharedPages.values()))
			await close(it);
	} };

	console.log('1..' + last.number);
	const failed = await Promise.all(browsers.map((browser) => work(browser, queue)));

	failed.push(await work(browsers[0], [last]));
	await Promise.all(browsers.map((browser) => browser.close()));
	process.exitCode = failed.some(Boolean) ? 1 : 0;
}

main();
