// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_rows.js - checks how rows of threads are grouped, sorted, closed, pinned and hidden in a page
 * of fxt report --html. A part of html_check.js.
 *
 * In:  story.html; stacks.html, with a cgroup (generate_page.c); random.html; many.html, with over a
 *      thousand threads.
 */
'use strict';

const assert = require('assert/strict');

const { change, makePage } = require('./html_ftrace.js');

const labels = (page) => page.evaluate(() => fxtPage.timeline.model.areas.threads.rows
	.filter((row) => row.type !== 'event').map((row) => row.label));

async function choose(page, id, value) {
	await page.click('#view-menu > summary');
	await page.selectOption('#' + id, value);
	await page.click('#view-menu > summary');
}

/* Clicks the name of a row. */
async function clickName(page, label) {
	const { x, y } = await page.evaluate((name) => {
		const t = fxtPage.timeline, box = t.canvas.getBoundingClientRect();
		const row = t.rows.find((r) => r.label === name);

		return { x: box.x + 60, y: box.y + t.rowY(row) + row.height / 2 };
	}, label);

	await page.mouse.click(x, y);
}

const HARM = ['</script><script>window.harmed=1</script>/31, 2 threads',
	      '</script><script>window.harmed=1</script>/31', '<img src=x onerror=harmed=1>&amp;"\'/32'];

module.exports = ({ open, close, click, shoot, directory }) => ({
	async 'threads are grouped by process, by cgroup or not at all'(browser) {
		const it = await open(browser, 'stacks'), { page } = it;

		assert.deepEqual(await labels(page), ['flusher/21', 'worker/11, 2 threads', 'worker/11',
						      'worker/12', 'kworker/31']);
		await choose(page, 'grouping', 'cgroup');
		assert.deepEqual(await labels(page), ['/<b>bank</b>, 1 thread', 'flusher/21',
			'cgroup unknown, 3 threads', 'worker/11', 'worker/12', 'kworker/31']);
		await shoot(it, 'cgroups');
		await choose(page, 'grouping', 'none');
		assert.deepEqual(await labels(page), ['flusher/21', 'worker/11', 'worker/12', 'kworker/31']);
		await close(it);
		/* Without cgroups, a recording cannot be grouped by them. */
		const story = await open(browser, 'story');

		assert.deepEqual(await story.page.locator('#grouping option').allTextContents(),
				 ['by process', 'not at all']);
		await close(story);
	},

	async 'threads are sorted by run time, waiting time, name or first appearance'(browser) {
		const it = await open(browser, 'random'), { page, json } = it;
		const waited = (t) => Number(t.woken?.sum_ns ?? 0) + Number(t.preempted_waits?.sum_ns ?? 0);
		const threads = json.threads.map((t) => t.name + '/' + t.tid);
		const rank = (of) => json.threads.map((t) => [of(t), t.name + '/' + t.tid]);

		await choose(page, 'grouping', 'none');
		await choose(page, 'order', 'run');
		assert.deepEqual(await labels(page), rank((t) => -t.run_ns)
			.sort((a, b) => a[0] - b[0]).map((r) => r[1]));
		await choose(page, 'order', 'name');
		assert.deepEqual(await labels(page), threads.slice().sort((a, b) => {
			const [x, y] = [a, b].map((l) => l.replace(/\/\d+$/, ''));

			return x < y ? -1 : x > y ? 1 : 0;
		}));
		await choose(page, 'order', 'first');
		const first = await page.evaluate(() => fxtPage.timeline.model.areas.threads.rows
			.filter((r) => r.type === 'thread').map((r) => r.track.from[0]));

		assert.deepEqual(first, first.slice().sort((a, b) => a - b));
		await choose(page, 'order', 'wait');
		const waits = (await labels(page)).map((label) =>
			waited(json.threads[threads.indexOf(label)]));

		/* The report counts only complete waits, so the order may differ a little. */
		assert.ok(waits.indexOf(Math.max(...waits)) < 3);
		/* Groups are sorted by the sums of their threads. */
		await choose(page, 'grouping', 'process');
		await choose(page, 'order', 'run');
		const heads = await page.evaluate(() => [...fxtPage.timeline.model.groups.keys()]);

		assert.deepEqual(heads, json.processes.slice().sort((a, b) => b.run_ns - a.run_ns)
			.map((p) => String(p.pid)));
		await close(it);
	},

	async 'a click on a name closes a group, whose row then shows when its threads run'(browser) {
		const it = await open(browser, 'story'), { page } = it;
		const all = await labels(page);

		await clickName(page, HARM[0]);
		assert.deepEqual(await labels(page), all.filter((label) =>
			label === HARM[0] || !HARM.includes(label)));
		const runs = await page.evaluate((label) => {
			const { track } = fxtPage.timeline.rows.find((row) => row.label === label);

			return Array.from(track.from, (from, i) => [from / 1e6, track.to[i] / 1e6]);
		}, HARM[0]);

		assert.deepEqual(runs, [[39, 43], [43, 45], [50, 59]]);
		await shoot(it, 'closed');
		/* A search opens the group, and so does the selection of a thread elsewhere. */
		await page.fill('#search', 'img');
		assert.deepEqual(await labels(page), [HARM[0].replace('2 threads', '1 thread'), HARM[2]]);
		await page.fill('#search', '');
		assert.ok(!(await labels(page)).includes(HARM[2]));
		await page.click('#tab-tables');
		await page.click('#parts [data-key=threads]');
		await page.click('#threads-table tr:has(td[data-value="32"])');
		assert.deepEqual(await labels(page), all);
		/* A key closes or opens all groups. */
		await page.locator('#timeline').focus();
		await page.keyboard.press('c');
		assert.ok((await labels(page)).length < all.length);
		await page.keyboard.press('c');
		assert.deepEqual(await labels(page), all);
		await close(it);
	},

	async 'threads are pinned below the CPUs, and hidden'(browser) {
		const it = await open(browser, 'story'), { page } = it;
		const pinned = () => page.evaluate(() => fxtPage.timeline.model.areas.pinned.rows
			.map((row) => row.label));
		const all = await labels(page);

		await click(page, 'twelve/12', 3.5);
		await page.click('#details button:has-text("Pin (P)")');
		assert.deepEqual(await pinned(), ['twelve/12']);
		assert.ok(!(await labels(page)).includes('twelve/12'));
		await shoot(it, 'pinned');
		await page.locator('#timeline').focus();
		await page.keyboard.press('p');
		assert.deepEqual(await pinned(), []);
		assert.deepEqual(await labels(page), all);
		await page.keyboard.press('h');
		assert.ok(!(await labels(page)).includes('twelve/12'));
		await page.click('#view-menu > summary');
		assert.equal(await page.textContent('#show-hidden'), 'Show 1 hidden thread');
		await page.click('#show-hidden');
		assert.deepEqual(await labels(page), all);
		assert.ok(!await page.locator('#show-hidden').isVisible());
		await close(it);
	},

	async 'a page with very many threads draws only rows on the screen'(browser) {
		const it = await open(browser, 'many'), { page, json } = it;
		const [drawn, rows] = await page.evaluate(() => {
			const t = fxtPage.timeline, { drawTrack } = Timeline.prototype;
			let count = 0;

			Timeline.prototype.drawTrack = function (...parts) {
				count++;
				return drawTrack.apply(this, parts);
			};
			t.draw();
			Timeline.prototype.drawTrack = drawTrack;
			return [count, t.rows.length];
		});

		assert.ok(json.threads.length > 1000 && rows > json.threads.length);
		assert.ok(drawn < 150, String(drawn));
		await close(it);
	},

	async 'a wait that is not over, for an unknown CPU, counts for no single CPU'(browser) {
		/* waiter is still waiting; text does not say where. The next thread had CPU 1. */
		makePage(directory, 'open', [change(0, 1, 'idle', 'R', 'waiter/100'), change(1, 1, 'waiter/100', 'R', 'hog/200'),
			change(2, 0, 'idle', 'R', 'next/300'), change(10, 0, 'next/300', 'S', 'idle')]);
		const it = await open(browser, 'open'), { page } = it;
		const waits = async (cpu) => {
			const [x, y, end] = await page.evaluate((n) => {
				const t = fxtPage.timeline, box = t.canvas.getBoundingClientRect(), row = t.model.ofCpu.get(n);

				return [box.x + LABELS + 1, box.y + t.rowY(row) + 2, box.right + 10];
			}, cpu);

			await page.mouse.move(x, y);
			await page.mouse.down();
			/* Within one row, which is high enough for a range of rows. */
			await page.mouse.move(end, y + 22, { steps: 3 });
			await page.mouse.up();
			return (await page.textContent('#details')).match(/waits that end(\d+)/)?.[1];
		};

		assert.deepEqual([await waits(1), await waits(0)], ['0', '0']);
		await page.click('#details button:text("All rows")');
		assert.match(await page.textContent('#details'), /waits that end1/);
		await close(it);
	},
});
