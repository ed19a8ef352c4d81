// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_colours.js - checks the colours of a page of fxt report --html. A part of html_check.js.
 *
 * In:  story.html, random.html (4 CPUs, each with dozens of threads).
 */
'use strict';

const assert = require('assert/strict');

const LEAST_DISTANCE = 0.085;	/* of two hues, in Oklab; just noticeable is about 0.02 */
const LEAST_CONTRAST = 4.5;	/* of text: WCAG AA */

/* Linear sRGB as people see it: Machado, Oliveira and Fernandes, 2009, at full severity. */
const VISIONS = {
	usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
	protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216,
		     -0.003882, -0.048116, 1.051998],
	deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413,
		       -0.011820, 0.042940, 0.968881],
	tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602,
		     0.004733, 0.691367, 0.303900],
};

const linear = (hex) => [1, 3, 5].map((i) => {
	const c = parseInt(hex.slice(i, i + 2), 16) / 255;

	return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
});

const times = (m, v) => [0, 3, 6].map((i) => m[i] * v[0] + m[i + 1] * v[1] + m[i + 2] * v[2]);

/* Oklab, of linear sRGB. */
function oklab(rgb) {
	const lms = times([0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451,
			   0.1073969566, 0.0883024619, 0.2817188376, 0.6299787005], rgb);

	return times([0.2104542553, 0.7936177850, -0.0040720468, 1.9779984951, -2.4285922050,
		      0.4505937099, 0.0259040371, 0.7827717662, -0.8086757660],
		     lms.map((c) => Math.cbrt(Math.max(0, c))));
}

const distance = (a, b) => Math.hypot(...a.map((c, i) => c - b[i]));

const luminance = (hex) => times([0.2126, 0.7152, 0.0722, 0, 0, 0, 0, 0, 0], linear(hex))[0];

function contrast(a, b) {
	const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);

	return (high + 0.05) / (low + 0.05);
}

const themes = ['light', 'dark'];

module.exports = ({ open, share, close, shoot }) => ({
	async 'people with any colour vision can tell the hues of processes apart'(browser) {
		for (const colorScheme of themes) {
			const it = await open(browser, 'story', { colorScheme });
			const hues = await it.page.evaluate(() => fxtPage.timeline.theme.colour('hues'));

			assert.equal(hues.length, 12);
			for (const [vision, matrix] of Object.entries(VISIONS)) {
				const seen = hues.map((hue) => oklab(times(matrix, linear(hue))));

				seen.forEach((a, i) => seen.slice(0, i).forEach((b, j) =>
					assert.ok(distance(a, b) > LEAST_DISTANCE, [colorScheme, vision,
						hues[i], hues[j], distance(a, b)].join(' '))));
			}
			await close(it);
		}
	},

	async 'texts contrast with what is behind them'(browser) {
		for (const colorScheme of themes) {
			const it = await open(browser, 'story', { colorScheme });
			const { pairs, inks } = await it.page.evaluate(() => {
				const { theme } = fxtPage.timeline, of = theme.colour;

				return { inks: theme.fills.map((fill, i) => [fill, theme.inks[i]])
						.filter(([fill]) => typeof fill === 'string').slice(-36),
					 pairs: ['page', 'panel', 'raised'].flatMap((back) =>
						['text', 'faint', 'accent'].map((text) => [of(back), of(text)]))
						.concat([[of('warning-page'), of('warning')]]) };
			});

			assert.equal(inks.length, 36);
			for (const [back, text] of pairs.concat(inks))
				assert.ok(contrast(back, text) >= LEAST_CONTRAST,
					  [colorScheme, back, text, contrast(back, text)].join(' '));
			await close(it);
		}
	},

	async 'neighbours on a CPU never look alike'(browser) {
		const it = await share(browser, 'random');
		const [alike, used, wrong] = await it.page.evaluate(() => {
			const { data } = fxtPage.timeline, { spans, styles } = data, found = new Set();
			let same = 0, other = 0;

			for (const track of data.cpuTracks.values()) {
				let last = -1;

				for (let i = 0; i < track.count; i++) {
					if (track.kind[i] !== RUNNING)
						continue;
					const thread = spans.thread[track.span(i)];
					const hue = (style) => Math.floor((style - FIRST_HUE) / SHADES);

					found.add(hue(track.styles[i]));
					same += last >= 0 && track.styles[i] === track.styles[last] &&
						spans.thread[track.span(last)] !== thread;
					/* A slice always has the hue of its process. */
					other += hue(track.styles[i]) !== hue(styles[thread]);
					last = i;
				}
			}
			return [same, found.size, other];
		});

		assert.deepEqual([alike, used, wrong], [0, 12, 0]);
	},

	/* CPU 1 is busy from 12 to 25 ms, idle after that, and not known before 2 ms. */
	async 'busy, idle and unknown CPUs look different, also without colours'(browser) {
		for (const colorScheme of ['light', 'dark']) {
			const it = await open(browser, 'story', { colorScheme });
			/* The different colours in the middle of the row between two times. */
			const colours = (from, to) => it.page.evaluate(([a, b]) => {
				const t = fxtPage.timeline, of = t.rows.find((r) => r.label === 'CPU 1');
				const x = t.xAt((a - 1) * 1e6) + 2, width = t.xAt((b - 1) * 1e6) - x - 2;
				const c = document.createElement('canvas').getContext('2d');

				c.canvas.width = Math.floor(width);
				c.drawImage(t.canvas, -Math.round(x), -Math.round(t.rowY(of) + of.height / 2));
				return [...new Set(new Uint32Array(
					c.getImageData(0, 0, c.canvas.width, 1).data.buffer))];
			}, [from, to]);
			const page = await it.page.evaluate(() => fxtPage.timeline.theme.pixels.page);
			const busy = await colours(17, 24), idle = await colours(30, 38);
			const unknown = await colours(1, 2);

			assert.deepEqual([busy.length, idle], [1, [page]]);
			assert.notEqual(busy[0], page);
			assert.ok(unknown.length > 1, 'unknown is a pattern: ' + unknown);
			await close(it);
		}
	},

	async 'a label hides no part of its slice, and is readable on it'(browser) {
		for (const colorScheme of themes) {
			const it = await open(browser, 'story', { colorScheme }), { page } = it;
			/* The longest run of pixels of the page in the lines of a slice of 70 pixels, at height y. */
			const hole = (row, from, to, kind) => page.evaluate(([name, a, b, of]) => {
				const t = fxtPage.timeline, r = t.rows.find(({ label }) => label === name);
				const length = (b - a) / 70 * (t.width - LABELS);

				t.setView(a - length / 3, a + length * 2 / 3);
				t.draw();
				const c = document.createElement('canvas').getContext('2d',
					{ willReadFrequently: true });
				const x = Math.round(t.xAt(a)) + 1, bottom = t.rowY(r) + r.height - 3;
				const high = of === null ? r.track.value[r.track.positionAt(a)] /
					r.look.fullOf(r.track) * (r.height - 6) : 16 * KIND_HEIGHT[of];
				let most = 0;

				c.canvas.width = 67;
				for (let y = Math.ceil(bottom - high) + 1; y < bottom - 1; y++) {
					c.drawImage(t.canvas, -x, -y);
					const pixels = new Uint32Array(c.getImageData(0, 0, 67, 1).data.buffer);
					let run = 0;

					for (const pixel of pixels) {
						run = pixel === t.theme.pixels.page ? run + 1 : 0;
						most = Math.max(most, run);
					}
				}
				return most;
			}, [row, from, to, kind]);

			assert.ok(await hole('twelve/12', 1e6, 4e6, 1) < 8);
			assert.ok(await hole('eleven/11', 4e6, 5e6, 2) < 8);
			assert.ok(await hole('waiting threads', 1e6, 4e6, null) < 8);
			await shoot(it, 'labels-' + colorScheme);
			const pairs = await page.evaluate(() => {
				const { solids, inks } = fxtPage.timeline.theme;

				return [RUNNING, RUNNABLE, PREEMPTED, BUSY].map((of) => [solids[of], inks[of]]);
			});

			for (const [back, ink] of pairs)
				assert.ok(contrast(back, ink) >= LEAST_CONTRAST, back + ' ' + ink);
			await close(it);
		}
	},

	async 'zoomed out, a CPU shows who ran, by shares'(browser) {
		const it = await share(browser, 'random'), { page } = it;
		const shares = await page.evaluate(() => {
			const t = fxtPage.timeline, { track } = t.rows[0], { data } = t;
			const rectangles = new Rectangles(), expected = new Array(HUES).fill(0);
			const hue = (style) => Math.floor((style - FIRST_HUE) / SHADES);

			/* Draw one pixel, in which the CPU ran hundreds of slices. */
			new TrackPainter(rectangles, t.view, 0, 1).paint(track, 0, 1000, t.cpuLook());
			for (let i = 0; i < track.count; i++) {
				if (track.kind[i] === RUNNING)
					expected[hue(data.styles[data.spans.thread[track.span(i)]])] +=
						(track.to[i] - track.from[i]) / data.end * 1000;
			}
			const drawn = expected.map((_, h) => rectangles.lists[styleOfHue(h, 0)].numbers[3]);

			return expected.map((high, h) => [high, drawn[h]]);
		});

		assert.ok(shares.every(([expected, drawn]) => Math.abs(expected - drawn) < 0.1),
			  JSON.stringify(shares));
		/* A low row shows only the hue with the largest share. */
		const [low, most] = await page.evaluate(() => {
			const t = fxtPage.timeline, { track } = t.rows[0], rectangles = new Rectangles();
			const sums = new Float64Array(HUES);

			new TrackPainter(rectangles, t.view, 0, 1).paint(track, 0, 6, t.cpuLook());
			track.hues.sumUntil(Infinity, track.count, sums);
			return [rectangles.lists.findIndex((list) => list.length),
				styleOfHue(sums.indexOf(Math.max(...sums)), 0)];
		});

		assert.equal(low, most);
		await shoot(it, 'who-ran');
	},
});
