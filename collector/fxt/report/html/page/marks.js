// SPDX-License-Identifier: GPL-2.0-or-later
/* marks.js - draws the selection, the marked range and arrows of wakeups over the rows. */

const MOST_ARROWS = 64;
const EDGE_WIDTH = 180, EDGE_HEIGHT = 16;	/* pixels, of a label at most */
const ARROW_HEAD = 9, ARROW_ANGLE = 0.45;	/* pixels, radians */

/*
 * Rows may be scrolled out of their area: then marks end at its edge, where drawEdges() names what
 * is outside. Edges: [{ area, side, x, name }]
 */

/* The middle of a row, or the edge of its area that hides it; side: -1: above, 1: below. */
function placeOfRow({ area, top, height }) {
	const middle = area.top + top + height / 2 - area.scroll;
	const y = Math.min(Math.max(middle, area.top), area.bottom);

	return { y, side: Math.sign(middle - y) };
}

/* Name a row that is scrolled out, at a height of the canvas and if x is in view. */
function nameEdge(t, edges, row, x) {
	const { side } = placeOfRow(row);

	if (side && x >= LABELS && x <= t.width)
		edges.push({ area: row.area, side, x, name: row.label });
}

/* The names at the edges of areas; those in one place have one label. */
function drawEdges(t, edges) {
	const c = t.context, labels = [];

	for (const { area, side, x, name } of edges.sort((a, b) => a.x - b.x)) {
		const near = labels.find((label) => label.area === area && label.side === side &&
					 x < label.x + EDGE_WIDTH);

		if (near)
			near.names.add(name);
		else
			labels.push({ area, side, x, names: new Set([name]) });
	}
	for (const { area, side, x, names } of labels) {
		const [first, ...rest] = names, y = side < 0 ? area.top : area.bottom - EDGE_HEIGHT;
		const text = (side < 0 ? '↑ ' : '↓ ') + fitText(c, first, EDGE_WIDTH - 70) +
			(rest.length ? ', ' + countLabel(rest.length) + ' more' : '');
		const width = c.measureText(text).width + 10, left = Math.min(x, t.width - width);

		box(c, t.theme.text, left, y, width, EDGE_HEIGHT);
		write(c, t.theme.page, text, left + 5, y + EDGE_HEIGHT / 2);
	}
}

/* Outline a span or event in a row. */
function outline(t, edges, row, of, i) {
	const c = t.context, { area } = row ?? {};
	const x = Math.max(t.xAt(of.from[i]), LABELS - 4);
	const to = Math.min(t.xAt(of.to[i]), t.width + 4);

	if (!row || to < LABELS || x > t.width)
		return;
	nameEdge(t, edges, row, Math.max(x, LABELS));
	t.within(LABELS, area.top, area.bottom, () => {
		c.strokeStyle = t.theme.text;
		c.lineWidth = 2;
		c.strokeRect(x - 1, t.rowY(row) + 1, Math.max(3, to - x) + 2, row.height - 3);
	});
}

/* Fade the rows of CPUs, except those that the selected thread waited for, during its wait. */
function drawHighlight(t, edges) {
	const c = t.context, { ofCpu, areas: { cpus } } = t.model, others = new Path2D();
	const boxes = t.highlight.filter(({ cpu }) => ofCpu.has(cpu)).map(({ cpu, from, to }) => {
		const row = ofCpu.get(cpu), x = t.xAt(from);

		nameEdge(t, edges, row, Math.max(x, Math.min(LABELS, t.xAt(to))));
		return [x, t.rowY(row), Math.max(t.xAt(to) - x, 2), row.height];
	});

	if (!boxes.length)
		return;
	others.rect(LABELS, cpus.top, t.width, cpus.room);
	boxes.forEach((box) => others.rect(...box));
	t.within(LABELS, cpus.top, cpus.bottom, () => {
		c.fillStyle = t.theme.page;
		c.globalAlpha = 0.62;
		c.fill(others, 'evenodd');
		c.globalAlpha = 1;
		c.fillStyle = t.theme.accent;
		for (const [x, y, width, height] of boxes) {
			c.fillRect(x, y, width, 2);
			c.fillRect(x, y + height - 2, width, 2);
		}
	});
}

/* A band over the rows of the marked range, and its length in the ruler. */
function drawRange(t) {
	const c = t.context, x0 = t.xAt(t.range.from), x1 = t.xAt(t.range.to);
	const text = timeLabel(t.range.to - t.range.from);
	const wide = c.measureText(text).width + 12;
	const x = Math.min(Math.max((x0 + x1 - wide) / 2, LABELS), t.width - wide);

	c.fillStyle = t.theme.accent;
	c.globalAlpha = 0.14;
	for (const row of t.rowsFrom(RULER, t.pageHeight).filter((of) => t.isInRange(of))) {
		const y = Math.max(t.rowY(row), row.area.top);
		const end = Math.min(t.rowY(row) + row.height, row.area.bottom);

		c.fillRect(x0, y, x1 - x0, end - y);
	}
	c.globalAlpha = 1;
	c.fillRect(x0 - 0.5, 0, 1, t.pageHeight);
	c.fillRect(x1 - 0.5, 0, 1, t.pageHeight);
	c.fillRect(x0, RULER - 4, x1 - x0, 4);
	c.fillRect(x, 3, wide, RULER - 8);
	write(c, t.theme.page, text, x + 6, RULER / 2 - 1);
}

/* Outlines of the selected span, and arrows of wakeups; or of the selected event. */
function drawSelection(t, edges) {
	const { spans, events } = t.data, s = t.selected;

	if (t.event >= 0 && t.rows.includes(t.cursor))
		outline(t, edges, t.cursor, events, t.event);
	if (s < 0)
		return;
	outline(t, edges, t.model.ofThread.get(spans.thread[s]), spans, s);
	if (spans.kind[s] === RUNNING)
		outline(t, edges, t.model.ofCpu.get(spans.cpu[s]), spans, s);
	for (const woken of t.wakeupsOf(s).slice(0, MOST_ARROWS))
		drawWakeup(t, edges, woken);
}

/* From the waker's row to the woken thread's, among the threads and among the CPUs. */
function drawWakeup(t, edges, woken) {
	const { spans, threadTracks } = t.data, time = spans.from[woken];
	const waker = t.runningAt(spans.waker[woken], time);
	const track = threadTracks[spans.thread[woken]];
	const next = track.position(woken) < track.count - 1 ? woken + 1 : woken;

	drawCurve(t, edges, t.model.ofThread.get(spans.waker[woken]), time,
		  t.model.ofThread.get(spans.thread[woken]), time);
	if (waker >= 0 && spans.kind[next] === RUNNING)
		drawCurve(t, edges, t.model.ofCpu.get(spans.cpu[waker]), time,
			  t.model.ofCpu.get(spans.cpu[next]), spans.from[next]);
}

/* Draw an arrow between two rows; it ends at the edge of the area if a row is scrolled out. */
function drawCurve(t, edges, fromRow, fromTime, toRow, toTime) {
	if (!fromRow || !toRow)
		return;
	const x0 = t.xAt(fromTime), x1 = t.xAt(toTime), from = placeOfRow(fromRow), to = placeOfRow(toRow);

	if (from.y === to.y && from.side)
		return;
	nameEdge(t, edges, fromRow, x0);
	nameEdge(t, edges, toRow, x1);
	const bend = fromRow === toRow ? from.y - fromRow.height / 2 : (from.y + to.y) / 2;
	const angle = Math.atan2(to.y - bend, (x1 - x0) / 2 || 1e-3);

	t.within(LABELS, Math.min(fromRow.area.top, toRow.area.top),
		 Math.max(fromRow.area.bottom, toRow.area.bottom), () =>
			 drawArrow(t, [x0, from.y], [(x0 + x1) / 2, bend], [x1, to.y], angle));
}

function drawArrow({ context: c, theme }, from, middle, to, angle) {
	const line = new Path2D(), ends = new Path2D();

	line.moveTo(...from);
	line.quadraticCurveTo(...middle, ...to);
	ends.arc(...from, 3, 0, 7);
	ends.moveTo(...to);
	for (const side of [-ARROW_ANGLE, ARROW_ANGLE])
		ends.lineTo(to[0] - ARROW_HEAD * Math.cos(angle + side),
			    to[1] - ARROW_HEAD * Math.sin(angle + side));
	ends.closePath();
	/* With an edge, so that it is visible on slices of any colour. */
	c.strokeStyle = theme.page;
	c.lineWidth = 5;
	c.stroke(line);
	c.stroke(ends);
	c.strokeStyle = c.fillStyle = theme.text;
	c.lineWidth = 2;
	c.stroke(line);
	c.fill(ends);
}
