// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_marks.js - checks where a page of fxt report --html draws the selection, what had the CPU, and
 * arrows of wakeups, and where links lead. A part of html_check.js.
 *
 * In:  many.html (64 CPUs, over a thousand threads).
 */
'use strict';

const assert = require('assert/strict');

const SMALL = { viewport: { width: 1280, height: 800 } };

/* Searches, and goes from hit to hit until the selected span is as wanted: a text of JavaScript. */
async function hit(page, text, isWanted) {
	await page.keyboard.press('/');
	await page.keyboard.type(text);
	await page.keyboard.press('Enter');
	await page.fill('#search', '');
	for (let i = 0; i < 100; i++) {
		const isFound = await page.evaluate((is) => {
			const t = fxtPage.timeline;

			return new Function('t', 's', 'return ' + is)(t, t.selected);
		}, isWanted);

		if (isFound)
			return;
		await page.locator('#timeline').focus();
		await page.keyboard.press('ArrowRight');
	}
	assert.fail('no such span');
}

/* Turns the wheel over the middle of an area. */
async function wheel(page, area, by) {
	const box = await page.locator('#timeline').boundingBox();
	const y = await page.evaluate((name) => {
		const { top, bottom } = fxtPage.timeline.model.areas[name];

		return (top + bottom) / 2;
	}, area);

	await page.mouse.move(box.x + 600, box.y + y);
	/* Pages hear of a wheel later, and not at all if it moves nothing. */
	const target = await page.evaluate(([name, step]) => {
		const { scroll, height, room } = fxtPage.timeline.model.areas[name];

		return Math.min(Math.max(0, scroll + step), Math.max(0, height - room));
	}, [area, by]);

	await page.mouse.wheel(0, by);
	await page.waitForFunction(([name, to]) => fxtPage.timeline.model.areas[name].scroll === to, [area, target]);
}

/*
 * The labels of the rows that the marks of the selection change, and the names at the edges of the
 * areas, whose labels are left out.
 */
const marked = (page) => page.evaluate(() => {
	const t = fxtPage.timeline, { drawEdges } = window, rows = new Set();
	const c = document.createElement('canvas').getContext('2d', { willReadFrequently: true });

	c.canvas.width = t.canvas.width;
	c.canvas.height = t.canvas.height;
	const pixels = () => {
		t.picture.shown = [];
		t.draw();
		c.drawImage(t.canvas, 0, 0);
		return new Uint32Array(c.getImageData(0, 0, t.width, t.pageHeight).data.buffer);
	};
	const { selected, highlight } = t;
	let names = [];

	window.drawEdges = (of, edges) => {
		names = edges.map(({ side, name }) => (side < 0 ? '↑ ' : '↓ ') + name);
	};
	const after = pixels(), edges = [...new Set(names)];

	t.selected = -1;
	t.highlight = [];
	const before = pixels(), width = Math.floor(t.width);

	Object.assign(t, { selected, highlight });
	window.drawEdges = drawEdges;
	t.schedule();
	for (let i = 0; i < after.length; i++) {
		if (after[i] !== before[i] && i % width > LABELS)
			rows.add(t.rowAt(Math.floor(i / width))?.label);
	}
	return { rows: [...rows], edges };
});

const names = (page) => page.evaluate(() => {
	const { selected, data: { spans, threads } } = fxtPage.timeline;

	return { thread: threadLabel(threads[spans.thread[selected]]), cpu: 'CPU ' + spans.cpu[selected] };
});

module.exports = ({ open, close, shoot }) => ({
	async 'the selection frames no row but its own; edges name what is scrolled out'(browser) {
		const it = await open(browser, 'many', SMALL), { page } = it;

		await hit(page, 'worker-1479', 't.data.spans.kind[s] === RUNNING && !t.wakeupsOf(s).length');
		const { thread, cpu } = await names(page);

		assert.deepEqual(await marked(page), { rows: [cpu, thread], edges: [] });
		await wheel(page, 'threads', 300);
		assert.deepEqual(await marked(page), { rows: [cpu], edges: ['↑ ' + thread] });
		const isLow = Number(cpu.slice(4)) < 32, cpuName = (isLow ? '↑ ' : '↓ ') + cpu;

		await wheel(page, 'cpus', isLow ? 9000 : -9000);
		assert.deepEqual(await marked(page), { rows: [], edges: ['↑ ' + thread, cpuName] });
		await wheel(page, 'threads', -300);
		assert.deepEqual(await marked(page), { rows: [thread], edges: [cpuName] });
		await wheel(page, 'threads', 300);
		await shoot(it, 'edges');
		/* The keys go back there. */
		await page.locator('#timeline').focus();
		await page.keyboard.press('f');
		assert.deepEqual((await marked(page)).edges, []);
		await close(it);
	},

	async 'the frame ends where its slice ends, also if it begins before the view'(browser) {
		const it = await open(browser, 'story'), { page } = it;
		const frames = await page.evaluate(() => {
			const t = fxtPage.timeline, track = t.data.threadTracks[
				t.data.threads.find((of) => of?.id === '11').number];
			const { strokeRect } = CanvasRenderingContext2D.prototype, found = [];

			t.select(track.spanNear(1e6));
			t.setView(2e6, 8e6);
			CanvasRenderingContext2D.prototype.strokeRect = function (x, y, width, height) {
				if (this.canvas === t.canvas)
					found.push(x + width - t.xAt(t.data.spans.to[t.selected]));
				strokeRect.call(this, x, y, width, height);
			};
			t.draw();
			CanvasRenderingContext2D.prototype.strokeRect = strokeRect;
			return found;
		});

		assert.equal(frames.length, 2);
		assert.ok(frames.every((by) => Math.abs(by) <= 3), frames.join());
		await close(it);
	},

	async 'arrows end at their rows, or at the edge that hides them'(browser) {
		const it = await open(browser, 'many', SMALL), { page } = it;

		await hit(page, 'worker', 't.data.spans.kind[s] === RUNNING && t.wakeupsOf(s).length > 1');
		for (const [area, by] of [['threads', 0], ['threads', 400], ['threads', -900], ['cpus', -9000],
					  ['cpus', 9000]]) {
			await wheel(page, area, by);
			const wrong = await page.evaluate(() => {
				const t = fxtPage.timeline, { drawArrow, drawEdges } = window, ends = [];
				let edges = [];

				window.drawArrow = (of, from, middle, to) => ends.push(from, to);
				window.drawEdges = (of, list) => {
					edges = list.map(({ name }) => name);
				};
				t.draw();
				Object.assign(window, { drawArrow, drawEdges });
				const { spans, threads } = t.data, cpus = new Set(), ofRow = (row) => row && [row];
				const rows = t.wakeupsOf(t.selected).flatMap((s) => [spans.waker[s], spans.thread[s]])
					.flatMap((number) => ofRow(t.model.ofThread.get(number)) ?? [])
					.concat([...t.model.ofCpu.values()]);
				const isOut = (row) => {
					const y = t.rowY(row) + row.height / 2;

					return y < row.area.top || y > row.area.bottom;
				};
				const middles = rows.filter((row) => !isOut(row)).map((row) => t.rowY(row) + row.height / 2);
				const sides = t.areas.flatMap(({ top, bottom }) => [top, bottom]);

				return { ends: ends.filter(([, y]) => ![...middles, ...sides].some((of) =>
						Math.abs(of - y) < 0.01)).length,
					 count: ends.length,
					 names: edges.filter((name) => !rows.some((row) => row.label === name && isOut(row))) };
			});

			assert.deepEqual([wrong.ends, wrong.names], [0, []], area + by);
			if (!by)
				assert.ok(wrong.count > 2);
		}
		await shoot(it, 'arrows');
		await close(it);
	},

	async 'a pinned thread is on the screen, however many CPUs there are'(browser) {
		for (const viewport of [SMALL.viewport, { width: 800, height: 500 }]) {
			const it = await open(browser, 'many', { viewport }), { page } = it;
			const seen = [];

			for (const text of ['worker-1479', 'worker-1176', 'io-', 'worker-1223']) {
				await hit(page, text, 'true');
				await page.locator('#timeline').focus();
				await page.keyboard.press('p');
				const { thread } = await names(page);
				const { x, y } = await page.evaluate(() => {
					const t = fxtPage.timeline, box = t.canvas.getBoundingClientRect();
					const row = t.model.ofThread.get(t.selectedThread);

					return { x: box.x + 60, y: box.y + t.rowY(row) + row.height / 2 };
				});

				await page.mouse.move(x, y);
				assert.ok((await page.textContent('#tooltip')).startsWith(thread), thread);
				await page.mouse.move(x, 5);
				seen.push(thread);
			}
			assert.deepEqual(await page.evaluate(() => fxtPage.timeline.model.areas.pinned.rows
				.map((row) => row.label).sort()), seen.sort());
			/* All areas are on the screen, one below the other. */
			assert.ok(await page.evaluate(() => {
				const t = fxtPage.timeline, [cpus, pinned, threads] = t.areas;

				return cpus.top === RULER && cpus.room && pinned.top === cpus.bottom && pinned.room &&
					threads.top === pinned.bottom && threads.bottom === t.pageHeight;
			}));
			await shoot(it, 'pins-' + viewport.width);
			await close(it);
		}
	},

	async 'a finding leads to its longest wait, and to who had the CPU then'(browser) {
		const it = await open(browser, 'random', SMALL), { page } = it;
		/* What is selected, and the view in lengths of the wait, from its start on. */
		const shown = () => page.evaluate(() => {
			const { selected: s, view, wait, data: { spans } } = fxtPage.timeline, { from, to } = wait;

			return { thread: spans.thread[s], isRunning: spans.kind[s] === RUNNING,
				 isInside: spans.from[s] < to && spans.to[s] > from,
				 view: [view.from, view.to].map((time) => Math.round((time - from) / (to - from) * 10) / 10) };
		});
		/* A finding with the last wait of a thread for another one. */
		const [victim, culprit, cpu] = await page.evaluate(() => {
			const t = fxtPage.timeline, { data } = t, { spans, threads } = data;
			const wait = data.waits.findLast((s) => spans.kind[s] === PREEMPTED && spans.to[s] < data.end * 0.9 &&
				culpritsOf(data, s)[0][0] >= 0), [[who]] = culpritsOf(data, wait);
			const party = (number, rest) => ({ name: threads[number].name, tid: Number(threads[number].id),
							   threads: 1, ...rest });
			const f = party(spans.thread[wait], { kind: 'behind', text: 'waits', nth: 0, pid: null,
				cpu: partsOf(data, wait)[0].cpu, ns: 9e9, direct_ns: 9e9, of_ns: 9e9,
				longest_ns: spans.to[wait] - spans.from[wait],
				longest_from_ns: String(data.base + BigInt(spans.from[wait])), culprits: [party(who)] });

			t.wait = { from: spans.from[wait], to: spans.to[wait] };
			tellFindings({ findings: [f], losses: {} }, () => t);
			return [spans.thread[wait], who, f.cpu];
		});
		const lead = async (text) => {
			await page.click('#tab-findings');
			await page.click('#findings-list button:has-text("' + text + '")');
			assert.ok(await page.locator('#panel-details').isVisible());
			return shown();
		};
		const view = [-0.5, 1.5];

		assert.deepEqual(await lead('Show the longest wait'),
				 { thread: victim, isRunning: false, isInside: true, view });
		assert.match(await page.textContent('#details'), /Who had CPU \d+ meanwhile/);
		assert.deepEqual((await marked(page)).edges, []);
		await page.keyboard.press('y');
		assert.match(await page.textContent('#details'), /Why: what it waited for/);
		await page.keyboard.press('0');
		assert.deepEqual(await lead('/'), { thread: culprit, isRunning: true, isInside: true, view });
		const onCpu = await lead('Show CPU ' + cpu);

		assert.deepEqual([onCpu.isRunning, onCpu.isInside, onCpu.view], [true, true, view]);
		await close(it);
	},

	async 'Y shows its answer, whatever tab is open; a row of a thread leads to its longest wait'(browser) {
		const it = await open(browser, 'story', SMALL), { page } = it;

		await page.click('#tab-tables');
		await page.click('#parts [data-key=threads]');
		await page.click('#threads-table tr:has(td[data-value="12"])');
		assert.match(await page.textContent('#details'), /twelve\/12.*runnable.*3\.00 ms.*Who had CPU 0/s);
		assert.deepEqual(await page.evaluate(() => Object.values(fxtPage.timeline.view)), [0, 6e6]);
		await page.click('#tab-tables');
		await page.keyboard.press('y');
		assert.ok(await page.locator('#panel-details').isVisible());
		assert.match(await page.textContent('#details'), /Why: what it waited for/);
		await close(it);
	},
});
