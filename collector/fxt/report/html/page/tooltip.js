// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tooltip.js - describes what is under the mouse. Its lines are text, never HTML, because names of
 * threads are untrusted.
 */

const TOOLTIP_GAP = 14;		/* pixels from the mouse */
const MOST_OCCUPANTS = 3;

/* The length of the span, and of the span before a run or sleep. */
function stateLine(data, s) {
	const { spans, threads } = data, isIdle = threads[spans.thread[s]].isIdle;

	return (isIdle ? 'CPU idle' : KIND_NAMES[spans.kind[s]]) + ' for ' +
		timeLabel(spans.to[s] - spans.from[s]);
}

/* Who had the CPU during a wait. */
function occupantLine(data, s) {
	const { spans } = data, shares = isWait(spans.kind[s]) ? culpritsOf(data, s) : [];
	const rest = shares.slice(MOST_OCCUPANTS).reduce((sum, [, ns]) => sum + ns, 0);
	const share = (name, ns) => name + ' ' +
		Math.round(100 * ns / (spans.to[s] - spans.from[s])) + '%';

	return shares.length ? waitPlace(data, s) + ' had: ' + [
		...shares.slice(0, MOST_OCCUPANTS).map(([who, ns]) => share(culpritLabel(data, who), ns)),
		...rest ? [share('others', rest)] : []].join(', ') : null;
}

/* The first line is the thread. */
function spanLines(timeline, s) {
	const { data } = timeline, { spans, threads } = data, t = threads[spans.thread[s]];
	const cause = timeline.causeOf(s), before = beforeOf(timeline, s);
	const waker = cause >= 0 && spans.kind[cause] === RUNNABLE ? wakerLabel(data, cause) : null;
	const lines = [threadLabel(t), stateLine(data, s)];

	if (spans.cpu[s] !== NO_CPU && !isWait(spans.kind[s]))
		lines[1] += ' on CPU ' + spans.cpu[s];
	if (spans.kind[s] === RUNNING && before >= 0 && isWait(spans.kind[before]))
		lines.push('waited ' + timeLabel(spans.to[before] - spans.from[before]) + ' before');
	if (waker)
		lines.push((isSleep(spans, s) ? 'ended by ' : 'woken by ') + waker);
	lines.push(occupantLine(data, s));
	return lines.filter((line) => line);
}

function eventLines(timeline, i) {
	const { events } = timeline.data, kind = events.kindOf(i);
	const lines = [eventLabel(events, i), EVENT_KINDS[kind]];

	if (rowOfKind(kind).track !== MomentTrack)
		lines[1] += ' for ' + timeLabel(events.to[i] - events.from[i]);
	return lines;
}

/* A row's name in full, because the row may show only a part. */
function rowLines(timeline, row) {
	const { data } = timeline;

	if (row.thread?.of)
		return [...row.label ? [row.label] : [], 'process ' + timeline.processLabel(row.thread)];
	if (row.type !== 'thread')
		return ['process', 'cpus'].includes(row.type) ? [row.label] : null;
	const sums = new Float64Array(SUMMED);

	row.track.sumUntil(Infinity, row.track.count, sums);
	return [row.label, 'process ' + timeline.processLabel(row.thread),
		'ran ' + timeLabel(data.run[row.thread.number]) + ', waited ' +
		timeLabel(sums[RUNNABLE] + sums[PREEMPTED])];
}

class Tooltip {
	constructor(timeline) {
		this.timeline = timeline;
		this.box = byId('tooltip');
	}

	/* Return: lines, or null. */
	linesAt(x, y) {
		const t = this.timeline, row = t.rowAt(y), flag = flagAt(t, x, y);

		if (!row)
			return flag ? [flag.text, startLabel(flag.time)] : null;
		if (x < LABELS)
			return rowLines(t, row);
		if (row.type === 'cpus')
			return [row.valueAt(t.timeAt(x)), row.label];
		const loss = row.type === 'cpu' ? t.lossAt(row, x) : null;

		if (loss)
			return [plural(loss.records, 'record') + ' lost', 'within ' +
				timeLabel(loss.to - loss.from)];
		if (row.type === 'chart')
			return [row.valueAt(t.timeAt(x)), row.label + ', at most ' + row.most];
		const at = t.longestAt(row, x);

		if (at >= 0)
			return row.type === 'event' ? eventLines(t, at) : spanLines(t, at);
		return null;
	}

	/* event: where the mouse is */
	show(event) {
		const lines = this.linesAt(event.offsetX, event.offsetY);

		if (!lines) {
			this.hide();
			return;
		}
		this.box.replaceChildren(...lines.map((line) => element('div', line)));
		this.box.hidden = false;
		const { width, height } = this.box.getBoundingClientRect();
		const x = event.clientX + TOOLTIP_GAP, y = event.clientY + TOOLTIP_GAP;

		this.box.style.left = Math.max(0, x + width > innerWidth ?
			event.clientX - TOOLTIP_GAP - width : x) + 'px';
		this.box.style.top = Math.max(0, y + height > innerHeight ?
			event.clientY - TOOLTIP_GAP - height : y) + 'px';
	}

	hide() {
		this.box.hidden = true;
	}
}
