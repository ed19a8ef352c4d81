// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline.js - rows of CPUs and threads, the view, and the selection.
 *
 * In: the data of the timeline, and requests of the functions below. Out: pixels; and calls of onView
 * and onSelect, so that the rest of the page follows.
 */
'use strict';

const LABELS = 190;		/* pixels on the left, for names */
const RULER = 26;
const PINNED_SHARE = 0.5;	/* of the height, for the rows of CPUs at most */
const BAR = 6;			/* pixels, width of the bar that scrolls the rows of CPUs */
const LEAST_VIEW = 50;		/* ns */
const MOST_ARROWS = 64;
const ACTIVE = [RUNNING, RUNNABLE, PREEMPTED];

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
		this.isOnlyActive = false;
		this.onView = () => {};
		this.onSelect = () => {};
		this.onEvent = () => {};
		this.onPick = () => {};
		this.isDue = false;
		this.model = new Rows(data, report);
		this.pinnedTop = 0;		/* how far the rows of CPUs are scrolled */
		this.lossesByCpu = groupLosses(data.losses);
		this.themeChanged();
		this.makeRows();
	}

	themeChanged() {
		this.theme = readTheme(this.canvas.getContext('2d'));
		this.schedule();
	}

	/* --- rows ------------------------------------------------------------------- */

	get rows() {
		return this.model.rows;
	}

	get found() {
		return this.model.found;
	}

	get processNames() {
		return this.model.processNames;
	}

	makeRows() {
		this.model.isActive = this.isOnlyActive ? (t) => this.isActive(t) : null;
		this.model.make();
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

	/** filterThreads() - shows only threads for which a function returns true */
	filterThreads(wanted) {
		const count = this.model.filter(wanted);

		this.resize();
		return count;
	}

	/** showOnlyActive() - hides threads that neither run nor wait in view */
	showOnlyActive(isOnlyActive) {
		this.isOnlyActive = isOnlyActive;
		this.makeRows();
	}

	/** showEventRows() - shows or hides one kind of rows of events */
	showEventRows(label, isShown) {
		if (isShown)
			this.model.events.hidden.delete(label);
		else
			this.model.events.hidden.add(label);
		this.makeRows();
	}

	/** showEvents() - shows or hides the rows of interrupts, system calls and the like */
	showEvents(hasEvents) {
		this.model.hasEvents = hasEvents;
		this.makeRows();
	}

	resize() {
		this.width = Math.max(LABELS + 50, this.scroller.clientWidth);
		this.pageHeight = this.scroller.clientHeight;
		const room = Math.max(0, this.pageHeight - RULER);
		const most = this.model.scrolled.length ? PINNED_SHARE * room : room;

		this.pinnedHeight = Math.min(this.model.pinnedHeight, Math.max(CPU_OPEN, most));
		this.scrollPinned(0);
		byId('spacer').style.height = Math.max(0, RULER + this.pinnedHeight +
			this.model.height - this.pageHeight) + 'px';
		this.schedule();
	}

	/** scrollPinned() - moves the rows of CPUs, if there are more than fit. Return: did it? */
	scrollPinned(by) {
		const most = this.model.pinnedHeight - this.pinnedHeight, before = this.pinnedTop;

		this.pinnedTop = Math.min(Math.max(0, before + by), most);
		this.schedule();
		return most > 0;
	}

	/** isPinnedAt() - is it one of the rows that do not scroll with the others? */
	isPinnedAt(y) {
		return y < RULER + this.pinnedHeight;
	}

	rowAt(y) {
		const isPinned = this.isPinnedAt(y);
		const rows = isPinned ? this.model.pinned : this.model.scrolled;
		const at = isPinned ? y - RULER + this.pinnedTop :
			y - RULER - this.pinnedHeight + this.scroller.scrollTop;
		const i = atLeast(0, rows.length, (n) => rows[n].top + rows[n].height > at);

		return y >= RULER && i < rows.length ? rows[i] : null;
	}

	rowY(row) {
		return row.isPinned ? RULER + row.top - this.pinnedTop :
			RULER + this.pinnedHeight + row.top - this.scroller.scrollTop;
	}

	/** showRow() - scrolls to a row */
	showRow(row) {
		const room = this.pageHeight - RULER - this.pinnedHeight;
		const isOut = (top, height) => row.top < top || row.top + row.height > top + height;

		if (row.isPinned && isOut(this.pinnedTop, this.pinnedHeight))
			this.scrollPinned(row.top - this.pinnedHeight / 2 - this.pinnedTop);
		else if (!row.isPinned && isOut(this.scroller.scrollTop, room))
			this.scroller.scrollTop = Math.max(0, row.top - room / 2);
		this.schedule();
	}

	/** toggleAt() - opens or closes the row at a pixel, if its label is there */
	toggleAt(x, y) {
		if (x >= LABELS || !this.model.toggle(this.rowAt(y)))
			return false;
		this.resize();
		return true;
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
		const row = this.model.ofThread.get(this.data.spans.thread[this.selected]);

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
		this.onPick();
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
		const pinned = RULER + this.pinnedHeight;

		c.fillStyle = this.theme.page;
		c.fillRect(0, 0, this.width, this.pageHeight);
		c.font = '12px system-ui, sans-serif';
		c.textBaseline = 'middle';
		this.within(0, RULER, pinned, () => this.drawRows(this.visibleRows(true)));
		this.within(0, pinned, this.pageHeight, () => this.drawRows(this.visibleRows(false)));
		if (this.selected >= 0)
			this.within(LABELS, RULER, this.pageHeight, () => this.drawSelection());
		this.drawPinnedEnd(pinned);
		this.drawRuler();
		this.onView(this.view);
	}

	/* Draws between two heights, from a width on. */
	within(left, top, bottom, draw) {
		const c = this.context;

		c.save();
		c.beginPath();
		c.rect(left, top, this.width - left, bottom - top);
		c.clip();
		draw();
		c.restore();
	}

	visibleRows(isPinned) {
		const rows = isPinned ? this.model.pinned : this.model.scrolled;
		const top = isPinned ? this.pinnedTop : this.scroller.scrollTop;
		const bottom = top + (isPinned ? this.pinnedHeight :
				      this.pageHeight - RULER - this.pinnedHeight);
		const first = atLeast(0, rows.length, (n) => rows[n].top + rows[n].height > top);
		const last = atLeast(first, rows.length, (n) => rows[n].top >= bottom);

		return rows.slice(first, last);
	}

	drawRows(rows) {
		const painter = new TrackPainter(this.rectangles, this.view, LABELS,
						 this.width - LABELS);

		this.labelEnd = -Infinity;
		for (const row of rows)
			this.drawBackground(row);
		this.within(LABELS, RULER, this.pageHeight, () => {
			for (const row of rows)
				this.drawTrack(painter, row);
			this.rectangles.fill(this.context, this.theme);
			for (const row of rows.filter((r) => r.type === 'cpu'))
				this.drawLosses(row);
		});
	}

	drawTrack(painter, row) {
		const margin = row.height < LEAST_LABELLED ? 1 : 3;
		const y = this.rowY(row) + margin, height = row.height - 2 * margin;

		if (row.track?.gaps)
			painter.paint(row.track.gaps, y, height, THREAD_LOOK);
		if (row.type === 'event')
			row.track.paint(painter, y, height, row.look);
		else if (row.track)
			painter.paint(row.track, y, height,
				      row.type === 'cpu' ? this.cpuLook() : THREAD_LOOK);
	}

	/* The line below the rows of CPUs, and how far they are scrolled. */
	drawPinnedEnd(y) {
		const c = this.context, all = this.model.pinnedHeight, part = this.pinnedHeight / all;

		c.fillStyle = this.theme.faint;
		if (this.model.scrolled.length)
			c.fillRect(0, y - 1, this.width, 1);
		if (part < 1)
			c.fillRect(this.width - BAR, RULER + this.pinnedTop * part, BAR - 1,
				   this.pinnedHeight * part);
	}

	cpuLook() {
		const { spans, threads } = this.data;

		this.look ??= {
			styleOf: (s, kind, i, track) => track.styles[i],
			denseStyle: (hue) => styleOfHue(hue, 0),
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
		if (row.height >= LEAST_LABELLED) {
			c.fillStyle = this.theme.line;
			c.fillRect(0, y + row.height - 1, this.width, 1);
		}
		c.fillStyle = this.theme.line;
		if (!isHead)
			c.fillRect(LABELS - 1, y, 1, row.height);
		this.drawName(row, y);
		if (isSelected) {
			c.fillStyle = this.theme.accent;
			c.fillRect(0, y, 4, row.height);
		}
	}

	/* Of low rows, only as many names as fit. */
	drawName(row, y) {
		const c = this.context, isHead = row.type === 'process', middle = y + row.height / 2;
		const x = isHead || row.type === 'cpu' ? 18 : row.type === 'event' ? 30 : 24;

		if (middle - 6 < this.labelEnd)
			return;
		this.labelEnd = middle + 6;
		c.fillStyle = isHead || row.type === 'event' ? this.theme.faint : this.theme.text;
		if (row.canOpen)
			c.fillText(row.isOpen ? '▾' : '▸', 6, middle);
		c.fillText(fitText(c, row.label, (isHead ? this.width : LABELS) - x - 6), x, middle);
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
		c.strokeRect(Math.max(x, LABELS - 4) - 1, this.rowY(row) + 1,
			     Math.min(Math.max(3, to - x), this.width) + 2, row.height - 3);
	}

	drawSelection() {
		const spans = this.data.spans, s = this.selected;

		this.outline(this.model.ofThread.get(spans.thread[s]), s);
		if (spans.kind[s] === RUNNING)
			this.outline(this.model.ofCpu.get(spans.cpu[s]), s);
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

		this.arrow(this.model.ofThread.get(spans.waker[woken]), time,
			   this.model.ofThread.get(spans.thread[woken]), time);
		if (waker >= 0 && spans.kind[next] === RUNNING)
			this.arrow(this.model.ofCpu.get(spans.cpu[waker]), time,
				   this.model.ofCpu.get(spans.cpu[next]), spans.from[next]);
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
