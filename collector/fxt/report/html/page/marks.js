// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * marks.js - draws the selection, the marked range and arrows of wakeups over the rows.
 *
 * In:  a timeline, whose canvas already has its rows. Out: pixels.
 */

const MOST_ARROWS = 64;
const ARROW_HEAD = 9, ARROW_ANGLE = 0.45;	/* pixels, radians */

/* Where a row that scrolls is hidden by those that do not. */
function topOf(t, row) {
	return row.isPinned ? RULER : RULER + t.pinnedHeight;
}

/* The middle of a row, or the edge behind which it is hidden. */
function middleOf(t, row) {
	return Math.max(t.rowY(row) + row.height / 2, topOf(t, row));
}

function outlineSpan(t, row, span) {
	const spans = t.data.spans, c = t.context;
	const x = t.xAt(spans.from[span]), to = t.xAt(spans.to[span]);

	if (!row || to < LABELS || x > t.width || t.rowY(row) + row.height <= topOf(t, row))
		return;
	c.strokeStyle = t.theme.text;
	c.lineWidth = 2;
	c.strokeRect(Math.max(x, LABELS - 4) - 1, t.rowY(row) + 1,
		     Math.min(Math.max(3, to - x), t.width) + 2, row.height - 3);
}

/** drawHighlight() - fades the rows of CPUs, but for what had the CPU during the selected wait */
function drawHighlight(t, bottom) {
	const c = t.context, others = new Path2D();
	const boxes = t.highlight.filter(({ cpu }) => t.model.ofCpu.has(cpu)).map(({ cpu, from, to }) => {
		const row = t.model.ofCpu.get(cpu), x = t.xAt(from);

		return [x, t.rowY(row), Math.max(t.xAt(to) - x, 2), row.height];
	});

	if (!boxes.length)
		return;
	others.rect(LABELS, RULER, t.width, bottom - RULER);
	boxes.forEach((box) => others.rect(...box));
	c.fillStyle = t.theme.page;
	c.globalAlpha = 0.62;
	c.fill(others, 'evenodd');
	c.globalAlpha = 1;
	c.fillStyle = t.theme.accent;
	for (const [x, y, width, height] of boxes) {
		c.fillRect(x, y, width, 2);
		c.fillRect(x, y + height - 2, width, 2);
	}
}

/** drawRange() - the marked range: a band over its rows, and its length in the ruler */
function drawRange(t) {
	const c = t.context, x0 = t.xAt(t.range.from), x1 = t.xAt(t.range.to);
	const text = timeLabel(t.range.to - t.range.from);
	const wide = c.measureText(text).width + 12;
	const x = Math.min(Math.max((x0 + x1 - wide) / 2, LABELS), t.width - wide);

	c.fillStyle = t.theme.accent;
	c.globalAlpha = 0.14;
	for (const row of [true, false].flatMap((isPinned) => t.visibleRows(isPinned)).filter((of) => t.isInRange(of))) {
		const y = Math.max(t.rowY(row), topOf(t, row));

		c.fillRect(x0, y, x1 - x0, t.rowY(row) + row.height - y);
	}
	c.globalAlpha = 1;
	c.fillRect(x0 - 0.5, 0, 1, t.pageHeight);
	c.fillRect(x1 - 0.5, 0, 1, t.pageHeight);
	c.fillRect(x0, RULER - 4, x1 - x0, 4);
	c.fillRect(x, 3, wide, RULER - 8);
	c.fillStyle = t.theme.page;
	c.fillText(text, x + 6, RULER / 2 - 1);
}

/** drawSelection() - outlines of the selected span, and arrows of wakeups */
function drawSelection(t) {
	const spans = t.data.spans, s = t.selected;

	outlineSpan(t, t.model.ofThread.get(spans.thread[s]), s);
	if (spans.kind[s] === RUNNING)
		outlineSpan(t, t.model.ofCpu.get(spans.cpu[s]), s);
	for (const woken of t.wakeupsOf(s).slice(0, MOST_ARROWS))
		drawWakeup(t, woken);
}

/* From the waker's row to the woken thread's, among the threads and among the CPUs. */
function drawWakeup(t, woken) {
	const { spans, threadTracks } = t.data, time = spans.from[woken];
	const waker = t.runningAt(spans.waker[woken], time);
	const track = threadTracks[spans.thread[woken]];
	const next = track.position(woken) < track.count - 1 ? woken + 1 : woken;

	drawCurve(t, t.model.ofThread.get(spans.waker[woken]), time,
		  t.model.ofThread.get(spans.thread[woken]), time);
	if (waker >= 0 && spans.kind[next] === RUNNING)
		drawCurve(t, t.model.ofCpu.get(spans.cpu[waker]), time,
			  t.model.ofCpu.get(spans.cpu[next]), spans.from[next]);
}

function drawCurve(t, fromRow, fromTime, toRow, toTime) {
	if (!fromRow || !toRow)
		return;
	const c = t.context, x0 = t.xAt(fromTime), x1 = t.xAt(toTime);
	const y0 = middleOf(t, fromRow), y1 = middleOf(t, toRow);
	const bend = fromRow === toRow ? y0 - fromRow.height / 2 : (y0 + y1) / 2;
	const angle = Math.atan2(y1 - bend, (x1 - x0) / 2 || 1e-3);

	const line = new Path2D(), ends = new Path2D();

	line.moveTo(x0, y0);
	line.quadraticCurveTo((x0 + x1) / 2, bend, x1, y1);
	ends.arc(x0, y0, 3, 0, 7);
	ends.moveTo(x1, y1);
	for (const side of [-ARROW_ANGLE, ARROW_ANGLE])
		ends.lineTo(x1 - ARROW_HEAD * Math.cos(angle + side),
			    y1 - ARROW_HEAD * Math.sin(angle + side));
	ends.closePath();
	/* With an edge, so that it is visible on slices of any colour. */
	c.strokeStyle = t.theme.page;
	c.lineWidth = 5;
	c.stroke(line);
	c.stroke(ends);
	c.strokeStyle = c.fillStyle = t.theme.text;
	c.lineWidth = 2;
	c.stroke(line);
	c.fill(ends);
}
