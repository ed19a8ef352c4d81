// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_stacks.js - checks call stacks in a page of fxt report --html. A part of html_check.js.
 *
 * In:  stacks.html, of a recording with stacks (generate_page.c); story.html, of one without.
 */
'use strict';

const assert = require('assert/strict');
const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');

/* The functions that are drawn: [depth, name, share of the width in per cent, its label]. */
const frames = (page) => page.evaluate(() => {
	const all = [...document.querySelectorAll('#flame .frame')];
	const { width } = document.getElementById('flame').getBoundingClientRect();

	return all.map((frame) => [frame.node.depth, frame.textContent,
		Math.round(100 * (parseFloat(frame.style.width) + 1) / width), frame.title]);
});
const names = async (page) => (await frames(page)).map(([depth, name, share]) =>
	' '.repeat(depth) + name + ' ' + share);
const press = (page, name) => page.click('#flame .frame:has-text("' + name + '")');

const SLEPT = ['all 100', ' 0x401010 71', '  do_syscall_64 71', '   futex_wait 71',
	' do_syscall_64 29', '  <b>io_schedule</b> [fuse] 29'];

module.exports = ({ open, close, click, shoot, directory }) => ({
	async 'a flame graph shows where threads slept'(browser) {
		const it = await open(browser, 'stacks'), { page } = it;

		await page.click('#tab-flame');
		/* The graph is drawn once its size is known. */
		await page.waitForSelector('#flame .frame');
		const shown = await frames(page);

		assert.deepEqual(await names(page), SLEPT);
		assert.equal(shown[0][3], 'all: 21.0 ms, 3 times, 100.00%');
		assert.equal(shown[3][3], 'futex_wait: 15.0 ms, 2 times, 71.43%');
		await shoot(it, 'stacks');
		/* The sum of the report's stacks. */
		assert.equal(it.json.stacks.slept.reduce((ns, s) => ns + s.total_ns, 0), 21e6);
		await close(it);
	},

	async 'preemptions and wakers have graphs of their own'(browser) {
		const it = await open(browser, 'stacks'), { page } = it;

		await page.click('#tab-flame');
		await page.selectOption('#flame-kind', 'preempted');
		assert.deepEqual((await frames(page)).map((f) => f[3]),
				 ['all: 5.00 ms, 1 time, 100.00%',
				  'preempt_schedule: 5.00 ms, 1 time, 100.00%']);
		await page.selectOption('#flame-kind', 'wakers');
		/* The graph omits the functions after the tracepoint, and what was interrupted. */
		assert.deepEqual(await names(page),
				 ['all 100', ' asm_sysvec_timer 43', '  try_to_wake_up 43',
				  ' mutex_unlock 57', '  try_to_wake_up 57']);
		assert.match((await frames(page))[0][3], /21\.0 ms, 3 times/);
		await close(it);
	},

	async 'samples have a graph, of a thread and of a range'(browser) {
		const it = await open(browser, 'stacks'), { page } = it;

		await page.click('#tab-flame');
		await page.selectOption('#flame-kind', 'ran');
		assert.deepEqual(await names(page), ['all 100', ' 0x401010 50', '  do_syscall_64 25',
			'   clear_page 25', ' clear_page 50']);
		assert.equal((await frames(page))[0][3], 'all: 4.00 ms, 4 samples, 100.00%');
		assert.deepEqual(await page.locator('#flame-of option').allTextContents(),
				 ['all threads', 'name worker', 'name flusher', 'process worker/11',
				  'process flusher/21', 'thread worker/12', 'thread flusher/21']);
		await page.selectOption('#flame-of', { label: 'thread worker/12' });
		assert.equal((await frames(page))[0][3], 'all: 2.00 ms, 2 samples, 100.00%');
		await page.check('#flame-view');
		/* From 3 to 7 ms, of which the latter is not in it. */
		await page.evaluate(() => {
			fxtPage.timeline.setRange(2e6, 6e6);
			fxtPage.timeline.onTell();
		});
		await page.waitForFunction(() => fxtPage.flame.root.ns < 2e6);
		assert.equal((await frames(page))[0][3], 'all: 1.00 ms, 1 sample, 100.00%');
		await page.selectOption('#flame-of', '');
		assert.equal((await frames(page))[0][3], 'all: 2.00 ms, 2 samples, 100.00%');
		await close(it);
	},

	async 'only what a recording has can be chosen'(browser) {
		const file = (name) => path.join(directory, name);
		const kinds = ['where threads slept', 'where they were preempted', 'what woke them'];

		/* After the last sample; then what nobody slept in. */
		for (const [name, cut, want, chosen] of [
			['unsampled', ['--from', '+0.0125'], kinds, 'slept'],
			['awake', ['--to', '+0.0065'], [...kinds, 'what threads ran (samples)'], 'ran'],
		]) {
			execFileSync('../collector/fxt/fxt', ['cut', '-q', ...cut, '-o', file(name + '.fxt'),
				file('stacks.fxt')]);
			execFileSync('../collector/fxt/fxt', ['report', '-q', '--html', file(name + '.html'),
				file(name + '.fxt')]);
			fs.writeFileSync(file(name + '.json'), execFileSync('../collector/fxt/fxt',
				['report', '-q', '--json', file(name + '.fxt')]));
			const it = await open(browser, name), { page } = it;

			await page.click('#tab-flame');
			assert.deepEqual(await page.locator('#flame-kind option').allTextContents(), want);
			assert.equal(await page.locator('#flame-kind').inputValue(), chosen);
			await close(it);
		}
	},

	async 'a graph can be of a thread, a process, a name, or the part in view'(browser) {
		const it = await open(browser, 'stacks'), { page } = it;

		await page.click('#tab-flame');
		const of = (label) => page.selectOption('#flame-of', { label });

		assert.deepEqual(await page.locator('#flame-of option').allTextContents(),
				 ['all threads', 'name worker', 'process worker/11',
				  'thread worker/11', 'thread worker/12']);
		await of('thread worker/12');
		assert.deepEqual(await names(page), ['all 100', ' do_syscall_64 100',
			'  <b>io_schedule</b> [fuse] 100']);
		await of('process worker/11');
		assert.deepEqual(await names(page), SLEPT);
		await of('all threads');
		await page.check('#flame-view');
		await page.evaluate(() => fxtPage.timeline.setView(2e6, 4e6));
		await page.waitForFunction(() => fxtPage.flame.root.ns < 4e6);
		/* From 3 to 5 ms, 11 sleeps all the time, 12 half of it. */
		assert.deepEqual((await frames(page)).map((f) => f[3].replace(/,.*/, '')),
				 ['all: 3.00 ms', '0x401010: 2.00 ms', 'do_syscall_64: 2.00 ms',
				  'futex_wait: 2.00 ms', 'do_syscall_64: 1.00 ms',
				  '<b>io_schedule</b> [fuse]: 1.00 ms']);
		await close(it);
	},

	async 'a graph lists whom the page covers and who has time in it'(browser) {
		const file = (name) => path.join(directory, name);

		execFileSync('../collector/fxt/fxt', ['report', '-q', '--comm', 'worker', '--html',
			file('workers.html'), file('stacks.fxt')], { stdio: 'ignore' });
		fs.copyFileSync(file('stacks.json'), file('workers.json'));
		const it = await open(browser, 'workers'), { page } = it;
		const listed = () => page.locator('#flame-of option').allTextContents();

		assert.deepEqual(await page.locator('#scope option').allTextContents(),
				 ['2 threads, as selected', 'All ' + it.json.threads_counted + ' threads']);
		/* The cgroup of a thread that is not selected. */
		assert.ok(await page.evaluate(() => fxtPage.timeline.data.threads.some((t) => t?.cgroup === '/<b>bank</b>')));
		assert.equal(await page.locator('#grouping option[value=cgroup]').count(), 1);
		await page.click('#tab-flame');
		await page.selectOption('#flame-kind', 'preempted');
		assert.deepEqual(await listed(), ['all threads']);
		await page.selectOption('#scope', 'all');
		assert.deepEqual(await listed(), ['all threads', 'name flusher', 'process flusher/21',
						  'thread flusher/21']);
		await page.selectOption('#flame-of', 'name flusher');
		assert.match((await frames(page))[0][3], /^all: 5\.00 ms/);
		await page.selectOption('#flame-kind', 'slept');
		assert.equal(await page.locator('#flame-of').inputValue(), '');
		await close(it);
	},

	async 'a graph can be of a marked range, with idle kernel threads, and a flame'(browser) {
		const it = await open(browser, 'stacks'), { page } = it;
		const tops = () => page.evaluate(() => [...document.querySelectorAll('#flame .frame')]
			.map((frame) => [frame.node.depth, parseFloat(frame.style.top)]));

		await page.click('#tab-flame');
		await page.check('#flame-view');
		await page.evaluate(() => {
			fxtPage.timeline.setRange(2e6, 4e6);
			fxtPage.timeline.onTell();
		});
		await page.waitForFunction(() => fxtPage.flame.root.ns < 4e6);
		assert.equal((await frames(page))[0][3], 'all: 3.00 ms, 2 times, 100.00%');
		await page.uncheck('#flame-view');
		await page.check('#flame-idle');
		/* 31 waits for work from 23 to 27 ms. */
		assert.equal((await frames(page))[0][3], 'all: 25.0 ms, 4 times, 100.00%');
		await page.uncheck('#flame-idle');
		assert.equal((await frames(page))[0][3], 'all: 21.0 ms, 3 times, 100.00%');
		assert.ok((await tops()).every(([depth, top]) => top === 19 * depth));
		await page.selectOption('#flame-shape', 'flame');
		assert.ok((await tops()).every(([depth, top]) => top === 19 * (3 - depth)));
		await page.locator('#flame .zoomed').focus();
		await page.keyboard.press('ArrowUp');
		assert.equal(await page.evaluate(() => document.activeElement.textContent), '0x401010');
		await shoot(it, 'flame');
		await close(it);
	},

	async 'a click zooms, arrows move, a search marks functions'(browser) {
		const it = await open(browser, 'stacks'), { page } = it;

		await page.click('#tab-flame');
		const focused = () => page.evaluate(() => document.activeElement.textContent);

		await press(page, '0x401010');
		assert.deepEqual(await names(page), ['all 100', ' 0x401010 100',
			'  do_syscall_64 100', '   futex_wait 100']);
		assert.equal(await focused(), '0x401010');
		/* Leave the graph, which describes the frame under the mouse when drawn anew. */
		await page.mouse.move(5, 5);
		await page.keyboard.press('ArrowDown');
		assert.equal(await focused(), 'do_syscall_64');
		assert.match(await page.textContent('#flame-frame'), /^do_syscall_64: 15\.0 ms/);
		await page.keyboard.press('ArrowUp');
		await page.keyboard.press('ArrowUp');
		assert.equal(await focused(), 'all');
		await page.keyboard.press('Enter');
		assert.deepEqual(await names(page), SLEPT);
		await page.fill('#flame-search', 'IO_');
		assert.equal(await page.textContent('#flame-found'), '28.57% matches');
		assert.deepEqual(await page.locator('#flame .match').allTextContents(),
				 ['<b>io_schedule</b> [fuse]']);
		/* The zoom stays at its function if the other graph has that function, too. */
		await page.fill('#flame-search', '');
		await press(page, '0x401010');
		await page.selectOption('#flame-of', { label: 'thread worker/11' });
		assert.deepEqual((await names(page))[1], ' 0x401010 100');
		await page.click('#flame-reset');
		assert.equal(await page.locator('#flame .above').count(), 0);
		await close(it);
	},

	async 'the details of a sleep have its stack and that of its waker'(browser) {
		const it = await open(browser, 'stacks'), { page } = it;

		await page.click('#tab-flame');
		assert.match(await click(page, 'worker/11', 5),
			     /slept infutex_wait < do_syscall_64 < 0x401010/);
		assert.match(await click(page, 'worker/11', 5),
			     /woken fromtry_to_wake_up < mutex_unlock/);
		assert.match(await click(page, 'flusher/21', 12), /preempted inpreempt_schedule/);
		assert.match(await click(page, 'worker/11', 15),
			     /woken fromtry_to_wake_up < asm_sysvec_timer(?! <)/);
		assert.match(await click(page, 'kworker/31', 25), /slept in<b>io_schedule/);
		assert.match(await click(page, 'worker/11', 15), /slept infutex_wait/);
		assert.match(await click(page, 'flusher/21', 5), /ran inclear_page 2 of 2 samples/);
		assert.match(await click(page, 'worker/12', 12), /ran in0x401010 1 of 1 sample(?!s)/);
		assert.doesNotMatch(await click(page, 'worker/11', 10), /ran in/);
		assert.doesNotMatch(await click(page, 'worker/12', 18), /slept in/);
		assert.ok(await page.evaluate(() => !window.harmed));
		await close(it);
	},

	async 'a page without stacks has no flame graph'(browser) {
		const it = await open(browser, 'story');

		assert.ok(!await it.page.locator('#panel-flame').isVisible());
		assert.ok(!await it.page.locator('#tab-flame').isVisible());
		await close(it);
	},
});
