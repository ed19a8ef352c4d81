// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_families.js - checks parents of processes in a page of fxt report --html. A part of
 * html_check.js.
 *
 * In:  story.html: "init", which does nothing, is the parent of 11, 11 that of 21, and 21 that of
 *      31; 22 may run on two CPUs (generate_page.c). random.html: all have the parent 1.
 */
'use strict';

const assert = require('assert/strict');

const HARM = '</script><script>window.harmed=1</script>/31';

module.exports = ({ open, close, click, shoot, table, openTable }) => ({
	async 'details name the parents, and buttons lead to parents and children'(browser) {
		const it = await open(browser, 'story'), { page } = it;
		const details = () => page.textContent('#details');
		const press = (text) => page.click('#details button:has-text("' + text + '")');

		assert.match(await click(page, 'other/21', 15), /parenteleven\/11 ← init\/5/);
		await shoot(it, 'parents');
		await press('Parent eleven/11');
		/* The button leads to what the parent does at that time. */
		assert.match(await details(), /threadeleven\/11.*parentinit\/5.*sleeping/);
		assert.doesNotMatch(await details(), /Parent/);
		await press('Child other/21');
		assert.match(await details(), /threadother\/21/);
		await press('Child </script>');
		assert.match(await details(), /parentother\/21 ← eleven\/11 ← init\/5/);
		assert.ok((await details()).includes('thread' + HARM));
		assert.doesNotMatch(await details(), /Child/);
		/* The details list the CPUs of a thread that may not run on all. */
		assert.match(await click(page, 'short/22', 2.5), /may run onCPU 1,3/);
		assert.doesNotMatch(await click(page, 'other/21', 15), /may run on/);
		await close(it);
	},

	async 'processes can be sorted by their parents'(browser) {
		const it = await open(browser, 'story'), { page } = it;
		const parents = async () => (await table(page, 'processes-table')).map((row) =>
			row.find(([title]) => title.startsWith('parent'))[1]);

		await openTable(page, 'processes-table');
		await page.click('#processes-table th:has-text("parent") button');
		assert.deepEqual(await parents(), ['eleven/11', 'init/5', 'other/21']);
		await close(it);
	},

	async 'a parent may be unknown, or a descendant'(browser) {
		const it = await open(browser, 'random'), { page } = it;
		const rows = await page.evaluate(() => {
			const data = { processes: [
				{ pid: 7, name: 'a', parent: null, parentPid: 99 },
				{ pid: 8, name: 'b', parent: 0, parentPid: null },
				{ pid: 9, name: 'c', parent: 2, parentPid: null }] };

			return [0, 1, 2, null].map((owner) => ancestorLabels(data, owner));
		});

		assert.deepEqual(rows, [['?/99'], ['a/7', '?/99'], Array(8).fill('c/9'), []]);
		await page.evaluate(() => fxtPage.timeline.select(5));
		assert.match(await page.textContent('#details'), /parent\?\/1/);
		assert.doesNotMatch(await page.textContent('#details'), /Parent|Child/);
		assert.deepEqual(await page.evaluate(() => columnsOf({}, { key: 'processes', columns: [
			{ key: 'parent', title: 'parent', type: 'parent' }] },
			[{ parent_pid: null, parent_name: null }])), []);
		await close(it);
	},
});
