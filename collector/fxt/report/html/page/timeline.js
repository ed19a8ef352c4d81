// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline.js - rows of CPUs and threads, the view, and the selection. It calls onView, onTell and
 * onPick, so that the rest of the page follows.
 */

let LABELS = 190;		/* pixels on the left, for names; fewer on small screens */
const RULER = 26;
const TICK = 120;		/* pixels between times in the ruler, at least */
const CPUS_SHARE = 0.5;		/* of the height, for the rows of CPUs at most, until the user drags */
const CPUS_LEAST = 0.1, CPUS_MOST = 0.9;
const EDGE = 4;			/* pixels to the line below the rows of CPUs, which can be dragged */
const BAR = 6;			/* pixels, width of the bar that scrolls the rows of CPUs */
const LEAST_VIEW = 50;		/* ns */
const NEAR = 4;			/* pixels, from a click to a slice that it still selects */
const ACTIVE = [RUNNING, RUNNABLE, PREEMPTED];
const REST = 120;		/* ms that the view rests before it is drawn with all details */
const FRAME = 12;		/* ms; while the view moves, longer frames lose details */
const GRAINS = [1, 2, 4];	/* pixels, width of the narrowest columns */
const CHART_ROWS = ['chart', 'cpus'];	/* types of rows that show a value over time */

/*
 * A copy of the drawn rows, for frames in which only marks over them change, such as the range
 * while it is dragged. Copying takes time, so it waits for a second frame with the same rows.
 */
class Picture {
	constructor() {
		this.canvas = document.createElement('canvas');
		this.shown = [];
		this.isTaken = false;
		this.isWanted = false;
	}

	/* shown: what the rows depend on. Return: could it draw them? */
	draw({ context }, shown) {
		const isSame = shown.every((value, i) => value === this.shown[i]);

		this.isWanted = isSame;
		this.isTaken &&= isSame;
		this.shown = shown;
		if (this.isTaken) {
			context.save();
			context.resetTransform();
			context.drawImage(this.canvas, 0, 0);
			context.restore();
		}
		return this.isTaken;
	}

	take({ canvas }) {
		if (!this.isWanted)
			return;
		this.canvas.width = canvas.width;
		this.canvas.height = canvas.height;
		this.canvas.getContext('2d').drawImage(canvas, 0, 0);
		this.isTaken = true;
	}
}

/* The canvas with the rows. */
class Timeline {
	constructor(data, report) {
		this.data = data;
		this.canvas = byId('timeline');
		this.scroller = byId('scroller');
		this.rectangles = new Rectangles();
		this.view = { from: 0, to: data.end };
		this.selected = -1;
		this.cursor = null;		/* the row that keys start from */
		this.event = -1;		/* the event that was clicked, or -1 */
		this.range = null;		/* marked by the user: from, to, rows (of isIn()) */
		this.notes = [];		/* of notes.js */
		this.pivot = 'thread';		/* of PIVOTS */
		this.highlight = [];		/* of CPUs during a wait: cpu, from, to */
		this.isOnlyActive = false;
		this.isDue = false;
		this.moved = -Infinity;		/* when the view moved last, in ms */
		this.cost = 0;			/* of a frame with all details, in ms */
		this.picture = new Picture();
		this.model = new Rows(data, report);
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

	/* The number of the selected span's thread; -1: none. */
	get selectedThread() {
		return this.selected < 0 ? -1 : this.data.spans.thread[this.selected];
	}

	/* Name and id of a thread's process. */
	processLabel(t) {
		return t.process === '0' ? '?' :
			nameLabel(this.model.processNames.get(t.process) ?? null, t.pid);
	}

	/* change(model) changes which rows there are. Return: its result */
	changeRows(change) {
		const result = change(this.model);

		this.makeRows();
		return result;
	}

	makeRows() {
		this.model.isActive = this.isOnlyActive ? (t) => this.isActive(t) : null;
		this.model.make();
		this.resize();
	}

	/* Does the thread run or wait for a CPU in view, or have slices, or is it selected? */
	isActive(thread) {
		const track = this.data.threadTracks[thread.number], { from, to } = this.view;

		if (thread.of)
			return this.model.events.rowsOf('thread', thread.number).some(({ track: of }) =>
				of.from[of.firstEndingAfter(from)] < to);

		for (let i = track.firstEndingAfter(from); i < track.count && track.from[i] < to; i++) {
			if (ACTIVE.includes(track.kind[i]))
				return true;
		}
		return this.selectedThread === thread.number;
	}

	/* The areas, from the top on. */
	get areas() {
		return Object.values(this.model.areas);
	}

	resize() {
		const { cpus, pinned, threads } = this.model.areas;
		const selected = this.model.ofThread.get(this.selectedThread);
		const isSeen = selected?.area.has(selected);

		/* On paper, the page has a picture of the timeline as it was on the screen. */
		if (!this.scroller.clientHeight)
			return;
		this.width = this.scroller.clientWidth;
		LABELS = Math.min(190, Math.max(90, Math.round(this.width * 0.28)));
		this.pageHeight = this.scroller.clientHeight;
		const room = Math.max(0, this.pageHeight - RULER), others = pinned.height + threads.height;

		cpus.place(RULER, cpus.fitting(Math.max(CPU_OPEN, others ? this.cpusShare * room : room)));
		pinned.place(cpus.bottom, pinned.fitting(Math.max(ROW_HEIGHT.thread,
			(room - cpus.room) / (threads.height ? 2 : 1))));
		threads.place(pinned.bottom, Math.max(0, this.pageHeight - pinned.bottom));
		byId('spacer').style.height = Math.max(0, threads.top + threads.height -
			this.pageHeight) + 'px';
		if (isSeen)
			this.showRow(selected);
		this.schedule();
	}

	get cpusShare() {
		return Number(stored('cpus')) || CPUS_SHARE;
	}

	/* Is the line below the rows of CPUs at a height? */
	isEdgeAt(y) {
		const { cpus, pinned, threads } = this.model.areas;

		return pinned.height + threads.height > 0 && Math.abs(y - cpus.bottom) <= EDGE;
	}

	/* The maximum height of the rows of CPUs in pixels; the browser keeps the share. */
	setCpus(pixels) {
		const share = pixels / Math.max(1, this.pageHeight - RULER);

		stored('cpus', Math.min(Math.max(share, CPUS_LEAST), CPUS_MOST));
		this.resize();
	}

	/* Change the share of the rows of CPUs. */
	growCpus(by) {
		this.setCpus((this.cpusShare + by) * (this.pageHeight - RULER));
	}

	areaAt(y) {
		return this.areas.find(({ top, bottom }) => y >= top && y < bottom);
	}

	/* Move the rows at a height. Return: false if the browser has to do that */
	scrollAt(y, by) {
		const area = this.areaAt(y);

		if (!area || area === this.model.areas.threads)
			return false;
		this.schedule();
		return area.scrollTo(area.scroll + by);
	}

	rowAt(y) {
		return this.rowsFrom(y, y + 0.1)[0] ?? null;
	}

	rowsFrom(top, bottom) {
		return this.areas.flatMap((area) => area.rowsFrom(top, bottom));
	}

	rowY(row) {
		return row.area.y(row);
	}

	showRow(row) {
		const { area } = row;

		if (area.has(row))
			return;
		area.scrollTo(row.top - area.room / 2);
		if (area === this.model.areas.threads)
			this.scroller.scrollTop = area.scroll;
		this.schedule();
	}

	/* Pin the selected thread below the CPUs, or no longer. */
	keepSelected() {
		if (!this.data.threads[this.selectedThread]?.isShown)
			return;
		this.changeRows((model) => flip(model.kept, this.selectedThread));
		this.showSelectedRow();
		this.onTell();
	}

	hideSelected() {
		if (!this.data.threads[this.selectedThread]?.isShown)
			return;
		this.changeRows((model) => model.hidden.add(this.selectedThread));
		this.select(-1);
	}

	/* Open or close the row at a pixel, if its label is there. */
	toggleAt(x, y) {
		const row = this.rowAt(y);

		if (x >= LABELS || !row?.canOpen)
			return false;
		this.changeRows((model) => model.toggle(row));
		return true;
	}

	/* --- view ------------------------------------------------------------------- */

	/* Start and end, limited to the trace. */
	setView(from, to) {
		const { end } = this.data, length = Math.min(Math.max(to - from, LEAST_VIEW), end);
		const begin = Math.min(Math.max(from, 0), end - length);

		this.view = { from: begin, to: begin + length };
		if (this.isOnlyActive)
			this.makeRows();
		this.keepMoving();
	}

	showAll() {
		this.setView(0, this.data.end);
	}

	/* Zoom; the time @about stays in place. */
	zoom(factor, about) {
		const { from, to } = this.view;
		const length = Math.max((to - from) * factor, LEAST_VIEW);
		const share = (about - from) / (to - from);

		this.setView(about - share * length, about + (1 - share) * length);
	}

	/* Move by a share of the view. */
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

	/* Show the selection; the view is so many times as long. */
	fit(lengths = 2) {
		const s = this.selected, { spans, events } = this.data, of = s < 0 ? events : spans;
		const i = s < 0 ? this.event : s;

		if (i >= 0)
			this.fitTime(of.from[i], of.to[i], lengths);
		if (s >= 0)
			this.showSelectedRow();
	}

	fitTime(from, to, lengths = 2) {
		const middle = (from + to) / 2, half = Math.max(to - from, LEAST_VIEW / 2) * lengths / 2;

		this.setView(middle - half, middle + half);
	}

	/*
	 * Follow a link: select and describe a span. It, or another time, takes half of the view.
	 */
	show(s, { from, to } = { from: this.data.spans.from[s], to: this.data.spans.to[s] }) {
		this.range = null;
		this.select(s);
		this.fitTime(from, to);
		this.showSelectedRow();
		this.onPick();
	}

	/* --- selection ----------------------------------------------------------------- */

	/* A span by its number, -1: none; isShown: move the view to it. */
	select(span, isShown) {
		this.selected = span;
		this.highlight = span < 0 ? [] : partsOf(this.data, span).filter(({ cpu }) => cpu !== NO_CPU);
		if (this.isOnlyActive)
			this.makeRows();
		if (isShown && span >= 0)
			this.bringIntoView(span);
		this.event = -1;
		this.onTell();
		this.schedule();
	}

	bringIntoView(span) {
		const { from, to } = this.view, half = (to - from) / 2;
		const { spans } = this.data, at = spans.from[span];

		if (spans.to[span] < from || at > to)
			this.setView(at - half, at + half);
		this.showSelectedRow();
	}

	showSelectedRow() {
		const thread = this.selectedThread;

		if (this.model.reveal(thread))
			this.makeRows();
		if (this.model.ofThread.has(thread))
			this.showRow(this.model.ofThread.get(thread));
		this.showSelectedCpu();
	}

	/* Scroll to the CPU where the selected span ran, or for which it waited first. */
	showSelectedCpu() {
		const row = this.model.ofCpu.get(this.highlight[0]?.cpu ?? this.data.spans.cpu[this.selected]);

		if (row)
			this.showRow(row);
	}

	/* The number of the longest span or slice of a row at a pixel, -1: none. */
	longestAt(row, x) {
		if (!row || !row.track || CHART_ROWS.includes(row.type) || x < LABELS)
			return -1;
		const { track } = row;
		const under = (pixels) => track.longest(this.timeAt(x - pixels), this.timeAt(x + pixels));
		const isFull = (at) => at >= 0 && (row.type === 'event' || track.kind[at] < SUMMED);
		const near = under(1), wide = isFull(near) ? near : under(NEAR);

		/* A click beside a narrow slice still finds it, if there is only sleep or a gap. */
		return isFull(wide) ? track.span(wide) : near < 0 ? -1 : track.span(near);
	}

	/* The loss of a CPU's row at a pixel, or null. */
	lossAt(row, x) {
		return (this.lossesByCpu.get(row.cpu) ?? []).find((loss) =>
			this.xAt(loss.from) <= x && x <= Math.max(this.xAt(loss.to),
								  this.xAt(loss.from) + 3)) ?? null;
	}

	/* Select what is at a pixel: a span, or a slice of an event's row. */
	selectAt(x, y) {
		const row = this.rowAt(y), at = this.longestAt(row, x), isEvent = row?.type === 'event';

		this.range = null;
		this.select(isEvent ? -1 : at);
		if (row && row.area !== this.model.areas.cpus)
			this.showSelectedCpu();
		this.cursor = row;
		this.event = isEvent ? at : -1;
		this.onTell();
		this.onPick();
	}

	showEvent(i) {
		const { events } = this.data, from = events.from[i], to = events.to[i];
		const half = (to - from || this.view.to - this.view.from) / 2;

		this.changeRows((model) => model.openCpus.add(events.cpu[i]));
		const row = this.rows.find((r) => r.type === 'event' && r.track.index.includes(i));

		this.range = null;
		this.select(-1);
		this.event = i;
		this.setView(from - half, to + half);
		if (row)
			this.showRow(row);
		this.cursor = row;
		this.onTell();
	}

	sumUp() {
		this.select(-1);
		this.onPick();
	}

	/* Mark the time between two times, in any order; rows: of isIn() */
	setRange(a, b, rows) {
		const { end } = this.data, limit = (time) => Math.min(Math.max(0, time), end);

		this.range = { from: limit(Math.min(a, b)), to: limit(Math.max(a, b)), rows };
		this.schedule();
	}

	/* For setRange(): the rows between two heights: their threads, or else CPUs. */
	rowsBetween(a, b) {
		const rows = this.rowsFrom(Math.min(a, b), Math.max(a, b) + 0.1);
		const cpus = rows.filter(({ type }) => type === 'cpu').map(({ cpu }) => cpu);
		const threads = rows.flatMap((row) => row.type === 'process' && !row.isOpen ?
			this.model.groups.get(row.key) : row.thread ?? []).map(({ number }) => number);

		return threads.length + cpus.length ? { threads: new Set(threads), cpus: new Set(cpus) } : undefined;
	}

	isInRange({ type, thread, cpu, key }) {
		const { rows } = this.range, { groups } = this.model;

		return !rows || isIn(rows, type === 'process' ? groups.get(key)[0].number : thread?.number, cpu);
	}

	/* Clear the range, else the selection. */
	clear() {
		const hadRange = this.range;

		this.range = null;
		showHops(this, []);
		this.select(hadRange ? this.selected : -1);
	}

	/* Zoom to the range, or, without one, to the selection. */
	zoomToRange() {
		if (this.range && this.range.to > this.range.from)
			this.setView(this.range.from, this.range.to);
		else
			this.fit();
	}

	/* Make the range longer (1) or shorter (-1) by a slice of the selected row. */
	extend(by) {
		const { selected, data: { spans } } = this, row = this.model.ofThread.get(this.selectedThread) ?? this.cursor;

		if (!row?.track)
			return this.selectFirst();
		const { track } = row, { from, to, rows } = this.range ?? { from: spans.from[selected], to: spans.from[selected] };
		const next = track.firstEndingAfter(by > 0 ? to : to - 1) - (by > 0 ? 0 : 1);

		this.setRange(from, Math.max(from, track.to[next] ?? to), rows);
		this.sumUp();
		this.cursor = row;
		return this.onTell();
	}

	/*
	 * Select the previous (-1) or next (1) span of the thread; without a selection, a first
	 * one.
	 */
	step(by) {
		const spans = this.data.spans;

		if (this.selected < 0) {
			this.selectFirst();
			return;
		}
		const track = this.data.threadTracks[spans.thread[this.selected]];
		const position = track.position(this.selected), at = position + by;

		if (position >= 0 && at >= 0 && at < track.count)
			this.select(track.span(at), true);
	}

	/* Select what a thread does at a time, or does next. */
	selectFrom({ number }, time) {
		const track = this.data.threadTracks[number];

		if (track.count)
			this.select(track.spanNear(time), true);
	}

	selectNear(row, time) {
		this.select(row.track.spanNear(time), true);
		this.cursor = row;
		this.showRow(row);
	}

	rowsWithSpans() {
		return this.rows.filter((row) => (row.type === 'cpu' || row.type === 'thread') &&
					row.track?.count);
	}

	/* Select where keys begin: in the first row on the screen, in the middle. */
	selectFirst() {
		const rows = this.rowsWithSpans(), { from, to } = this.view;
		const { threads } = this.model.areas;
		const first = rows.find((row) => row.area === threads && threads.has(row)) ?? rows[0];

		if (first)
			this.selectNear(first, (from + to) / 2);
	}

	/* Go to the row above (-1) or below (1), at the time of the selection. */
	stepRow(by) {
		const { spans } = this.data, s = this.selected, rows = this.rowsWithSpans();

		if (s < 0) {
			this.selectFirst();
			return;
		}
		const isCursor = rows.includes(this.cursor) && (this.cursor.type === 'cpu' ||
			this.cursor.thread.number === spans.thread[s]);
		const row = isCursor ? this.cursor : this.model.ofThread.get(spans.thread[s]);
		const next = rows[rows.indexOf(row) + by], { from, to } = this.view;

		if (next)
			this.selectNear(next, (Math.max(from, spans.from[s]) +
					       Math.min(to, spans.to[s])) / 2);
	}

	/* The running span of a thread at a time, -1: none. */
	runningAt(thread, time) {
		const track = this.data.threadTracks[thread];
		const at = track ? track.positionAt(time) : -1;

		return at >= 0 && track.kind[at] === RUNNING ? track.span(at) : -1;
	}

	/* The span that has the waker: this one, the wait before it, or that after a sleep. */
	causeOf(s) {
		const before = this.data.spans.kind[s] === RUNNING ? beforeOf(this, s) : -1;
		const end = endOfSleep(this.data, s);

		return before >= 0 ? before : end >= 0 ? end : s;
	}

	/*
	 * Spans that began with wakeups: that of this span, and those that its thread caused during
	 * it.
	 */
	wakeupsOf(s) {
		const { spans } = this.data, found = [], cause = this.causeOf(s);

		if (spans.waker[cause] !== NO_THREAD)
			found.push(cause);
		if (spans.kind[s] !== RUNNING)
			return found;
		const woken = wokenBy(this.data, spans.thread[s]);
		const first = atLeast(0, woken.length, (i) => spans.from[woken[i]] >= spans.from[s]);

		const end = atLeast(first, woken.length, (i) => spans.from[woken[i]] >= spans.to[s]);

		return found.concat(woken.slice(first, end));
	}

	/* --- drawing ------------------------------------------------------------------- */

	schedule() {
		if (this.isDue)
			return;
		this.isDue = true;
		requestAnimationFrame(() => {
			this.isDue = false;
			this.draw(this.grainNow());
		});
	}

	/* Draw what has moved; if it moves on, with fewer details until it rests. */
	keepMoving() {
		const now = performance.now();

		this.isMoving = now - this.moved < REST;
		this.moved = now;
		this.schedule();
		clearTimeout(this.timer);
		this.timer = setTimeout(() => {
			this.isMoving = false;
			if (this.grain > 1)
				this.schedule();
		}, REST);
	}

	grainNow() {
		return this.isMoving ? GRAINS.find((grain) => this.cost / grain <= FRAME) ??
			GRAINS.at(-1) : 1;
	}

	/* grain: width of the narrowest columns, in pixels */
	draw(grain = 1) {
		const c = this.context = hiDpi(this.canvas, this.width, this.pageHeight);
		const begin = performance.now();

		this.model.areas.threads.scrollTo(this.scroller.scrollTop);
		this.grain = grain;
		if (!this.picture.draw(this, this.shownRows())) {
			box(c, this.theme.page, 0, 0, this.width, this.pageHeight);
			for (const area of this.areas)
				this.drawRows(area);
			this.picture.take(this);
			/* About half of the cost depends on the grain. */
			this.cost = (performance.now() - begin) * (1 + grain) / 2;
		}
		this.drawMarks();
		this.onView(this.view);
	}

	/* All that the drawn rows depend on. */
	shownRows() {
		const { view } = this;

		return [view.from, view.to, ...this.areas.flatMap(({ top, scroll }) => [top, scroll]),
			this.width, this.pageHeight, window.devicePixelRatio, this.grain,
			this.theme, this.rows, this.selectedThread];
	}

	drawMarks() {
		const edges = [];

		drawHighlight(this, edges);
		drawSelection(this, edges);
		drawEdges(this, edges);
		this.areas.slice(0, 2).forEach((area) => this.drawEnd(area));
		this.drawRuler();
		this.within(LABELS, 0, this.pageHeight, () => drawFlags(this));
		if (this.range)
			this.within(LABELS, 0, this.pageHeight, () => drawRange(this));
	}

	/* Draw with the canvas clipped to two heights and to the right of @left. */
	within(left, top, bottom, draw) {
		const c = this.context;

		c.save();
		c.beginPath();
		c.rect(left, top, this.width - left, bottom - top);
		c.clip();
		draw();
		c.restore();
	}

	/* The tracks of an area, then all that is drawn over them or beside them. */
	drawRows(area) {
		const painter = new TrackPainter(this.rectangles, this.view, LABELS,
						 this.width - LABELS, this.grain);
		const { top, bottom } = area, rows = area.rowsFrom();

		this.rectangles.begin(this.context, this.theme, LABELS, top, bottom);
		for (const row of rows) {
			this.drawBackground(row);
			this.drawTrack(painter, row);
		}
		this.within(LABELS, top, bottom, () => {
			this.rectangles.fill(this.context, this.theme);
			for (const row of rows.filter((r) => r.type === 'cpu'))
				this.drawLosses(row);
		});
		this.nameEnds = [-Infinity, -Infinity];
		this.within(0, top, bottom, () => {
			for (const row of rows)
				this.drawHead(row);
			/* Names of low rows reach into the rows below. */
			for (const row of rows)
				this.drawName(row, bottom);
		});
	}

	drawTrack(painter, row) {
		const margin = row.height < LEAST_LABELLED ? 1 : 3;
		const y = this.rowY(row) + margin, height = row.height - 2 * margin;

		row.track?.gaps?.paint(painter, y, height, THREAD_LOOK);
		row.track?.paint(painter, y, height, row.look ??
				 (row.type === 'thread' ? THREAD_LOOK : this.cpuLook()));
	}

	/* The line below the rows of CPUs or those that are pinned, and how far they are scrolled. */
	drawEnd({ top, bottom, room, height, scroll }) {
		const c = this.context, part = room / height;

		c.fillStyle = this.theme.faint;
		if (room && bottom < this.pageHeight)
			c.fillRect(0, bottom - 1, this.width, 1);
		if (part < 1)
			c.fillRect(this.width - BAR, top + scroll * part, BAR - 1, room * part);
	}

	cpuLook() {
		const { spans, threads } = this.data;

		return this.look ??= {
			styleOf: (s, kind, i, track) => track.styles[i],
			denseStyle: (hue) => styleOfHue(hue, 0),
			labelOf: (s, kind) => kind === SLEEPING ? '' : threadLabel(threads[spans.thread[s]]),
		};
	}

	isSelectedRow(row) {
		return row.thread?.number === this.selectedThread;
	}

	drawBackground(row) {
		const { rectangles, theme } = this, y = this.rowY(row);

		if (row.type === 'process' || this.isSelectedRow(row))
			rectangles.band(theme.pixels.panel, y, row.height);
		if (row.height >= LEAST_LABELLED)
			rectangles.band(theme.pixels.line, y + row.height - 1, 1);
	}

	/* Draw the background of a row's name. */
	drawHead(row) {
		const c = this.context, y = this.rowY(row), isHead = row.type === 'process';
		const isSelected = this.isSelectedRow(row);

		box(c, isHead || isSelected ? this.theme.panel : this.theme.page, 0, y, LABELS, row.height);
		c.fillStyle = this.theme.line;
		if (row.height >= LEAST_LABELLED)
			c.fillRect(0, y + row.height - 1, LABELS, 1);
		if (!isHead)
			c.fillRect(LABELS - 1, y, 1, row.height);
		if (isSelected)
			box(c, this.theme.accent, 0, y, 4, row.height);
	}

	/* Where a row's name is: [its column, its middle]; low rows have two columns, or no name. */
	placeName(row, bottom) {
		const y = this.rowY(row), middle = y + row.height / 2, half = NAME_HEIGHT / 2;
		const ends = this.nameEnds.slice(0, LABELS < TWO_COLUMNS ? 1 : 2);

		if (row.height >= LEAST_LABELLED) {
			this.nameEnds.fill(y + row.height);
			return [0, middle];
		}
		/* A name may be a little lower than its row. */
		const places = ends.map((end) => Math.max(middle, end + half));
		const column = places.findIndex((place) => place <= middle + 2 && place + half <= bottom);

		this.nameEnds[column] = places[column] + half;
		return [column, places[column]];
	}

	drawName(row, bottom) {
		const c = this.context, isHead = row.type === 'process';
		const [column, middle] = this.placeName(row, bottom);
		const left = 12 * (row.depth ?? 0) + column * LABELS / 2, x = NAME_LEFT[row.type] + left;

		if (column < 0)
			return;
		c.fillStyle = isHead || row.type === 'event' ? this.theme.faint : this.theme.text;
		if (row.canOpen)
			c.fillText(row.isOpen ? '▾' : '▸', 6 + left, middle);
		c.fillText(fitText(c, row.label, (isHead && row.isOpen ? this.width : LABELS) - x - 6),
			   x, middle);
	}

	drawLosses(row) {
		const c = this.context, y = this.rowY(row);
		let last = -1;

		for (const loss of this.lossesByCpu.get(row.cpu) || []) {
			const from = this.xAt(loss.from);
			const to = Math.max(this.xAt(loss.to), from + 3);

			if (to < LABELS || from > this.width || to - last < 1)
				continue;
			box(c, this.theme.loss, from, y, to - from, row.height - 1);
			if (to - from > 40)
				write(c, this.theme.text, fitText(c, countLabel(loss.records) +
					' records lost', to - from - 8), Math.max(from, LABELS) + 4,
				      y + row.height / 2);
			last = to;
		}
	}

	/* The first time in view that is a multiple of @step on the chosen clock. */
	firstTick(step) {
		const { from } = this.view, { base } = this.data, size = BigInt(Math.round(step));
		const zero = { start: base - clock.base, boot: base }[clock.mode] ?? base + clock.epoch;
		const into = Number((zero + BigInt(Math.floor(from))) % size);

		return Math.floor(from) + (into ? Number(size) - into : 0);
	}

	drawRuler() {
		const c = this.context, { from, to } = this.view;
		const step = niceStep((to - from) / ((this.width - LABELS) / TICK));
		const offset = this.data.base, first = this.firstTick(step);
		const decimals = Math.max(0, 9 - Math.floor(Math.log10(step) + 1e-9));

		box(c, this.theme.panel, 0, 0, this.width, RULER);
		write(c, this.theme.faint, fitText(c, CLOCKS[clock.mode].axis, LABELS - 12), 6, RULER / 2);
		for (let time = first; time <= to; time += step) {
			const x = this.xAt(time);

			box(c, this.theme.line, x, 0, 1, RULER);
			write(c, this.theme.faint, clockLabel(offset + BigInt(Math.round(time)), decimals),
			      x + 4, RULER / 2);
		}
		box(c, this.theme.line, 0, RULER - 1, this.width, 1);
		c.fillRect(LABELS - 1, 0, 1, RULER);
	}
}

const NAME_HEIGHT = 12;		/* pixels */
const TWO_COLUMNS = 150;	/* pixels, least room for names of low rows beside each other */
/* Pixels on the left of a name, by type of row. */
const NAME_LEFT = { process: 18, cpus: 18, cpu: 18, chart: 18, thread: 24, hop: 24, event: 30 };

const THREAD_LOOK = {
	styleOf: (s, kind) => kind,
	denseStyle: (kind) => kind,
	labelOf: (s, kind) => kind === UNKNOWN ? '' : KIND_NAMES[kind],
};

/* The smallest 1, 2 or 5 times a power of ten that is not below this; ns. */
function niceStep(least) {
	const power = Math.pow(10, Math.floor(Math.log10(Math.max(1, least))));

	return power * [1, 2, 5, 10].find((factor) => factor * power >= least);
}

function groupLosses(losses) {
	const byCpu = groupedBy(losses, (loss) => loss.cpu);

	for (const list of byCpu.values())
		list.sort((a, b) => a.from - b.from);
	return byCpu;
}
