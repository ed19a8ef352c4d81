// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_events.js - checks interrupts, system calls, run queues and the like in a page of
 * fxt report --html. A part of html_check.js.
 *
 * In:  events.html, of a recording with all of them (generate_page.c); story.html, of one
 *      without any.
 */
'use strict';

const assert = require('assert/strict');

const labels = (page) => page.evaluate(() => fxtPage.timeline.rows
	.filter((row) => row.type === 'event').map((row) => row.label));

/* The place on the canvas of a row of events at a time in ms. */
const placeOf = (page, label, ms) => page.evaluate(([name, time]) => {
	const t = fxtPage.timeline, row = t.rows.find((r) => r.label === name);

	t.showRow(row);
	return { x: t.xAt(time * 1e6 - Number(t.data.base)),
		 y: t.rowY(row) + row.height / 2 };
}, [label, ms]);

/* The rows of the recording, in order. */
const ALL = ['interrupts', 'soft interrupts', 'idle states', 'sockets', 'interrupts sent',
	     'runnable threads', 'utilization (PELT)', 'frequency', 'throttled <b>/build</b>',
	     'work items', 'system calls', 'locks', 'memory', 'forks, exits', 'signals', 'migrations'];

module.exports = ({ open, close, shoot }) => ({
	async 'events have rows below their CPU and thread, which can be hidden'(browser) {
		const it = await open(browser, 'events'), { page } = it;

		assert.deepEqual(await labels(page), ALL);
		await shoot(it, 'events');
		await page.click('#view-menu > summary');
		await page.uncheck('#events');
		assert.deepEqual(await labels(page), []);
		await page.check('#events');
		assert.deepEqual(await labels(page), ALL);
		await close(it);
	},

	async 'each kind of rows can be hidden'(browser) {
		const it = await open(browser, 'events'), { page } = it;
		const box = (label) => '#event-rows label:has-text("' + label + '") input';

		await page.click('#view-menu > summary');
		await page.click('#event-menu summary');
		assert.deepEqual(await page.locator('#event-rows label').allTextContents(),
				 ALL.map((label) => ' ' + label.replace(/^throttled .*/,
									'throttled cgroups')));
		await page.uncheck(box('soft interrupts'));
		await page.uncheck(box('throttled cgroups'));
		await page.uncheck(box('migrations'));
		await shoot(it, 'events-menu');
		assert.deepEqual(await labels(page), ALL.filter((label) =>
			!/^(soft|throttled|migrations)/.test(label)));
		await page.check(box('soft interrupts'));
		assert.ok((await labels(page)).includes('soft interrupts'));
		await close(it);
	},

	async 'a click on an event describes it'(browser) {
		const it = await open(browser, 'events'), { page } = it;
		const at = await placeOf(page, 'soft interrupts', 28);

		await page.locator('#timeline').click({ position: at });
		const text = await page.textContent('#details');

		assert.match(text, /soft interruptNET_RX/);
		assert.match(text, /duration2.00 ms/);
		await close(it);
	},

	async 'clicks describe system calls, throttling, moments and counters'(browser) {
		const it = await open(browser, 'events'), { page } = it;

		for (const [label, ms, expected] of [
			['system calls', 34.4, /system callread.*duration250 us.*CPU1.*threadshort/],
			['locks', 58, /wait for a lockmutex, held by .*21duration26.3 ms.*threadshort/],
			['memory', 61.2, /reclaim or compactioncgroup reclaim, 32 pagesduration125 us.*threadshort/],
			['throttled <b>/build</b>', 45, /throttled cgroup<b>\/build<\/b>.*duration10.0 ms/],
			['runnable threads', 32, /run queue1 thread.*duration5.00 ms/],
			['runnable threads', 50, /run queue0 threads/],
			['utilization (PELT)', 50, /utilization256 of 1.024/],
			['frequency', 65, /frequency2000 MHz.*CPU1/],
			['sockets', 29.5, /data of a socketTCP data to :443, port 443 from 50000, 100 bytesstart/],
			['interrupts sent', 34.5, /interrupt sentflush → CPU 0start0.033500000 ssince boot0.034500000 s/],
			['forks, exits', 62, /eventforkstart.*since boot0.062000000 s.*threadshort/],
			['forks, exits', 63, /eventexit, code 3start/],
			['signals', 62.25, /signalsignal 15 → .*21, ignoredstart.*threadshort/],
			['signals', 62.5, /signaltakes signal 10, handledstart/],
			['migrations', 60.25, /migrationCPU 1 → 0start.*threadshort/],
		]) {
			await page.evaluate((at) => fxtPage.timeline.setView((at - 6) * 1e6,
									      (at + 4) * 1e6), ms);
			const at = await placeOf(page, label, ms);

			await page.locator('#timeline').click({ position: at });
			assert.match(await page.textContent('#details'), expected);
		}
		await shoot(it, 'events-end');
		await close(it);
	},

	async 'counters are averages, unknown after losses; slices do not overlap'(browser) {
		const it = await open(browser, 'events'), { page } = it;
		const heights = await page.evaluate(() => {
			const track = fxtPage.timeline.rows.find((r) => r.label ===
				'runnable threads').track, base = Number(fxtPage.timeline.data.base);
			const average = (from, to) => (track.integral(to * 1e6 - base) -
				track.integral(from * 1e6 - base)) / (to - from) / 1e6;

			return [average(28, 29), average(31, 32), average(34, 36), average(40, 41)];
		});

		assert.deepEqual(heights, [0, 1, 0.5, 0]);
		const ends = await page.evaluate(() => {
			const events = new Events(4, [{ kind: 'run queue' }]);

			events.from.set([10, 30, 90, 90]);
			events.cpu.set([0, 0, 0, 1]);
			endCounters(events, { end: 200, losses: [
				{ cpu: 0, from: 50, to: 80 }, { cpu: 0, from: 15, to: 20 }] });
			return Array.from(events.to);
		});

		/* After a loss a counter is unknown until its next value. */
		assert.deepEqual(ends, [15, 50, 200, 200]);
		const spans = await page.evaluate(() => {
			const track = new EventTrack({ from: [10, 15, 12, 41], to: [20, 30, 40, 50] },
						     [0, 1, 2, 3]);

			return [Array.from(track.from), Array.from(track.to),
				Array.from(track.index)];
		});

		/* Overlapping slices of a cgroup on several CPUs follow each other. */
		assert.deepEqual(spans, [[10, 20, 41], [20, 40, 50], [0, 2, 3]]);
		await close(it);
	},

	async 'tables have interrupts and work items'(browser) {
		const it = await open(browser, 'events'), { page } = it;

		assert.match(await page.textContent('#interrupts-table'), /NET_RX/);
		assert.match(await page.textContent('#interrupts-table'), /<b>eth0<\/b>/);
		assert.match(await page.textContent('#work_items-table'), /vmstat_update/);
		assert.match(await page.textContent('#system_calls-table'), /read1/);
		assert.match(await page.textContent('#throttled_cgroups-table'), /<b>\/build<\/b>/);
		assert.match(await page.textContent('#ipis-table'), /flush101/);
		assert.match(await page.textContent('#exits-table'), /short1code 3/);
		assert.match(await page.textContent('#idle_states-table'), /24.0 ms/);
		assert.match(await page.textContent('#cgroup_quotas-table'), /<b>\/build<\/b>824.00 ms/);
		assert.match(await page.textContent('#inherited_priorities-table'),
			     /short\/221120-1/);
		assert.match(await page.textContent('#longest_sleeps-table'), /an interrupt/);
		assert.match(await page.textContent('#threads-table thead'), /system calls/);
		assert.match(await page.textContent('#cpus-table thead'), /longest queue/);
		assert.match(await page.textContent('#cpus-table thead'), /idle states/);
		await page.click('#tab-tables');
		await page.click('#parts [data-key=interrupts]');
		assert.ok(await page.locator('#interrupts-title').isVisible());
		assert.match(await page.textContent('#worst-table'),
			     /of it interrupts 2.00 ms, most of that NET_RX/);
		await close(it);
	},

	async 'charts show waiting threads and the rate of system calls'(browser) {
		const it = await open(browser, 'events'), { page } = it;
		const charts = () => page.evaluate(() => fxtPage.timeline.rows
			.filter((row) => row.type === 'chart').map((row) => row.label));
		const average = (label, from, to) => page.evaluate(([name, a, b]) => {
			const { track } = fxtPage.timeline.rows.find((row) => row.type === 'chart' &&
				row.label === name);

			return (track.integral(b * 1e6) - track.integral(a * 1e6)) / (b - a) / 1e6;
		}, [label, from, to]);

		assert.deepEqual(await charts(), ['waiting threads', 'system call rate']);
		/* 12 waits from 1 to 4 ms, 11 from 4 to 5 ms, 21 from 8 to 11 ms. */
		assert.deepEqual([await average('waiting threads', 1, 5),
			await average('waiting threads', 5, 8), await average('waiting threads', 6, 10)],
				 [1, 0, 0.5]);
		/* The thread makes one system call in 71 ms. */
		assert.ok(Math.abs(await average('system call rate', 0, 71) - 1 / 0.071) < 0.01);
		const at = await page.evaluate(() => {
			const t = fxtPage.timeline, row = t.rows.find((r) => r.label === 'waiting threads');
			const box = t.canvas.getBoundingClientRect();

			t.showRow(row);
			return { x: box.x + t.xAt(2e6), y: box.y + t.rowY(row) + 8 };
		});

		await page.mouse.move(at.x, at.y);
		assert.deepEqual(await page.locator('#tooltip > div').allTextContents(),
				 ['1 thread', 'waiting threads, at most 1 thread']);
		await shoot(it, 'charts');
		await page.click('#view-menu > summary');
		await page.uncheck('#charts');
		assert.deepEqual(await charts(), []);
		await close(it);
	},

	async 'a recording without events has nothing of them'(browser) {
		const it = await open(browser, 'story'), { page } = it;

		assert.deepEqual(await labels(page), []);
		assert.ok(!await page.locator('#events').isVisible());
		assert.equal(await page.locator('#interrupts-title').count(), 0);
		for (const key of ['work_items', 'system_calls', 'throttled_cgroups', 'ipis', 'exits',
				   'idle_states', 'cgroup_quotas', 'inherited_priorities'])
			assert.equal(await page.locator('#' + key + '-title').count(), 0);
		await close(it);
	},
});
