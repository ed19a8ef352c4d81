// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline.js - rows of CPUs and threads, the view, the selection; drawing, and input.
 *
 * First colours, patterns, and one track on a canvas.
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

/*
 * Rows of CPUs and threads, the view, and the selection.
 *
 * In: the data of the timeline, and requests of the functions below. Out: pixels; and calls of onView
 * and onSelect, so that the rest of the page follows.
 */
const LABELS = 190;		/* pixels on the left, for names */
const RULER = 26;
const ROW_HEIGHT = { cpu: 28, thread: 22, process: 22, event: 18 };
const LEAST_VIEW = 50;		/* ns */
const MOST_ARROWS = 64;
const ACTIVE = [RUNNING, RUNNABLE, PREEMPTED];

function threadsByProcess(timeline, report) {
	const order = new Map(), byProcess = new Map();

	report.threads.forEach((t, i) => order.set(keyOf(t.tid, t.nth), i));
	const shown = timeline.threads.filter((t) => t && t.isShown &&
					      timeline.threadTracks[t.number].count);

	shown.sort((a, b) => (order.get(a.key) ?? Infinity) - (order.get(b.key) ?? Infinity) ||
		   a.number - b.number);
	report.processes.forEach((p) => byProcess.set(keyOf(p.pid ?? 0, p.nth), []));
	for (const t of shown) {
		if (!byProcess.has(t.process))
			byProcess.set(t.process, []);
		byProcess.get(t.process).push(t);
	}
	return byProcess;
}

/** class Timeline - the canvas with the rows */
class Timeline {
	constructor(data, report) {
		this.data = data;
		this.report = report;
		this.canvas = byId('timeline');
		this.scroller = byId('scroller');
		this.rectangles = new Rectangles();
		this.view = { from: 0, to: data.end };
		this.selected = -1;
		this.wanted = () => true;
		this.isOnlyActive = false;
		this.onView = () => {};
		this.onSelect = () => {};
		this.onEvent = () => {};
		this.eventRows = new EventRows(data.events);
		this.hasEvents = true;
		this.isDue = false;
		this.byProcess = threadsByProcess(data, report);
		this.found = Array.from(this.byProcess.values()).flat();
		this.processNames = new Map(report.processes.map(
			(p) => [keyOf(p.pid ?? 0, p.nth), p.name]));
		this.lossesByCpu = groupLosses(data.losses);
		this.themeChanged();
		this.makeRows();
		this.scroller.style.maxHeight = RULER + this.height + 2 + 'px';
	}

	themeChanged() {
		this.theme = readTheme(this.canvas.getContext('2d'));
		this.schedule();
	}

	/* --- rows ------------------------------------------------------------------- */

	makeRows() {
		this.rows = [];
		this.rowOfThread = new Map();
		this.rowOfCpu = new Map();
		for (const cpu of this.data.cpus) {
			const row = { type: 'cpu', cpu, label: 'CPU ' + cpu,
				      track: this.data.cpuTracks.get(cpu) };

			this.rowOfCpu.set(cpu, row);
			this.rows.push(row);
			if (this.hasEvents)
				this.rows.push(...this.eventRows.rowsOf('cpu', cpu));
		}
		if (this.hasEvents)
			this.rows.push(...this.eventRows.ofCgroups());
		for (const [process, threads] of this.byProcess)
			this.addProcess(process, threads.filter((t) => this.wanted(t) &&
				(!this.isOnlyActive || this.isActive(t))));
		let top = 0;

		for (const row of this.rows) {
			row.top = top;
			row.height = ROW_HEIGHT[row.type];
			top += row.height;
		}
		this.height = top;
		this.resize();
	}

	/* Does the thread run or wait for a CPU in view? The selected thread always counts. */
	isActive(thread) {
		const track = this.data.threadTracks[thread.number], { from, to } = this.view;

		for (let i = track.firstEndingAfter(from); i < track.count && track.from[i] < to; i++) {
			if (ACTIVE.includes(track.kind[i]))
				return true;
		}
		return this.selected >= 0 && this.data.spans.thread[this.selected] === thread.number;
	}

	/* A process with one thread of the same name and id needs no row of its own. */
	addProcess(process, threads) {
		if (!threads.length)
			return;
		const name = process === '0' ? 'process unknown' :
			nameLabel(this.processNames.get(process) ?? null, threads[0].pid);

		if (threads.length > 1 || nameLabel(threads[0].name, threads[0].id) !== name)
			this.rows.push({ type: 'process',
					 label: name + ', ' + plural(threads.length, 'thread') });
		for (const thread of threads) {
			const row = { type: 'thread', thread,
				      label: nameLabel(thread.name, thread.id),
				      track: this.data.threadTracks[thread.number] };

			this.rowOfThread.set(thread.number, row);
			this.rows.push(row);
			if (this.hasEvents)
				this.rows.push(...this.eventRows.rowsOf('thread', thread.number));
		}
	}

	/** filterThreads() - shows only threads for which a function returns true */
	filterThreads(wanted) {
		this.wanted = wanted;
		this.found = Array.from(this.byProcess.values()).flat().filter(wanted);
		this.makeRows();
		return this.found.length;
	}

	/** showOnlyActive() - hides threads that neither run nor wait in view */
	showOnlyActive(isOnlyActive) {
		this.isOnlyActive = isOnlyActive;
		this.makeRows();
	}

	/** showEventRows() - shows or hides one kind of rows of events */
	showEventRows(label, isShown) {
		if (isShown)
			this.eventRows.hidden.delete(label);
		else
			this.eventRows.hidden.add(label);
		this.makeRows();
	}

	/** showEvents() - shows or hides the rows of interrupts, system calls and the like */
	showEvents(hasEvents) {
		this.hasEvents = hasEvents;
		this.makeRows();
	}

	resize() {
		this.width = Math.max(LABELS + 50, this.scroller.clientWidth);
		this.pageHeight = this.scroller.clientHeight;
		byId('spacer').style.height =
			Math.max(0, RULER + this.height - this.pageHeight) + 'px';
		this.schedule();
	}

	rowAt(y) {
		const at = y - RULER + this.scroller.scrollTop;
		const i = atLeast(0, this.rows.length,
				  (n) => this.rows[n].top + this.rows[n].height > at);

		return y >= RULER && i < this.rows.length ? this.rows[i] : null;
	}

	rowY(row) {
		return RULER + row.top - this.scroller.scrollTop;
	}

	/** showRow() - scrolls to a row */
	showRow(row) {
		const room = this.pageHeight - RULER;

		if (row.top < this.scroller.scrollTop ||
		    row.top + row.height > this.scroller.scrollTop + room)
			this.scroller.scrollTop = Math.max(0, row.top - room / 2);
		this.schedule();
	}

	/* --- view ------------------------------------------------------------------- */

	/** setView() - sets start and end, limited to the trace */
	setView(from, to) {
		const margin = 0.02 * this.data.end;
		const length = Math.min(Math.max(to - from, LEAST_VIEW),
					this.data.end + 2 * margin);
		const begin = Math.min(Math.max(from, -margin), this.data.end + margin - length);

		this.view = { from: begin, to: begin + length };
		if (this.isOnlyActive)
			this.makeRows();
		this.schedule();
	}

	showAll() {
		this.setView(0, this.data.end);
	}

	/** zoom() - zooms by a factor; a given time stays in place */
	zoom(factor, about) {
		const { from, to } = this.view;
		const length = Math.max((to - from) * factor, LEAST_VIEW);
		const share = (about - from) / (to - from);

		this.setView(about - share * length, about + (1 - share) * length);
	}

	/** move() - moves by a share of the view */
	move(part) {
		const by = part * (this.view.to - this.view.from);

		this.setView(this.view.from + by, this.view.to + by);
	}

	timeAt(x) {
		const { from, to } = this.view;

		return from + (x - LABELS) / (this.width - LABELS) * (to - from);
	}

	xAt(time) {
		const { from, to } = this.view;

		return LABELS + (time - from) / (to - from) * (this.width - LABELS);
	}

	/** fit() - fits the selection, with as much again around it */
	fit() {
		if (this.selected < 0)
			return;
		const s = this.selected, { from, to } = this.data.spans;
		const length = Math.max(to[s] - from[s], LEAST_VIEW / 2);

		this.setView(from[s] - length / 2, to[s] + length / 2);
		this.showSelectedRow();
	}

	/* --- selection ----------------------------------------------------------------- */

	/** select() - selects a span by its number, -1: none; isShown: moves the view to it */
	select(span, isShown) {
		this.selected = span;
		if (this.isOnlyActive)
			this.makeRows();
		if (isShown && span >= 0)
			this.bringIntoView(span);
		this.onSelect(span);
		this.schedule();
	}

	bringIntoView(span) {
		const length = this.view.to - this.view.from, at = this.data.spans.from[span];

		if (at < this.view.from || at > this.view.to)
			this.setView(at - length / 2, at + length / 2);
		this.showSelectedRow();
	}

	showSelectedRow() {
		const row = this.rowOfThread.get(this.data.spans.thread[this.selected]);

		if (row)
			this.showRow(row);
	}

	spanAt(x, y) {
		const row = this.rowAt(y);

		return row?.type === 'event' ? -1 : this.longestAt(row, x);
	}

	/* The number of the longest span or slice of a row at a pixel, -1: none. */
	longestAt(row, x) {
		if (!row || !row.track || x < LABELS)
			return -1;
		const at = row.track.longest(this.timeAt(x - 1), this.timeAt(x + 1));

		return at < 0 ? -1 : row.track.span(at);
	}

	/** selectAt() - selects what is at a pixel: a span, or a slice of an event's row */
	selectAt(x, y) {
		const row = this.rowAt(y), event = row?.type === 'event' ? this.longestAt(row, x) : -1;

		this.select(this.spanAt(x, y));
		if (event >= 0)
			this.onEvent(event);
	}

	/** step() - selects the previous (-1) or next (1) span of the thread */
	step(by) {
		const spans = this.data.spans;

		if (this.selected < 0)
			return;
		const track = this.data.threadTracks[spans.thread[this.selected]];
		const position = track.position(this.selected), at = position + by;

		if (position >= 0 && at >= 0 && at < track.count)
			this.select(track.span(at), true);
	}

	/** runningAt() - the running span of a thread at a time, -1: none */
	runningAt(thread, time) {
		const track = this.data.threadTracks[thread];
		const at = track ? track.positionAt(time) : -1;

		return at >= 0 && track.kind[at] === RUNNING ? track.span(at) : -1;
	}

	/* --- drawing ------------------------------------------------------------------- */

	schedule() {
		if (this.isDue)
			return;
		this.isDue = true;
		requestAnimationFrame(() => {
			this.isDue = false;
			this.draw();
		});
	}

	draw() {
		const c = this.context = hiDpi(this.canvas, this.width, this.pageHeight);

		c.fillStyle = this.theme.page;
		c.fillRect(0, 0, this.width, this.pageHeight);
		c.font = '12px system-ui, sans-serif';
		c.textBaseline = 'middle';
		c.save();
		c.beginPath();
		c.rect(0, RULER, this.width, this.pageHeight - RULER);
		c.clip();
		this.drawRows();
		c.restore();
		this.drawRuler();
		this.onView(this.view);
	}

	visibleRows() {
		const top = this.scroller.scrollTop, bottom = top + this.pageHeight - RULER;
		const first = atLeast(0, this.rows.length,
				      (n) => this.rows[n].top + this.rows[n].height > top);
		const last = atLeast(first, this.rows.length, (n) => this.rows[n].top >= bottom);

		return this.rows.slice(first, last);
	}

	drawRows() {
		const rows = this.visibleRows(), c = this.context, theme = this.theme;
		const painter = new TrackPainter(this.rectangles, this.view, LABELS,
						 this.width - LABELS);

		for (const row of rows)
			this.drawBackground(row);
		c.save();
		c.beginPath();
		c.rect(LABELS, RULER, this.width - LABELS, this.pageHeight - RULER);
		c.clip();
		for (const row of rows) {
			if (row.track?.gaps)
				painter.paint(row.track.gaps, this.rowY(row) + 3, row.height - 6,
					      THREAD_LOOK);
			if (row.type === 'event')
				row.track.paint(painter, this.rowY(row) + 3, row.height - 6,
						row.look);
			else if (row.track)
				painter.paint(row.track, this.rowY(row) + 3, row.height - 6,
					      row.type === 'cpu' ? this.cpuLook() : THREAD_LOOK);
		}
		this.rectangles.fill(c, theme);
		for (const row of rows.filter((r) => r.type === 'cpu'))
			this.drawLosses(row);
		if (this.selected >= 0)
			this.drawSelection();
		c.restore();
	}

	cpuLook() {
		const { spans, threads } = this.data;

		this.look ??= {
			styleOf: (s, kind) => kind === SLEEPING ? SLEEPING :
				FIRST_HUE + spans.thread[s] % THREAD_HUES,
			denseStyle: () => BUSY,
			labelOf: (s, kind) => {
				const t = threads[spans.thread[s]];

				return kind === SLEEPING ? '' : nameLabel(t.name, t.id);
			},
		};
		return this.look;
	}

	drawBackground(row) {
		const c = this.context, y = this.rowY(row), isHead = row.type === 'process';
		const isSelected = this.selected >= 0 && row.thread &&
			row.thread.number === this.data.spans.thread[this.selected];

		c.fillStyle = isHead || isSelected ? this.theme.panel : this.theme.page;
		c.fillRect(0, y, this.width, row.height);
		c.fillStyle = this.theme.line;
		c.fillRect(0, y + row.height - 1, this.width, 1);
		if (!isHead)
			c.fillRect(LABELS - 1, y, 1, row.height);
		c.fillStyle = isHead || row.type === 'event' ? this.theme.faint : this.theme.text;
		c.fillText(fitText(c, row.label, (isHead ? this.width : LABELS) - 16),
			   isHead || row.type === 'cpu' ? 6 : row.type === 'event' ? 22 : 14,
			   y + row.height / 2);
		if (isSelected) {
			c.fillStyle = this.theme.accent;
			c.fillRect(0, y, 4, row.height);
		}
	}

	drawLosses(row) {
		const c = this.context, y = this.rowY(row);
		let last = -1;

		for (const loss of this.lossesByCpu.get(row.cpu) || []) {
			const from = this.xAt(loss.from);
			const to = Math.max(this.xAt(loss.to), from + 3);

			if (to < LABELS || from > this.width || to - last < 1)
				continue;
			c.fillStyle = this.theme.loss;
			c.fillRect(from, y, to - from, row.height - 1);
			c.fillStyle = this.theme.text;
			if (to - from > 40)
				c.fillText(fitText(c, countLabel(loss.records) + ' records lost',
						   to - from - 8),
					   Math.max(from, LABELS) + 4, y + row.height / 2);
			last = to;
		}
	}

	drawRuler() {
		const c = this.context, { from, to } = this.view;
		const step = niceStep((to - from) / ((this.width - LABELS) / 110));
		const decimals = Math.max(0, 9 - Math.floor(Math.log10(step) + 1e-9));

		c.fillStyle = this.theme.panel;
		c.fillRect(0, 0, this.width, RULER);
		c.fillStyle = this.theme.faint;
		c.fillText('time since start (s)', 6, RULER / 2);
		for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
			const x = this.xAt(time);

			c.fillStyle = this.theme.line;
			c.fillRect(x, 0, 1, RULER);
			c.fillStyle = this.theme.faint;
			c.fillText((time / 1e9).toFixed(decimals), x + 4, RULER / 2);
		}
		c.fillStyle = this.theme.line;
		c.fillRect(0, RULER - 1, this.width, 1);
		c.fillRect(LABELS - 1, 0, 1, RULER);
	}

	/* --- the selection, drawn ----------------------------------------------------------- */

	outline(row, span) {
		const spans = this.data.spans, c = this.context;
		const x = this.xAt(spans.from[span]), to = this.xAt(spans.to[span]);

		if (!row || to < LABELS || x > this.width)
			return;
		c.strokeStyle = this.theme.text;
		c.lineWidth = 2;
		c.strokeRect(Math.max(x, LABELS - 4) - 1, this.rowY(row) + 2,
			     Math.min(Math.max(3, to - x), this.width) + 2, row.height - 4);
	}

	drawSelection() {
		const spans = this.data.spans, s = this.selected;

		this.outline(this.rowOfThread.get(spans.thread[s]), s);
		if (spans.kind[s] === RUNNING)
			this.outline(this.rowOfCpu.get(spans.cpu[s]), s);
		for (const woken of this.wakeupsOf(s))
			this.drawArrow(woken);
	}

	/** causeOf() - the span that has the waker: this one, or the wait before it */
	causeOf(s) {
		const { spans, threadTracks } = this.data, track = threadTracks[spans.thread[s]];
		const before = track && spans.kind[s] === RUNNING ? track.position(s) - 1 : -1;

		return before >= 0 ? track.span(before) : s;
	}

	/** wakeupsOf() - spans that began with a wakeup: of this thread, and by this thread */
	wakeupsOf(s) {
		const { spans } = this.data, found = [], cause = this.causeOf(s);

		if (spans.waker[cause] !== NO_THREAD)
			found.push(cause);
		if (spans.kind[s] !== RUNNING)
			return found;
		const woken = wokenBy(this.data, spans.thread[s]);
		const first = atLeast(0, woken.length,
				      (i) => spans.from[woken[i]] >= spans.from[s]);

		for (let i = first; i < woken.length && i < first + MOST_ARROWS &&
		     spans.from[woken[i]] < spans.to[s]; i++)
			found.push(woken[i]);
		return found;
	}

	/* From the waker's row to the woken thread's, among the threads and among the CPUs. */
	drawArrow(woken) {
		const { spans, threadTracks } = this.data, time = spans.from[woken];
		const waker = this.runningAt(spans.waker[woken], time);
		const track = threadTracks[spans.thread[woken]];
		const next = track.position(woken) < track.count - 1 ? woken + 1 : woken;

		this.arrow(this.rowOfThread.get(spans.waker[woken]), time,
			   this.rowOfThread.get(spans.thread[woken]), time);
		if (waker >= 0 && spans.kind[next] === RUNNING)
			this.arrow(this.rowOfCpu.get(spans.cpu[waker]), time,
				   this.rowOfCpu.get(spans.cpu[next]), spans.from[next]);
	}

	arrow(fromRow, fromTime, toRow, toTime) {
		if (!fromRow || !toRow)
			return;
		const c = this.context, x0 = this.xAt(fromTime), x1 = this.xAt(toTime);
		const y0 = this.rowY(fromRow) + fromRow.height / 2;
		const y1 = this.rowY(toRow) + toRow.height / 2;
		const bend = fromRow === toRow ? y0 - fromRow.height / 2 : (y0 + y1) / 2;
		const angle = Math.atan2(y1 - bend, (x1 - x0) / 2 || 1e-3);

		const line = new Path2D(), ends = new Path2D();

		line.moveTo(x0, y0);
		line.quadraticCurveTo((x0 + x1) / 2, bend, x1, y1);
		ends.arc(x0, y0, 3, 0, 7);
		ends.moveTo(x1, y1);
		ends.lineTo(x1 - 9 * Math.cos(angle - 0.45), y1 - 9 * Math.sin(angle - 0.45));
		ends.lineTo(x1 - 9 * Math.cos(angle + 0.45), y1 - 9 * Math.sin(angle + 0.45));
		ends.closePath();
		/* With an edge, so that it is visible on slices of any colour. */
		c.strokeStyle = this.theme.page;
		c.lineWidth = 5;
		c.stroke(line);
		c.stroke(ends);
		c.strokeStyle = c.fillStyle = this.theme.text;
		c.lineWidth = 2;
		c.stroke(line);
		c.fill(ends);
	}
}

const THREAD_LOOK = {
	styleOf: (s, kind) => kind,
	denseStyle: (kind) => kind,
	labelOf: (s, kind) => kind === UNKNOWN ? '' : KIND_NAMES[kind],
};

/** niceStep() - the smallest 1, 2 or 5 times a power of ten that is not below this; ns */
function niceStep(least) {
	const power = Math.pow(10, Math.floor(Math.log10(Math.max(1, least))));

	return power * [1, 2, 5, 10].find((factor) => factor * power >= least);
}

function groupLosses(losses) {
	const byCpu = new Map();

	for (const loss of losses) {
		if (!byCpu.has(loss.cpu))
			byCpu.set(loss.cpu, []);
		byCpu.get(loss.cpu).push(loss);
	}
	for (const list of byCpu.values())
		list.sort((a, b) => a.from - b.from);
	return byCpu;
}

/*
 * Turns keys, mouse and search into requests to the timeline.
 */

const MOVES = { w: 'zoom', s: 'zoom', a: 'move', d: 'move' };
const ZOOM_RATE = 0.004, MOVE_RATE = 0.0012;	/* of a ms */
const FIRST_PRESS = 50;				/* ms, least duration of a press */
const CLICK_PIXELS = 4;

/** class Keys - W A S D zoom and move while they are pressed */
class Keys {
	constructor(timeline, pointer) {
		this.timeline = timeline;
		this.pointer = pointer;
		this.pressed = new Set();
		this.last = 0;
		window.addEventListener('keydown', (event) => this.down(event));
		window.addEventListener('keyup', (event) =>
			this.pressed.delete(event.key.toLowerCase()));
		window.addEventListener('blur', () => this.pressed.clear());
	}

	down(event) {
		const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;

		if (event.ctrlKey || event.altKey || event.metaKey ||
		    event.target.closest?.('input, select, dialog'))
			return;
		if (MOVES[key]) {
			this.press(key);
			event.preventDefault();
		} else if (this.command(key, event.target)) {
			event.preventDefault();
		}
	}

	press(key) {
		if (this.pressed.has(key))
			return;
		const isFirst = !this.pressed.size;

		this.pressed.add(key);
		this.apply(key, FIRST_PRESS);
		if (isFirst) {
			this.last = performance.now();
			requestAnimationFrame((now) => this.frame(now));
		}
	}

	frame(now) {
		const ms = Math.min(100, Math.max(0, now - this.last));

		this.last = now;
		for (const key of this.pressed)
			this.apply(key, ms);
		if (this.pressed.size)
			requestAnimationFrame((next) => this.frame(next));
	}

	apply(key, ms) {
		if (key === 'w' || key === 's')
			this.timeline.zoom(Math.exp((key === 'w' ? -1 : 1) * ZOOM_RATE * ms),
					   this.pointer.time());
		else
			this.timeline.move((key === 'a' ? -1 : 1) * MOVE_RATE * ms);
	}

	/* Return: was it one of these keys? */
	command(key, target) {
		const t = this.timeline, isOnCanvas = target === t.canvas ||
			target === document.body;
		const commands = {
			'f': () => t.fit(),
			'0': () => t.showAll(),
			'/': () => byId('search').focus(),
			'?': () => byId('keys').showModal(),
			'Escape': () => t.select(-1),
		};
		const onCanvas = {
			'ArrowLeft': () => t.step(-1),
			'ArrowRight': () => t.step(1),
			'Home': () => t.showAll(),
		};
		const command = commands[key] || (isOnCanvas && onCanvas[key]);

		if (command)
			command();
		return !!command;
	}
}

/** class Pointer - dragging, clicking, the wheel */
class Pointer {
	constructor(timeline) {
		const canvas = timeline.canvas;

		this.timeline = timeline;
		this.x = null;
		this.drag = null;
		canvas.addEventListener('pointerdown', (event) => this.down(event));
		canvas.addEventListener('pointermove', (event) => this.move(event));
		canvas.addEventListener('pointerup', (event) => this.up(event));
		canvas.addEventListener('pointercancel', () => {
			this.drag = null;
		});
		canvas.addEventListener('pointerleave', () => {
			this.x = null;
		});
		canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
		timeline.scroller.addEventListener('scroll', () => timeline.schedule());
	}

	/** time() - the time at the mouse; without a mouse that in the middle */
	time() {
		const { from, to } = this.timeline.view;

		return this.x === null || this.x < LABELS ? (from + to) / 2 :
			this.timeline.timeAt(this.x);
	}

	down(event) {
		if (event.button !== 0)
			return;
		this.drag = { x: event.offsetX, view: this.timeline.view, isFar: false };
		this.timeline.canvas.setPointerCapture(event.pointerId);
	}

	move(event) {
		const t = this.timeline;

		this.x = event.offsetX;
		if (!this.drag)
			return;
		const by = event.offsetX - this.drag.x, { from, to } = this.drag.view;
		const time = by / (t.width - LABELS) * (to - from);

		this.drag.isFar ||= Math.abs(by) > CLICK_PIXELS;
		if (this.drag.isFar)
			t.setView(from - time, to - time);
	}

	up(event) {
		const isClick = this.drag && !this.drag.isFar;

		this.drag = null;
		if (isClick)
			this.timeline.selectAt(event.offsetX, event.offsetY);
	}

	/* Without a key the wheel scrolls the rows, as usual. */
	wheel(event) {
		const t = this.timeline, sideways = event.shiftKey ? event.deltaY || event.deltaX :
			event.deltaX;

		if (event.ctrlKey) {
			t.zoom(Math.exp(event.deltaY * 0.002), this.time());
		} else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
			t.move(sideways / t.width);
		} else {
			return;
		}
		event.preventDefault();
	}
}

/** class Search - searches threads by name or id, in the timeline and in their table */
class Search {
	constructor(timeline, table) {
		this.timeline = timeline;
		this.table = table;
		this.input = byId('search');
		this.at = -1;
		this.input.addEventListener('input', () => this.find());
		this.input.addEventListener('keydown', (event) => this.key(event));
	}

	key(event) {
		if (event.key === 'Enter') {
			this.go(event.shiftKey ? -1 : 1);
		} else if (event.key === 'Escape') {
			this.input.value = '';
			this.find();
			this.timeline.canvas.focus({ preventScroll: true });
		} else {
			return;
		}
		event.preventDefault();
	}

	find() {
		const text = this.input.value.trim().toLowerCase();
		const fits = (name, id) => !text || String(id) === text ||
			nameLabel(name, id).toLowerCase().includes(text) ||
			String(name ?? '').toLowerCase().includes(text);
		const count = this.timeline.filterThreads((t) => fits(t.name, t.id));

		this.table.filter((t) => fits(t.name, t.tid));
		this.at = -1;
		byId('found').textContent = text ? plural(count, 'thread') : '';
	}

	/* Goes to the next thread: to its first running slice from the view on. */
	go(by) {
		const t = this.timeline, { found } = t;

		if (!found.length)
			return;
		this.at = (this.at + by + found.length) % found.length;
		const track = t.data.threadTracks[found[this.at].number];
		let i = Math.min(track.firstEndingAfter(t.view.from), track.count - 1);

		while (i + 1 < track.count && track.kind[i] !== RUNNING)
			i++;
		t.select(track.span(i), true);
	}
}
