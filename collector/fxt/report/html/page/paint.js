// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * paint.js - colours and patterns, and one track on a canvas.
 *
 * A span wider than a pixel is drawn as one slice. A pixel with several spans is a bar whose
 * heights are the shares of its time that each kind took. So the work depends on the width of the
 * canvas and not on the number of spans.
 */

/* Styles of slices: kinds, BUSY, then shades of hues. */
const BUSY = KINDS, STYLES = FIRST_HUE + HUES * SHADES;

/* Height of a slice, up to 1: kinds differ in height and pattern, not only in colour. */
const KIND_HEIGHT = [1, 0.75, 0.75, 0.4, 0.4, 1, 0, 0];
const SLEEP_PIXELS = 2;
const LEAST_GAP = 4;		/* pixels; narrower slices have no gap after them */
const TILE = 8;			/* pixels, size of the pattern of a state */
const FEW_PIXELS = 16;
const FEW_NUMBERS = 256;	/* of a list of rectangles, at first */
const LEAST_LABELLED = 12;	/* pixels, height of a slice with a label */
const LEAST_STACKED = 12;	/* pixels; lower columns have one colour */

/*
 * The colours of states are those of Okabe and Ito, which people with any colour vision can
 * distinguish. The hues of processes were chosen by calculation: html_colours.js checks that any two
 * differ for people with protanopia, deuteranopia and tritanopia. Others are in report.css.
 */
const COLOURS = {
	light: {
		running: '#0072b2', runnable: '#e69f00', sleeping: '#b4bac5', uninterruptible: '#b8568f',
		other: '#8a8200', unknown: '#9aa1ad', dead: '#ffffff', busy: '#56789a',
		'heat-low': '#a9cde8', 'heat-high': '#08306b',
		hues: ['#7d4faf', '#f6a5ff', '#bad55d', '#b24a0e', '#9b9100', '#760e52', '#ea8d7b',
		       '#6e91f3', '#02c5c0', '#543f00', '#007c6e', '#003c90'],
	},
	dark: {
		running: '#3d9fdb', runnable: '#e69f00', sleeping: '#565d6a', uninterruptible: '#d98cbb',
		other: '#e0d64a', unknown: '#747c8a', dead: '#14161a', busy: '#6f93b8',
		'heat-low': '#285680', 'heat-high': '#d6f0ff',
		hues: ['#912a65', '#7efcb6', '#ffd555', '#d7d9ff', '#a7b029', '#956ed2', '#05c2fd',
		       '#c9641e', '#009673', '#f988bd', '#695700', '#1855a9'],
	},
};

/* Give a canvas its number of pixels on the screen, and the font. Return: its context */
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
	context.font = '12px system-ui, sans-serif';
	context.textBaseline = 'middle';
	return context;
}

/* Empty a canvas. Return: its context */
function beginChart(canvas, width, height, theme) {
	const c = hiDpi(canvas, width, height);

	box(c, theme.page, 0, 0, width, height);
	return c;
}

function box(c, colour, x, y, width, height) {
	c.fillStyle = colour;
	c.fillRect(x, y, width, height);
}

/* A text, whose middle is at a height. */
function write(c, colour, text, x, y) {
	c.fillStyle = colour;
	c.fillText(text, x, y);
}

/* The tile that fills a kind. */
function pattern(context, colour, ink, lines) {
	const tile = document.createElement('canvas');

	tile.width = tile.height = TILE;
	const c = tile.getContext('2d');

	if (colour)
		box(c, colour, 0, 0, TILE, TILE);
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

/* A colour between two colours #rrggbb; share: 0 to 1. */
function mix(low, high, share) {
	const part = (colour, i) => parseInt(colour.slice(1 + 2 * i, 3 + 2 * i), 16);
	const parts = [0, 1, 2].map((i) => Math.round(part(low, i) +
						      share * (part(high, i) - part(low, i))));

	return '#' + parts.map((n) => n.toString(16).padStart(2, '0')).join('');
}

/* The hue itself, a lighter and a darker one. */
function shaded(colour, shade) {
	return shade === 0 ? colour : mix(colour, shade === 1 ? '#ffffff' : '#000000', 0.26);
}

/* Of a colour #rrggbb, as WCAG defines it. */
function luminance(colour) {
	const [r, g, b] = [1, 3, 5].map((i) => {
		const c = parseInt(colour.slice(i, i + 2), 16) / 255;

		return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
	});

	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function inkOn(colour) {
	return luminance(colour) > 0.179 ? '#000000' : '#ffffff';
}

/* The current colours of the style sheet. */
function readTheme(context) {
	const { dataset: { theme } } = document.documentElement;
	const style = getComputedStyle(document.documentElement);
	const colour = (name) => COLOURS[theme][name] ?? style.getPropertyValue('--' + name).trim();
	const page = colour('page'), solids = [...KIND_NAMES, 'busy'].map(colour), fills = solids.slice();

	fills[PREEMPTED] = pattern(context, colour('preempted'), page, RISING);
	fills[UNINTERRUPTIBLE] = pattern(context, colour('uninterruptible'), page, DOTS);
	fills[OTHER] = pattern(context, colour('other'), page, UPRIGHT);
	fills[UNKNOWN] = pattern(context, null, colour('unknown'), FALLING);
	const inks = solids.map(inkOn);

	for (let style = FIRST_HUE; style < STYLES; style++) {
		fills[style] = shaded(colour('hues')[hueOfStyle(style)], (style - FIRST_HUE) % SHADES);
		inks[style] = inkOn(fills[style]);
	}
	return {
		fills,
		tiles: tilesOf(fills, page),
		pixels: pixelsOf(page, { page, panel: colour('panel'), line: colour('line') }),
		inks,
		solids,
		loss: pattern(context, colour('warning-page'), colour('preempted'), FALLING),
		page,
		panel: colour('panel'),
		text: colour('text'),
		faint: colour('faint'),
		line: colour('line'),
		accent: colour('accent'),
		colour,
	};
}

/* As pixels, with the page behind: drawing rectangles with a canvas's own functions is slow. */
function tilesOf(fills, page) {
	const canvas = document.createElement('canvas');

	canvas.width = canvas.height = TILE;
	const c = canvas.getContext('2d', { willReadFrequently: true });

	return fills.map((fill) => {
		for (const style of [page, fill])
			box(c, style, 0, 0, TILE, TILE);
		const tile = new Uint32Array(c.getImageData(0, 0, TILE, TILE).data.buffer);

		return { pixels: tile, plain: typeof fill === 'string' ? tile[0] : 0 };
	});
}

/* Colours as pixels, by their names. */
function pixelsOf(page, colours) {
	const tiles = tilesOf(Object.values(colours), page);

	return Object.fromEntries(Object.keys(colours).map((name, i) => [name, tiles[i].plain]));
}

/* Pixels on the way to a part of a canvas; all numbers are pixels of the screen. */
class Raster {
	/* Fills the part with a colour. Drawing outside of the part is cut off. */
	begin(context, pixel, left, top, bottom) {
		const { width, height } = context.canvas;

		if (this.image?.width !== width || this.image?.height !== height) {
			this.image = context.createImageData(width, height);
			this.pixels = new Uint32Array(this.image.data.buffer);
		}
		this.context = context;
		this.width = width;
		this.left = left;
		this.top = top;
		this.bottom = Math.min(bottom, height);
		this.pixels.fill(pixel, top * width, this.bottom * width);
	}

	/* At least one pixel is filled. */
	add(tile, x0, y0, x1, y1) {
		const left = Math.max(this.left, x0), right = Math.min(this.width, Math.max(x1, x0 + 1));
		const top = Math.max(this.top, y0), bottom = Math.min(this.bottom, Math.max(y1, y0 + 1));

		if (tile.plain)
			this.fill(tile.plain, left, top, right, bottom);
		else
			this.fillPattern(tile.pixels, left, top, right, bottom);
	}

	/* Few pixels are quicker one by one. */
	fill(pixel, left, top, right, bottom) {
		const { pixels, width } = this;

		for (let y = top; y < bottom && right > left; y++) {
			const end = y * width + right;
			let at = y * width + left;

			if (right - left > FEW_PIXELS)
				pixels.fill(pixel, at, end);
			else
				while (at < end)
					pixels[at++] = pixel;
		}
	}

	fillPattern(tile, left, top, right, bottom) {
		for (let y = top; y < bottom; y++) {
			for (let x = left; x < right; x++)
				this.pixels[y * this.width + x] = tile[y % TILE * TILE + x % TILE];
		}
	}

	/* Neither clip nor transformation of the context matter. */
	draw() {
		if (this.bottom > this.top)
			this.context.putImageData(this.image, 0, 0, this.left, this.top,
						  this.width - this.left, this.bottom - this.top);
	}
}

/* x, y, width and height of rectangles; keeps its memory between frames. */
class RectangleList {
	constructor() {
		this.numbers = new Float64Array(FEW_NUMBERS);
		this.length = 0;
	}

	add(x, y, width, height) {
		let { length } = this;

		if (length + 4 > this.numbers.length) {
			const longer = new Float64Array(this.numbers.length * 2);

			longer.set(this.numbers);
			this.numbers = longer;
		}
		this.numbers[length++] = x;
		this.numbers[length++] = y;
		this.numbers[length++] = width;
		this.numbers[length++] = height;
		this.length = length;
	}

	/* A part of a low row; it becomes one with the same one beside it. */
	addBeside(x, y, width, height) {
		const { numbers } = this, n = this.length - 4;

		if (n >= 0 && numbers[n] + numbers[n + 2] === x && numbers[n + 3] === height &&
		    numbers[n + 1] === y)
			numbers[n + 2] += width;
		else
			this.add(x, y, width, height);
	}
}

/* Collects by style, then draws all at once. */
class Rectangles {
	constructor() {
		this.lists = Array.from({ length: STYLES }, () => new RectangleList());
		this.labels = [];
		this.raster = new Raster();
	}

	add(style, x, y, width, height) {
		this.lists[style].add(x, y, width, height);
	}

	/* A part of a low row, of one colour. */
	column(style, x, bottom, width, height) {
		this.lists[style].addBeside(x, bottom - height, width, height);
	}

	/* A part of a canvas, from left on and between two heights. */
	begin(context, theme, left, top, bottom) {
		this.ratio = context.getTransform().a;
		this.raster.begin(context, theme.pixels.page, Math.round(left * this.ratio),
				  Math.round(top * this.ratio), Math.round(bottom * this.ratio));
	}

	/* The background of a row, below all rectangles. */
	band(pixel, y, height) {
		const { raster, ratio } = this;

		raster.fill(pixel, raster.left, Math.max(raster.top, Math.round(y * ratio)), raster.width,
			    Math.min(raster.bottom, Math.round((y + height) * ratio)));
	}

	/* style, height: of the slice below; undefined: the text is beside it */
	label(text, x, y, width, style, height) {
		this.labels.push({ text, x, y, width, style, height });
	}

	/* A label that would mislead if it were cut: it is drawn only if all of it fits. */
	value(text, x, y, width, style) {
		this.labels.push({ text, x, y, width, style, isWhole: true });
	}

	fill(context, theme) {
		const { raster, ratio } = this;

		this.lists.forEach((list, style) => {
			const tile = theme.tiles[style], { numbers, length } = list;

			for (let i = 0; i < length; i += 4) {
				const x = numbers[i] * ratio, y = numbers[i + 1] * ratio;
				const width = numbers[i + 2] * ratio;
				/* A gap before the next one, if there is room. */
				const gap = width > LEAST_GAP ? 1 : 0;

				raster.add(tile, Math.round(x), Math.round(y),
					   Math.round(x + width) - gap,
					   Math.round(y + numbers[i + 3] * ratio));
			}
			list.length = 0;
		});
		raster.draw();
		for (const label of this.labels)
			drawLabel(context, theme, label);
		this.labels.length = 0;
	}
}

/* Draw a label, with the plain colour of its slice behind it: it is not readable on a pattern. */
function drawLabel(context, theme, { text, x, y, width, style, height, isWhole }) {
	const shown = fitText(context, text, width);

	if (!shown || (isWhole && shown !== text))
		return;
	if (style < KINDS && typeof theme.fills[style] !== 'string')
		box(context, theme.solids[style], x - 2, y - height / 2,
		    context.measureText(shown).width + 4, height);
	write(context, style === undefined ? theme.text : theme.inks[style], shown, x, y);
}

/* The part of a text that fits into a width; it then ends in ... */
function fitText(context, text, width) {
	if (context.measureText(text).width <= width)
		return text;
	const characters = Array.from(text);
	const fits = (n) => context.measureText(characters.slice(0, n).join('') + '…').width <= width;
	const most = atLeast(0, characters.length, (n) => !fits(n)) - 1;

	return most > 0 ? characters.slice(0, most).join('') + '…' : '';
}

/* Draws tracks between two times into rectangles. */
class TrackPainter {
	/*
	 * x: the start of the view on the canvas; width: pixels of the view; grain: width of a column
	 * of spans narrower than that, in pixels.
	 */
	constructor(rectangles, view, x, width, grain = 1) {
		this.grain = grain;
		this.rectangles = rectangles;
		this.from = view.from;
		this.to = view.to;
		this.x = x;
		this.width = width;
		this.scale = width / (view.to - view.from);
		this.before = new Float64Array(HUES);
		this.until = new Float64Array(HUES);
	}

	/* Pixels from this.x on. */
	pixel(time) {
		return (time - this.from) * this.scale;
	}

	time(pixel) {
		return this.from + pixel / this.scale;
	}

	/* look: styleOf(span, kind), denseStyle(kind), labelOf(span, kind, position) */
	paint(track, y, height, look) {
		let i = track.firstEndingAfter(this.from), done = 0;

		this.last = -1;
		while (i < track.count && done < this.width) {
			const from = Math.max(done, this.pixel(track.from[i]));
			const to = Math.min(this.width, this.pixel(track.to[i]));

			if (from >= this.width)
				break;
			if (to - from >= this.grain || (i + 1 === track.count && to > done)) {
				this.paintSlice(track, i, from, Math.max(to, from + 1), y, height,
						look);
				done = to;
				i++;
			} else {
				done = Math.max(done, Math.floor(from)) + this.grain;
				i = this.paintPixel(track, Math.floor(done - this.grain), i, y,
						    height, look);
			}
		}
	}

	paintSlice(track, i, from, to, y, height, look) {
		const kind = track.kind[i], share = KIND_HEIGHT[kind];
		const high = Math.max(SLEEP_PIXELS, Math.round(height * share));
		const width = to - from;
		const span = track.span(i);

		if (kind === DEAD)
			return;
		const style = look.styleOf(span, kind, i, track);

		this.rectangles.add(style, this.x + from, y + height - high, width, high);
		if (width > 30 && share >= 0.6 && height >= LEAST_LABELLED) {
			const text = look.labelOf(span, kind, i);

			if (text)
				this.rectangles.label(text, this.x + from + 4,
						      y + height - high / 2, width - 8, style, high);
		}
	}

	/* Return: the position of the first span that ends after the column */
	paintPixel(track, pixel, position, y, height, look) {
		const from = this.time(pixel), to = this.time(pixel + this.grain);
		const next = track.firstEndingAfter(to, position), of = track.hues ?? track;

		if (this.last === pixel)
			[this.before, this.until] = [this.until, this.before];
		else
			of.sumUntil(from, of.firstEndingAfter(from), this.before);
		of.sumUntil(to, next, this.until);
		this.last = pixel + this.grain;
		this.paintColumn(of.summed, pixel, y + height, height, look, height / (to - from));
		return next;
	}

	/* The shares of a column's time, from the bottom on; in low rows their sum, in one colour. */
	paintColumn(kinds, pixel, bottom, height, look, scale) {
		let best = -1, most = 0, sum = 0, y = bottom;

		for (let kind = 0; kind < kinds; kind++) {
			const high = (this.until[kind] - this.before[kind]) * scale;

			sum += high;
			if (high > most) {
				best = kind;
				most = high;
			}
			if (high < 0.05 || height < LEAST_STACKED)
				continue;
			/* Even the rarest state gets a pixel. Hues do not: there are too many. */
			const shown = Math.min(kinds === HUES ? high : Math.max(1, high),
					       y - bottom + height);

			this.rectangles.add(look.denseStyle(kind), this.x + pixel, y - shown,
					    this.grain, shown);
			y -= shown;
		}
		if (best >= 0 && (height < LEAST_STACKED || sum < 1))
			this.rectangles.column(look.denseStyle(best), this.x + pixel, bottom,
					       this.grain,
					       Math.min(height, Math.max(1, Math.round(sum))));
	}
}
