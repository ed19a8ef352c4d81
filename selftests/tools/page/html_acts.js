// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_acts.js - checks what people do with the timeline of a page of fxt report --html: hover,
 * click on waits and sleeps, mark ranges, press keys. A part of html_check.js.
 *
 * In:  story.html, events.html, stacks.html (generate_page.c, which has their events), random.html.
 */
'use strict';

const assert = require('assert/strict');
const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const HARM = '</script><script>window.harmed=1</script>/31';

const selected = (page) => page.evaluate(() => {
	const { selected: s, data: { spans, threads } } = fxtPage.timeline;

	return s < 0 ? null : threads[spans.thread[s]].name + ' ' + KIND_NAMES[spans.kind[s]] + ' ' +
		spans.from[s] / 1e6;
});

const view = (page) => page.evaluate(() => [fxtPage.timeline.view.from / 1e6,
					    fxtPage.timeline.view.to / 1e6]);

/* Drags between two times, in ms of the page, at a height on the canvas. */
async function drag(page, from, to, y, key) {
	const [x0, x1, top] = await page.evaluate(([a, b]) => {
		const t = fxtPage.timeline, box = t.canvas.getBoundingClientRect();

		return [box.x + t.xAt(a * 1e6), box.x + t.xAt(b * 1e6), box.y];
	}, [from, to]);

	if (key)
		await page.keyboard.down(key);
	await page.mouse.move(x0, top + y);
	await page.mouse.down();
	await page.mouse.move((x0 + x1) / 2, top + y, { steps: 3 });
	await page.mouse.move(x1, top + y, { steps: 3 });
	await page.mouse.up();
	if (key)
		await page.keyboard.up(key);
}

/* The lines of a list of the details: [text, time or count, share]. */
const lines = (page, title) => page.evaluate((of) =>
	[...document.querySelectorAll('#details ul[aria-label="' + of + '"] li')].map((li) =>
		[li.children[0].textContent, li.children[2].textContent, li.children[3].textContent]),
	title);

/* Return: whether the timeline looks as it does when all of it is drawn anew */
const isComplete = (page) => page.evaluate(() => {
	const t = fxtPage.timeline, before = t.canvas.toDataURL();

	t.picture.shown = [];
	t.draw();
	return t.canvas.toDataURL() === before;
});

/* [CPU, from, to] of what lights up. */
const lights = (page) => page.evaluate(() =>
	fxtPage.timeline.highlight.map(({ cpu, from, to }) => [cpu, from, to]));

module.exports = ({ open, close, click, place, shoot, directory }) => ({
	async 'a view in motion has fewer details, and all of them when it rests'(browser) {
		const it = await open(browser, 'random'), { page } = it;

		/* Pretend that each frame takes very long. */
		await page.evaluate(() => {
			const t = fxtPage.timeline, draw = t.draw.bind(t);

			window.grains = [];
			t.draw = (grain) => {
				draw(grain);
				window.grains.push(grain);
				t.cost = 1000;
			};
		});
		for (let i = 0; i < 5; i++)
			await page.keyboard.press('w');
		await page.keyboard.down('d');
		await page.waitForFunction(() => window.grains.includes(4));
		await page.keyboard.up('d');
		await page.waitForFunction(() => window.grains.at(-1) === 1);
		assert.ok(await isComplete(page));
		await close(it);
	},

	async 'while a range is dragged, the rows below it stay as they are'(browser) {
		const it = await open(browser, 'random'), { page } = it;
		const { x, y, width, height } = await page.locator('#timeline').boundingBox();

		await page.mouse.move(x + width / 3, y + height / 2);
		await page.mouse.down();
		for (let i = 1; i <= 5; i++) {
			await page.mouse.move(x + width / 3 + 20 * i, y + height / 2);
			await page.evaluate(() => new Promise(requestAnimationFrame));
		}
		await page.waitForFunction(() => fxtPage.timeline.picture.isTaken);
		assert.ok(await isComplete(page));
		await page.mouse.up();
		/* Another view, other rows. */
		await page.keyboard.press('z');
		await page.waitForFunction(() => !fxtPage.timeline.picture.isTaken);
		await page.mouse.click(x + 60, y + height - 30);
		await page.evaluate(() => new Promise(requestAnimationFrame));
		assert.ok(await isComplete(page));
		await close(it);
	},

	async 'a tooltip describes what is under the mouse'(browser) {
		const it = await open(browser, 'story'), { page } = it;
		const hover = async (row, ms) => {
			const { x, y } = await place(page, row, ms);

			await page.mouse.move(x, y);
			return (await page.locator('#tooltip > div').allTextContents()).join(' | ');
		};

		assert.equal(await hover('CPU 1', 20),
			     'other/21 | running for 13.0 ms on CPU 1 | waited 3.00 ms before | ' +
			     'woken by eleven/11');
		assert.equal(await hover('twelve/12', 3.5), 'twelve/12 | runnable for 3.00 ms | ' +
			     'woken by eleven/11 | CPU 0 had: eleven/11 100%');
		assert.equal(await hover('eleven/11', 5.5), 'eleven/11 | preempted for 1.00 ms | ' +
			     'CPU 0 had: twelve/12 100%');
		assert.equal(await hover('CPU 0', 65), '7 records lost | within 10.0 ms');
		assert.ok((await hover(HARM, 47)).startsWith(HARM));
		assert.equal(await page.evaluate(() => window.harmed), undefined);
		await shoot(it, 'tooltip');
		const { x, y } = await place(page, 'twelve/12', 3.5), box =
			await page.locator('#timeline').boundingBox();

		await page.mouse.move(box.x + 60, y);
		assert.match((await page.locator('#tooltip > div').allTextContents()).join(' | '),
			     /^twelve\/12 \| process eleven\/11 \| ran 1.00 ms, waited 3.00 ms$/);
		/* There is no tooltip above the rows. */
		await page.mouse.move(box.x + box.width - 5, y);
		await page.mouse.move(x, box.y + 5);
		assert.ok(!await page.locator('#tooltip').isVisible());
		await close(it);
		const events = await open(browser, 'events');
		const at = await events.page.evaluate(() => {
			const t = fxtPage.timeline, box = t.canvas.getBoundingClientRect();
			const row = t.rows.find((r) => r.label === 'soft interrupts');

			return { x: box.x + t.xAt(27e6), y: box.y + t.rowY(row) + 9 };
		});

		await events.page.mouse.move(at.x, at.y);
		assert.equal((await events.page.locator('#tooltip > div').allTextContents()).join(' | '),
			     'NET_RX | soft interrupt for 2.00 ms');
		await close(events);
	},

	async 'the tooltip follows keys and the wheel while the mouse rests'(browser) {
		const it = await open(browser, 'many'), { page } = it;
		const box = await page.locator('#timeline').boundingBox();
		const shown = async () => (await page.locator('#tooltip > div').allTextContents()).join(' | ');
		/* What a new move of the mouse shows there. */
		const anew = async () => {
			await page.mouse.move(box.x + 60, box.y + 5);
			await page.mouse.move(box.x + 60, box.y + box.height - 100);
			return shown();
		};
		const before = await anew();

		await page.mouse.wheel(0, 220);
		await page.waitForFunction((text) => !byId('tooltip').hidden &&
			[...byId('tooltip').children].map((line) => line.textContent).join(' | ') !== text, before);
		const scrolled = await shown();

		assert.equal(scrolled, await anew());
		await page.keyboard.press('c');
		await page.waitForFunction((text) =>
			[...byId('tooltip').children].map((line) => line.textContent).join(' | ') !== text, scrolled);
		assert.equal(await shown(), await anew());
		await close(it);
		const story = await open(browser, 'story');

		await story.page.evaluate(() => fxtPage.timeline.setView(10e6, 30e6));
		const { x, y } = await place(story.page, 'CPU 1', 20);

		await story.page.mouse.move(x, y);
		assert.match(await story.page.textContent('#tooltip'), /^other\/21/);
		await story.page.keyboard.down('d');
		await story.page.waitForFunction(() => !byId('tooltip').textContent.startsWith('other/21'));
		await story.page.keyboard.up('d');
		await close(story);
	},

	async 'lists name the rest, and add up'(browser) {
		const it = await open(browser, 'many'), { page } = it;
		const all = await page.evaluate(() => {
			const t = fxtPage.timeline, from = t.data.end * 0.4, to = t.data.end * 0.6;

			t.setRange(from, to);
			t.sumUp();
			const { cpus, waits } = summarize(t.data, t.range), cells = cellsIn(t.data, t.range);

			return { 'run time': new Set(cells.filter((cell) => measureOf(t.data, cell) === 'run time')
				.map(({ thread }) => thread)).size, CPUs: cpus.length, wakers: waits.wakers.length };
		});

		for (const title of ['run time', 'CPUs', 'wakers']) {
			const shown = await lines(page, title);

			assert.equal(shown.length, 13, title);
			assert.equal(shown[12][0].replace(/\s/g, ''), all[title] - 12 + 'others');
		}
		const shares = (await lines(page, 'wakers')).map((line) => parseFloat(line[2]));

		assert.ok(Math.abs(shares.reduce((a, b) => a + b) - 100) < 0.1, shares.join());
		await close(it);
	},

	async 'slices narrower than the pointer are within its reach'(browser) {
		const it = await open(browser, 'story'), { page } = it;

		/* A slice of 1 ms in 71 ms is a few pixels wide, beside a long sleep. */
		await page.evaluate(() => fxtPage.timeline.setView(0, 71e6));
		const { x, y } = await place(page, 'short/22', 2.5);
		const wide = await page.evaluate(() => fxtPage.timeline.xAt(2e6) -
			fxtPage.timeline.xAt(1e6));

		await page.mouse.click(x + wide / 2 + 3, y);
		assert.equal(await selected(page), 'short running 1');
		await page.mouse.click(x + wide / 2 + 8, y);
		assert.equal(await selected(page), 'short sleeping 2');
		await close(it);
	},

	async 'a click on a wait shows who had the CPU, and leads there'(browser) {
		const it = await open(browser, 'story'), { page } = it;

		assert.match(await click(page, 'twelve/12', 3.5), /Who had CPU 0 meanwhile/);
		assert.deepEqual(await lines(page, 'Who had CPU 0 meanwhile'),
				 [['eleven/11', '3.00 ms', '100.00%']]);
		assert.deepEqual(await lights(page), [[0, 1e6, 4e6]]);
		await shoot(it, 'wait');
		await page.click('#details ul button:has-text("eleven/11")');
		assert.equal(await selected(page), 'eleven running 0');
		assert.deepEqual(await lights(page), []);
		await click(page, 'other/21', 10.5);
		assert.deepEqual(await lines(page, 'Who had CPU 1 meanwhile'),
				 [['(idle)', '3.00 ms', '100.00%']]);
		await close(it);
		const events = await open(browser, 'events');

		await click(events.page, 'short/22', 32);
		assert.deepEqual(await lines(events.page, 'Who had CPU 1 meanwhile'),
				 [['(NET_RX)', '2.00 ms', '50.00%'], ['(idle)', '2.00 ms', '50.00%']]);
		await close(events);
	},

	async 'a choice covers all threads, or those of the command, everywhere'(browser) {
		const it = await open(browser, 'commanded'), { page, json } = it;
		const all = JSON.parse(execFileSync('../collector/fxt/fxt', ['report', '--all', '--json',
			path.join(directory, 'commanded.fxt')], { encoding: 'utf8' }));
		/* What the tables and findings show. */
		const shown = () => page.evaluate(() => [
			...['threads', 'names', 'worst'].map((key) => fxtPage.tables[key].body.rows.length),
			[...document.querySelectorAll('#findings-list li')].map((li) => li.firstChild.textContent)]);
		const expected = (report) => [...['threads', 'names', 'worst'].map((key) => report[key].length),
			report.findings.length ? report.findings.map(({ text }) => text) : ['Nothing stands out.']];
		const covered = () => page.evaluate(() => {
			const { data, rows } = fxtPage.timeline, all = { from: 0, to: data.end };
			const cells = cellsIn(data, all).filter(({ cause }) => cause < FIRST_EVENT);

			return [rows.filter((row) => row.type === 'thread').map((row) => row.label).sort(),
				[...new Set(cells.map(({ thread }) => data.threads[thread].id))].sort(),
				[...new Set(blamePairs(data, all).map(({ victim }) => victim))].sort(),
				[...new Set(Array.from(data.waits, (s) => data.threads[data.spans.thread[s]].id))]];
		});
		const ofCommand = [['other/22', 'third/23'], ['22', '23'], ['other'], ['22']];

		assert.deepEqual(await page.locator('#scope option').allTextContents(),
				 ['2 threads of other/22', 'All 5 threads']);
		assert.deepEqual(await covered(), ofCommand);
		assert.deepEqual(await shown(), expected(json));
		/* A thread that is not covered has its process. */
		assert.match(await click(page, 'CPU 1', 15.5), /processheld\/21/);
		await page.selectOption('#scope', 'all');
		assert.deepEqual((await covered()).map((list) => list.length), [5, 5, 3, 3]);
		assert.deepEqual(await shown(), expected(all));
		assert.notDeepEqual(expected(all), expected(json));
		await shoot(it, 'scope');
		/* The link has the choice. */
		await page.waitForFunction(() => location.hash.includes('scope=all'));
		await page.reload();
		await page.waitForSelector('html[data-state=drawn]');
		assert.deepEqual((await covered())[1].length, 5);
		assert.deepEqual(await shown(), expected(all));
		await page.selectOption('#scope', '');
		assert.deepEqual(await covered(), ofCommand);
		assert.deepEqual(await shown(), expected(json));
		await close(it);
		/* The numbers are of all threads, however short the lists are. */
		const file = (name) => path.join(directory, name);

		execFileSync('../collector/fxt/fxt', ['report', '--top', '1', '--html', file('top.html'),
			file('commanded.fxt')], { stdio: 'ignore' });
		fs.copyFileSync(file('commanded.json'), file('top.json'));
		const top = await open(browser, 'top');

		assert.deepEqual(await top.page.locator('#scope option').allTextContents(),
				 ['2 threads of other/22', 'All 5 threads']);
		await close(top);
		const whole = await open(browser, 'moved');

		assert.ok(!await whole.page.locator('#scope').isVisible());
		await whole.page.evaluate(() => fxtPage.timeline.setRange(1e6, 2e6));
		await whole.page.evaluate(() => fxtPage.timeline.sumUp());
		assert.match(await whole.page.textContent('#details'), /coversAll 5 threads/);
		await close(whole);
	},

	async 'a wait that moves names who had each CPU; without a record of the move, nobody'(browser) {
		const it = await open(browser, 'moved'), { page } = it;

		await click(page, 'twelve/12', 3);
		assert.deepEqual(await lines(page, 'Who had CPU 0 → 1 meanwhile'), [
			['other/22', '2.00 ms', '50.00%'], ['eleven/11', '1.50 ms', '37.50%'],
			['(eth0)', '500 us', '12.50%']]);
		assert.deepEqual(await lights(page), [[0, 1e6, 3e6], [1, 3e6, 5e6]]);
		await shoot(it, 'moved');
		await click(page, 'held/21', 12);
		assert.deepEqual(await lines(page, 'Who had CPU 1 meanwhile'), [
			['(the quota of /build)', '4.00 ms', '80.00%'], ['(idle)', '1.00 ms', '20.00%']]);
		await click(page, 'other/22', 20);
		assert.deepEqual(await lines(page, 'Who had CPU (not known) meanwhile'),
				 [['(not known)', '2.50 ms', '100.00%']]);
		assert.deepEqual(await lights(page), []);
		await close(it);
	},

	async 'the slices that had the CPU light up'(browser) {
		const it = await open(browser, 'story'), { page } = it;
		const colour = (row, ms) => page.evaluate(([name, time]) => {
			const t = fxtPage.timeline, of = t.rows.find((r) => r.label === name);
			const c = document.createElement('canvas').getContext('2d');

			t.draw();
			c.drawImage(t.canvas, -Math.round(t.xAt(time * 1e6)),
				    -Math.round(t.rowY(of) + of.height - 6));
			return Array.from(c.getImageData(0, 0, 1, 1).data).join();
		}, [row, ms - 1]);
		const places = [['CPU 0', 3.5], ['CPU 0', 8], ['CPU 1', 20]];
		const all = () => Promise.all(places.map(([row, ms]) => colour(row, ms)));
		const before = await all();

		await click(page, 'twelve/12', 3.5);
		const after = await all();

		assert.deepEqual(after.map((c, i) => c === before[i]), [true, false, false]);
		await close(it);
	},

	async 'a click on a sleep shows who ended it, with an arrow'(browser) {
		const it = await open(browser, 'stacks'), { page } = it;

		assert.match(await click(page, 'worker/11', 5), /ended byflusher\/21/);
		const arrows = await page.evaluate(() => {
			const t = fxtPage.timeline, { spans, threads } = t.data;

			return t.wakeupsOf(t.selected).map((s) => threads[spans.waker[s]].id + ' ' +
				threads[spans.thread[s]].id + ' ' + spans.from[s] / 1e6);
		});

		assert.deepEqual(arrows, ['21 11 7']);
		await shoot(it, 'sleep');
		await page.click('#details button:has-text("Woken by flusher/21")');
		assert.equal(await selected(page), 'flusher running 3');
		assert.match(await click(page, 'worker/11', 15), /ended byan interrupt/);
		await close(it);
	},

	async 'dragging marks a range, whose sums are exact; Z zooms, Esc clears'(browser) {
		const it = await open(browser, 'story'), { page } = it;

		await page.evaluate(() => fxtPage.timeline.setView(0, 30e6));
		await drag(page, 1, 11, 200);
		const range = await page.evaluate(() => fxtPage.timeline.range);

		assert.ok(Math.abs(range.from - 1e6) < 1e5 && Math.abs(range.to - 11e6) < 1e5);
		/* The same with round numbers. */
		await page.evaluate(() => {
			fxtPage.timeline.setRange(11e6, 1e6);
			fxtPage.timeline.sumUp();
		});
		const text = await page.textContent('#details');

		assert.match(text, /length10\.0 ms/);
		/* CPU 0 runs from 1 to 9 ms, CPU 1 from 1 to 2 ms. */
		assert.match(text, /CPUs busy45\.00%, idle [\d.]+%, unknown [\d.]+% of 2 CPUs/);
		assert.match(text, /longest wait3\.00 ms, (twelve\/12|other\/21)/);
		assert.match(text, /waits that end3/);
		assert.deepEqual(await lines(page, 'run time'), [['eleven/11', '7.00 ms', '70.00%'],
			['twelve/12', '1.00 ms', '10.00%'], ['short/22', '1.00 ms', '10.00%']]);
		assert.deepEqual(await lines(page, 'waiting for a CPU'),
				 [['twelve/12', '3.00 ms', '30.00%'], ['other/21', '3.00 ms', '30.00%'],
				  ['eleven/11', '1.00 ms', '10.00%']]);
		assert.deepEqual(await lines(page, 'CPUs'), [['CPU 0', '8.00 ms', '80.00%'],
			['CPU 1', '1.00 ms', '10.00%']]);
		/* The third wait was that of a preempted thread, which nobody woke. */
		assert.deepEqual(await lines(page, 'wakers'), [['eleven/11', '2', '100.00%']]);
		await shoot(it, 'range');
		await page.locator('#timeline').focus();
		await page.keyboard.press('z');
		assert.deepEqual(await view(page), [1, 11]);
		await page.click('#details ul button:has-text("short/22")');
		assert.equal(await selected(page), 'short running 1');
		await page.locator('#timeline').focus();
		await page.keyboard.press('Escape');
		assert.equal(await page.evaluate(() => fxtPage.timeline.range), null);
		assert.equal(await selected(page), 'short running 1');
		await page.keyboard.press('Escape');
		assert.equal(await selected(page), null);
		await close(it);
	},

	async 'a drag over rows sums up these; the sums are by thread, process, CPU or cause'(browser) {
		const it = await open(browser, 'events'), { page } = it;
		const measures = () => page.evaluate(() => Object.fromEntries(
			[...document.querySelectorAll('#details section')].map((section) => [
				section.querySelector('h2').textContent, [...section.querySelectorAll('li')]
					.map((li) => li.children[0].textContent + ' ' + li.children[2].textContent)])));
		const between = async (first, last, from, to) => {
			const a = await place(page, first, from), b = await place(page, last, to);

			await page.mouse.move(a.x, a.y);
			await page.mouse.down();
			await page.mouse.move((a.x + b.x) / 2, b.y, { steps: 3 });
			await page.mouse.move(b.x, b.y, { steps: 3 });
			await page.mouse.up();
			await page.evaluate(() => {
				const t = fxtPage.timeline, { from: begin, to: end, rows } = t.range;

				t.setRange(Math.round(begin / 1e6) * 1e6, Math.round(end / 1e6) * 1e6, rows);
				t.onTell();
			});
			return measures();
		};
		const by = async (pivot) => {
			await page.selectOption('#details select', pivot);
			return measures();
		};

		/* The harmful names are 31 and 32; 31 blocks from 44 to 50 ms. */
		const threads = await between(HARM, '<img src=x onerror=harmed=1>&amp;"\'/32', 42, 52);
		const [first, second] = [HARM, '<img src=x onerror=harmed=1>&amp;"\'/32'];

		assert.deepEqual(threads['uninterruptible sleep'], [first + ' 6.00 ms']);
		assert.deepEqual(threads['run time'], [first + ' 3.00 ms', second + ' 2.00 ms']);
		assert.match(await page.textContent('#details'), /covers2 threads/);
		assert.match(await page.textContent('#details'), /waits that end2/);
		await shoot(it, 'range-rows');
		assert.deepEqual((await by('process'))['run time'], [first + ' 5.00 ms']);
		assert.deepEqual((await by('CPU'))['run time'], ['CPU 0 5.00 ms']);
		assert.deepEqual((await by('cause'))['waiting for a CPU'],
				 ['runnable: woken, waits for a CPU 3.00 ms']);
		await page.click('#details section:has(h2:text-is("uninterruptible sleep")) button');
		assert.equal(await selected(page), HARM.slice(0, -3) + ' uninterruptible 43');
		await page.locator('#timeline').focus();
		await page.keyboard.press('Escape');
		const cpu = await between('CPU 1', 'soft interrupts', 26, 36);

		assert.match(await page.textContent('#details'), /covers1 CPU/);
		assert.deepEqual(cpu['soft interrupts'], ['NET_RX 4.00 ms']);
		assert.deepEqual(cpu['system calls'], ['read 250 us']);
		assert.deepEqual(cpu.CPUs, ['CPU 1 1.00 ms']);
		await page.click('#details button:text-is("All rows")');
		assert.match(await page.textContent('#details'), /switches2waits/);
		await close(it);
	},

	async 'T goes to a time or marks a range, in the clock that is shown'(browser) {
		const it = await open(browser, 'random', { timezoneId: 'Asia/Tokyo' }), { page } = it;
		const type = async (text) => {
			await page.keyboard.press('t');
			await page.fill('#ask-text', text);
			/* The dialog tells when it has closed. */
			await page.evaluate(() => {
				window.answered = new Promise((done) => byId('ask').addEventListener('close', done));
			});
			await page.keyboard.press('Enter');
			await page.evaluate(() => window.answered.then(() => new Promise(requestAnimationFrame)));
			return view(page);
		};
		const round = (times) => times.map((ms) => Number(ms.toFixed(3)));

		/* A page that begins a second before midnight. */
		assert.deepEqual(await page.evaluate(() => {
			const before = { ...clock };

			Object.assign(clock, { mode: 'utc', epoch: 0n, page: 86399000000000n });
			const times = ['00:00:01', '23:59:58'].map((text) => timeOf(text, 5e9));

			Object.assign(clock, before);
			return times;
		}), [2e9, -1e9]);
		await page.locator('#timeline').focus();
		await page.evaluate(() => fxtPage.timeline.setView(0, 4e6));
		assert.deepEqual(round(await type('0.010000000')), [8, 12]);
		assert.deepEqual(round(await type('0.0055 - 0.013 s')), [5.5, 13]);
		assert.match(await page.textContent('#details'), /length7\.50 ms/);
		await type('soon');
		assert.match(await page.textContent('#ask-what'), /^Not a time: "soon"/);
		await page.keyboard.press('Escape');
		/* What the page prints is what it reads. */
		for (const mode of ['boot', 'utc', 'local']) {
			await page.click('#view-menu > summary');
			await page.selectOption('#clock', mode);
			await page.click('#view-menu > summary');
			await page.locator('#timeline').focus();
			const [a, b] = await page.evaluate(() => [startLabel(5e6), startLabel(6e6)]);

			assert.deepEqual(round(await type(a + ' to ' + b)), [5, 6], mode);
		}
		await close(it);
	},

	async 'a range is marked by keys: Shift and arrows'(browser) {
		const it = await open(browser, 'story'), { page } = it;
		const press = async (key) => {
			await page.keyboard.press(key);
			return page.evaluate(() => [fxtPage.timeline.range.from / 1e6, fxtPage.timeline.range.to / 1e6]);
		};

		await click(page, 'eleven/11', 3);
		assert.deepEqual(await press('Shift+ArrowRight'), [0, 4]);
		assert.deepEqual(await press('Shift+ArrowRight'), [0, 5]);
		assert.deepEqual(await press('Shift+ArrowRight'), [0, 9]);
		assert.match(await page.textContent('#details'), /length9\.00 ms/);
		assert.deepEqual(await press('Shift+ArrowLeft'), [0, 5]);
		await close(it);
	},

	async 'findings have flags in the ruler, which tell and show them'(browser) {
		const it = await open(browser, 'story'), { page } = it;
		const [x, y] = await page.evaluate(() => {
			const t = fxtPage.timeline, { data, model: { report } } = t, box = t.canvas.getBoundingClientRect();
			const twelve = data.threads.find((of) => of?.id === '12').number;

			report.findings = [{ ...report.findings[0], kind: 'spike', text: 'a <b>spike</b>', tid: 12, nth: 0,
				of_ns: 3e6, longest_from_ns: Number(data.base) + 1e6, cpu: null, culprits: [] }];
			t.select(data.spans.first[twelve] + 1);
			t.schedule();
			return [box.x + t.xAt(1e6) + 3, box.y + 8];
		});

		await page.mouse.move(x, y);
		assert.equal(await page.textContent('#tooltip'), 'a <b>spike</b>0.001000000 s');
		await shoot(it, 'flag');
		await page.mouse.click(x, y);
		assert.equal(await selected(page), 'twelve runnable 1');
		await close(it);
	},

	async 'shift and the ruler move, but never before the start'(browser) {
		const it = await open(browser, 'story'), { page } = it;

		await page.evaluate(() => fxtPage.timeline.setView(10e6, 30e6));
		await drag(page, 20, 15, 200, 'Shift');
		const [moved] = await view(page);

		assert.ok(Math.abs(moved - 15) < 0.2, String(moved));
		await drag(page, 20, 25, 10);
		const [back] = await view(page);

		assert.ok(Math.abs(back - 10) < 0.3, String(back));
		await drag(page, 12, 29, 10);
		assert.deepEqual(await view(page), [0, 20]);
		assert.equal(await page.evaluate(() => fxtPage.timeline.range), null);
		for (let i = 0; i < 4; i++)
			await page.keyboard.press('a');
		for (let i = 0; i < 40; i++)
			await page.keyboard.press('s');
		assert.deepEqual(await view(page), [0, 71]);
		await close(it);
	},

	async 'arrows go by slice and row, from nothing on'(browser) {
		const it = await open(browser, 'story'), { page } = it;
		const press = async (key) => {
			await page.keyboard.press(key);
			return selected(page);
		};

		await page.locator('#timeline').focus();
		assert.match(await press('ArrowRight'), /^</);
		await press('Escape');
		assert.match(await press('ArrowDown'), /^</);
		await page.evaluate(() => fxtPage.timeline.setView(0, 30e6));
		await click(page, 'eleven/11', 3);
		assert.equal(await selected(page), 'eleven running 0');
		assert.equal(await press('ArrowDown'), 'twelve runnable 1');
		assert.equal(await press('ArrowLeft'), 'twelve runnable 1');
		assert.equal(await press('ArrowRight'), 'twelve running 4');
		assert.equal(await press('ArrowUp'), 'eleven preempted 4');
		await click(page, 'CPU 1', 20);
		assert.equal(await press('ArrowUp'), '(idle) running 9');
		await close(it);
	},

	async 'a search zooms to its hits: Enter, then N and Shift + N'(browser) {
		const it = await open(browser, 'random'), { page } = it;
		const all = await view(page);

		await page.keyboard.press('/');
		await page.keyboard.type('io-');
		const found = Number((await page.textContent('#found')).match(/\d+/)[0]);

		assert.ok(found > 2, String(found));
		await page.keyboard.press('Enter');
		const first = await selected(page), [from, to] = await view(page);

		assert.ok(to - from < (all[1] - all[0]) / 10);
		await page.keyboard.press('n');
		const second = await selected(page);

		assert.notEqual(second, first);
		await page.keyboard.press('Shift+N');
		assert.equal((await selected(page)).split(' ')[0], first.split(' ')[0]);
		await page.keyboard.press('?');
		assert.ok(await page.locator('#keys').isVisible());
		await shoot(it, 'keys');
		await page.keyboard.press('Escape');
		assert.ok(!await page.locator('#keys').isVisible());
		await close(it);
	},
});
