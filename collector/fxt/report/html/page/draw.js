// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * draw.js - colours, patterns, and one track on a canvas.
 *
 * A span wider than a pixel is drawn as one slice. A pixel with several spans is a bar
 * whose heights are the shares of its time that each kind took.
 * So the work depends on the width of the canvas and not on the number of spans.
 */
'use strict';

/* Styles of slices: the kinds, then these. */
const BUSY = KINDS, THREAD_HUES = 6, FIRST_HUE = KINDS + 1, STYLES = FIRST_HUE + THREAD_HUES;

/* Height of a slice, up to 1: kinds differ in height and pattern, not only in colour. */
const KIND_HEIGHT = [1, 0.62, 0.62, 0.4, 0.4, 1, 0, 0];
const SLEEP_PIXELS = 2;

/** hiDpi() - gives a canvas its number of pixels on the screen; returns its context */
function hiDpi(canvas, width, height) {
	const ratio = window.devicePixelRatio || 1, context = canvas.getContext('2d');

	if (canvas.width !== Math.round(width * ratio) ||
	    canvas.height !== Math.round(height * ratio)) {
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		canvas.style.width = width + 'px';
		canvas.style.height = height + 'px';
	}
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	return context;
}

/* The tile of 8 by 8 pixels that fills a kind. */
function pattern(context, colour, ink, lines) {
	const tile = document.createElement('canvas');

	tile.width = tile.height = 8;
	const c = tile.getContext('2d');

	if (colour) {
		c.fillStyle = colour;
		c.fillRect(0, 0, 8, 8);
	}
	c.strokeStyle = ink;
	c.lineWidth = 1.5;
	c.beginPath();
	for (const [x0, y0, x1, y1] of lines) {
		c.moveTo(x0, y0);
		c.lineTo(x1, y1);
	}
	c.stroke();
	return context.createPattern(tile, 'repeat');
}

const RISING = [[-2, 10, 10, -2], [-2, 2, 2, -2], [6, 10, 10, 6]];
const FALLING = [[-2, -2, 10, 10], [-2, 6, 2, 10], [6, -2, 10, 2]];
const DOTS = [[1, 2, 3, 2], [5, 6, 7, 6]];
const UPRIGHT = [[2, 0, 2, 8], [6, 0, 6, 8]];

/** readTheme() - the current colours of the style sheet */
function readTheme(context) {
	const style = getComputedStyle(document.documentElement);
	const colour = (name) => style.getPropertyValue('--' + name).trim();
	const page = colour('page'), fills = KIND_NAMES.map(colour);

	fills[PREEMPTED] = pattern(context, colour('preempted'), page, RISING);
	fills[UNINTERRUPTIBLE] = pattern(context, colour('uninterruptible'), page, DOTS);
	fills[OTHER] = pattern(context, colour('other'), page, UPRIGHT);
	fills[UNKNOWN] = pattern(context, null, colour('unknown'), FALLING);
	fills[BUSY] = colour('busy');
	for (let hue = 0; hue < THREAD_HUES; hue++)
		fills[FIRST_HUE + hue] = colour('thread-' + hue);
	return {
		fills,
		loss: pattern(context, colour('warning-page'), colour('preempted'), FALLING),
		page,
		panel: colour('panel'),
		text: colour('text'),
		faint: colour('faint'),
		line: colour('line'),
		accent: colour('accent'),
		onSlice: colour('on-slice'),
		colour,
	};
}

/** class Rectangles - collects by style, because changing the style is slow */
class Rectangles {
	constructor() {
		this.lists = Array.from({ length: STYLES }, () => []);
		this.labels = [];
	}

	add(style, x, y, width, height) {
		this.lists[style].push(x, y, width, height);
	}

	/* isPlain: the background has no pattern */
	label(text, x, y, width, isPlain) {
		this.labels.push({ text, x, y, width, isPlain });
	}

	fill(context, theme) {
		this.lists.forEach((list, style) => {
			if (!list.length)
				return;
			context.fillStyle = theme.fills[style];
			for (let i = 0; i < list.length; i += 4)
				context.fillRect(list[i], list[i + 1], list[i + 2], list[i + 3]);
			list.length = 0;
		});
		for (const label of this.labels)
			drawLabel(context, theme, label);
		this.labels.length = 0;
	}
}

/* Text on a pattern would not be readable. */
function drawLabel(context, theme, { text, x, y, width, isPlain }) {
	const shown = fitText(context, text, width);

	if (!isPlain && shown) {
		context.fillStyle = theme.page;
		context.fillRect(x - 2, y - 7, context.measureText(shown).width + 4, 14);
	}
	context.fillStyle = isPlain ? theme.onSlice : theme.text;
	context.fillText(shown, x, y);
}

/** fitText() - the part of a text that fits into a width; it then ends in ... */
function fitText(context, text, width) {
	if (context.measureText(text).width <= width)
		return text;
	const characters = Array.from(text);
	const fits = (n) => context.measureText(characters.slice(0, n).join('') + '…').width <=
			    width;
	const most = atLeast(0, characters.length, (n) => !fits(n)) - 1;

	return most > 0 ? characters.slice(0, most).join('') + '…' : '';
}

/** class TrackPainter - draws tracks between two times into rectangles */
class TrackPainter {
	/* x: the start of the view on the canvas; width: pixels of the view */
	constructor(rectangles, view, x, width) {
		this.rectangles = rectangles;
		this.from = view.from;
		this.to = view.to;
		this.x = x;
		this.width = width;
		this.scale = width / (view.to - view.from);
		this.before = new Float64Array(SUMMED);
		this.until = new Float64Array(SUMMED);
	}

	/* Pixels from this.x on. */
	pixel(time) {
		return (time - this.from) * this.scale;
	}

	time(pixel) {
		return this.from + pixel / this.scale;
	}

	/* look: styleOf(span, kind), denseStyle(kind), labelOf(span, kind) */
	paint(track, y, height, look) {
		let i = track.firstEndingAfter(this.from), done = 0;

		this.last = -1;
		while (i < track.count && done < this.width) {
			const from = Math.max(done, this.pixel(track.from[i]));
			const to = Math.min(this.width, this.pixel(track.to[i]));

			if (from >= this.width)
				break;
			if (to - from >= 1 || (i + 1 === track.count && to > done)) {
				this.paintSlice(track, i, from, Math.max(to, from + 1), y, height,
						look);
				done = to;
				i++;
			} else {
				done = Math.max(done, Math.floor(from)) + 1;
				i = this.paintPixel(track, Math.floor(done - 1), i, y, height,
						    look);
			}
		}
	}

	paintSlice(track, i, from, to, y, height, look) {
		const kind = track.kind[i], share = KIND_HEIGHT[kind];
		const high = Math.max(SLEEP_PIXELS, Math.round(height * share));
		/* A gap before the next one, if there is room. */
		const width = to - from > 4 ? to - from - 0.5 : to - from;
		const span = track.span(i);

		if (kind === DEAD)
			return;
		this.rectangles.add(look.styleOf(span, kind), this.x + from, y + height - high,
				    width, high);
		if (width > 30 && share >= 0.6) {
			const text = look.labelOf(span, kind);

			if (text)
				this.rectangles.label(text, this.x + from + 4,
						      y + height - high / 2, width - 8,
						      kind === RUNNING);
		}
	}

	/* Draws one pixel; returns the position of the first span that ends after it. */
	paintPixel(track, pixel, position, y, height, look) {
		const from = this.time(pixel), to = this.time(pixel + 1);
		const next = track.firstEndingAfter(to, position);
		let bottom = y + height;

		if (this.last === pixel)
			[this.before, this.until] = [this.until, this.before];
		else
			track.sumUntil(from, track.firstEndingAfter(from), this.before);
		track.sumUntil(to, next, this.until);
		this.last = pixel + 1;
		for (let kind = 0; kind < SUMMED; kind++) {
			const high = (this.until[kind] - this.before[kind]) / (to - from) * height;

			if (high < 0.05)
				continue;
			/* Even the rarest kind is visible. */
			const shown = Math.min(Math.max(1, high), bottom - y);

			this.rectangles.add(look.denseStyle(kind), this.x + pixel,
					    bottom - shown, 1, shown);
			bottom -= shown;
		}
		return next;
	}
}
