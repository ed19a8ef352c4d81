// SPDX-License-Identifier: GPL-2.0-or-later
/* details.js - describes the selected span, or the marked range, with buttons to related spans. */

const MOST_LINES = 12;		/* of a list of shares, the rest in one line */
const MOST_ANCESTORS = 8;
const MOST_RELATED = 12;	/* buttons to threads woken, and to children */

/* --- what all details have -------------------------------------------------------------------- */

/* The time by the chosen clock, and since boot (or of the trace), as other tools print it. */
function startRows(data, from) {
	return [['start', startLabel(from)],
		...clock.mode === 'boot' ? [] :
			[[CLOCKS.boot.name, secondsLabel(data.base + BigInt(Math.round(from)))]]];
}

/* Buttons, then [name, value, class] rows, with lists beside them. */
function showDetails(moves, rows, lists) {
	const copy = button('Copy', () => copyText(detailsText(), copy),
			    { title: 'Copy the details as text' });

	byId('details').replaceChildren(
		element('div', [...moves, copy], { class: 'moves' }),
		element('div', [
			element('dl', rows.map(([name, value, kind]) =>
				element('div', [element('dt', name), element('dd', value)],
					kind ? { class: kind } : {}))),
			element('div', lists, { class: 'lists' }),
		], { class: 'parts' }));
}

/* Show a hint instead of details. */
function showHint(text) {
	byId('details').replaceChildren(element('p', text, { class: 'hint' }));
}

/* A line of a list: a text (a button if go() leads somewhere), a bar for its share, and a label. */
function shareLine(text, part, all, go, label = timeLabel(part)) {
	const share = all ? part / all : 0, bar = element('span');

	bar.style.width = 100 * Math.min(1, share) + '%';
	return element('li', [
		go ? button(text, go) : element('span', text),
		element('span', [bar], { class: 'bar' }),
		element('span', label, { class: 'number' }),
		element('span', shareLabel(share), { class: 'number' }),
	]);
}

/*
 * A title and the largest of some shares [what, share] of a sum; the others share one line.
 * describe(what): [its name, what a click does]
 */
function shareList(title, shares, all, describe, label) {
	const sorted = bySize(shares), few = sorted.slice(0, sorted.length > MOST_LINES + 1 ? MOST_LINES : Infinity);
	const rest = sorted.slice(few.length), sum = rest.reduce((part, of) => part + of[1], 0);
	const line = ([name, go], part) => shareLine(name, part, all, go, label?.(part));

	return element('section', [element('h2', title), element('ul', [
		...few.map(([what, part]) => line(describe(what), part)),
		...rest.length ? [line([plural(rest.length, 'other')], sum)] : [],
	], { class: 'shares', 'aria-label': title })]);
}

/* --- a span ----------------------------------------------------------------------------------- */

/* How long the thread had waited in the span before, and for what, if known. */
function beforeOf({ data }, span) {
	const track = data.threadTracks[data.spans.thread[span]], at = track?.position(span) ?? -1;

	return at > 0 ? span - 1 : -1;
}

function stateName(spans, span) {
	return STATES[String.fromCharCode(spans.state[span])]?.name ?? 'unknown';
}

function detailRows(timeline, span) {
	const { spans, threads } = timeline.data, t = threads[spans.thread[span]];
	const before = beforeOf(timeline, span), end = endOfSleep(timeline.data, span);
	const rows = [
		['thread', threadLabel(t)],
		['process', timeline.processLabel(t)],
		...familyRows(timeline.data, t),
		['state', t.isIdle ? 'idle' : stateName(spans, span)],
		['duration', timeLabel(spans.to[span] - spans.from[span])],
		...startRows(timeline.data, spans.from[span]),
	];

	if (spans.cpu[span] !== NO_CPU)
		rows.push(['CPU', String(spans.cpu[span])]);
	if (before >= 0)
		rows.push(['previous state', stateName(spans, before) + ', ' +
			   timeLabel(spans.to[before] - spans.from[before])]);
	if (end >= 0)
		rows.push(['ended by', wakerLabel(timeline.data, end) ?? 'unknown']);
	return rows.concat(stackRows(timeline.data, span));
}

/* The first span of a kind that ends after a time, or the last one. */
function firstIn(track, time, kind) {
	let i = track.firstEndingAfter(time);

	while (track.kind[i] !== kind && i < track.count - 1)
		i++;
	return track.span(i);
}

/* May a thread use a CPU? Its affinity is a list like 0-3,8; without one, it may use all. */
function mayUse({ cpus }, cpu) {
	return cpus === null || cpus.split(',').map((part) => part.split('-').map(Number))
		.some(([from, to = from]) => cpu >= from && cpu <= to);
}

/* Who had the CPU during a wait, and which CPUs were idle. */
function meanwhileLists(timeline, s) {
	const { data } = timeline, { spans: { kind, from, to, thread } } = data, all = to[s] - from[s];
	const idle = data.cpus.filter((cpu) => mayUse(data.threads[thread[s]], cpu))
		.map((cpu) => [cpu, whoHad(data, cpu, from[s], to[s]).get(IDLE) ?? 0]).filter(([, ns]) => ns);

	if (!isWait(kind[s]))
		return [];
	return [shareList('Who had ' + waitPlace(data, s) + ' meanwhile', culpritsOf(data, s), all, (who) =>
		[culpritLabel(data, who),
		 who >= 0 ? () => timeline.select(firstIn(data.threadTracks[who], from[s], RUNNING), true) : undefined]),
	...idle.length ? [shareList('CPUs idle meanwhile', idle, all, (cpu) => ['CPU ' + cpu,
		() => timeline.select(firstIn(data.cpuTracks.get(cpu), from[s], SLEEPING), true)])] : []];
}

/* The number of threads for which no button is left. */
function moreLabels(count) {
	return count > 0 ? [element('span', 'and ' + countLabel(count) + ' more')] : [];
}

/* Buttons to the waker and to the threads that it woke; an interrupt has no button. */
function wakeButtons(timeline, span) {
	const { spans, threads } = timeline.data, irq = spans.irq[timeline.causeOf(span)];
	const interrupts = irq ? [element('span', 'Woken by ' + wakerLabel(timeline.data, timeline.causeOf(span)))] : [];
	const wakeups = timeline.wakeupsOf(span);

	return interrupts.concat(wakeups.slice(0, MOST_RELATED).map((woken) => {
		const isCause = spans.thread[woken] === spans.thread[span];
		const number = isCause ? spans.waker[woken] : spans.thread[woken];
		const to = isCause ? timeline.runningAt(number, spans.from[woken]) : woken;
		const text = (isCause ? 'Woken by ' : 'Woke ') + threadLabel(threads[number]);

		return to < 0 ? element('span', text) : button(text, () => timeline.select(to, true));
	}), moreLabels(wakeups.length - MOST_RELATED));
}

/* Buttons to pin a thread below the CPUs, and to hide it. */
function rowButtons(timeline, span) {
	const t = timeline.data.threads[timeline.data.spans.thread[span]];

	if (t.isIdle || !t.isShown)
		return [];
	return [button(timeline.model.kept.has(t.number) ? 'Unpin (P)' : 'Pin (P)',
		       () => timeline.keepSelected()),
		button('Hide (H)', () => timeline.hideSelected())];
}

/* Describe the selected span; -1: none. */
function tellSelected(timeline, span) {
	if (span < 0) {
		showHint('Nothing is selected. Click a slice to describe it, or ' +
			 'drag over the timeline to sum up a range.');
		return;
	}
	showDetails([
		button('← Previous', () => timeline.step(-1)),
		button('Next →', () => timeline.step(1)),
		button('Fit', () => timeline.fit()),
		button('Why (Y)', () => explainSelected(timeline)),
		...rowButtons(timeline, span),
		...wakeButtons(timeline, span),
		...familyButtons(timeline, span),
	], detailRows(timeline, span), meanwhileLists(timeline, span));
}

/* --- parents and children of processes -------------------------------------------------------- */

/* Labels of the parent, its parent and so on. A damaged archive may have circles. */
function ancestorLabels(data, owner) {
	const found = [];
	let p = data.processes[owner];

	while (p && found.length < MOST_ANCESTORS) {
		const parent = data.processes[p.parent];

		if (parent)
			found.push(nameLabel(parent.name, parent.pid));
		else if (p.parentPid !== undefined)
			found.push(nameLabel(null, p.parentPid));
		p = parent;
	}
	return found;
}

function familyRows(data, thread) {
	const ancestors = ancestorLabels(data, thread.owner), rows = [];

	if (ancestors.length)
		rows.push(['parent', ancestors.join(' ← ')]);
	if (thread.cpus !== null)
		rows.push(['may run on', 'CPU ' + visible(thread.cpus)]);
	return rows;
}

/* By number of each process, the thread to show for it: its main thread, or else any. */
function mainThreads(data) {
	if (!data.mainThreads) {
		data.mainThreads = new Map();
		for (const t of data.threads) {
			if (t && t.owner !== null && data.threadTracks[t.number].count &&
			    (t.id === t.pid || !data.mainThreads.has(t.owner)))
				data.mainThreads.set(t.owner, t);
		}
	}
	return data.mainThreads;
}

function familyButtons(timeline, span) {
	const { data } = timeline, { owner } = data.threads[data.spans.thread[span]];
	const mains = mainThreads(data), to = (what, number) => button(what + ' ' +
		nameLabel(data.processes[number].name, data.processes[number].pid),
		() => timeline.selectFrom(mains.get(number), data.spans.from[span]));

	if (owner === null)
		return [];
	const { parent } = data.processes[owner];
	const children = Array.from(data.processes.keys()).filter((number) =>
		data.processes[number]?.parent === owner && mains.has(number));

	return [
		...(mains.has(parent) ? [to('Parent', parent)] : []),
		...children.slice(0, MOST_RELATED).map((number) => to('Child', number)),
		...moreLabels(children.length - MOST_RELATED),
	];
}

/* --- a range ---------------------------------------------------------------------------------- */

function rangeRows(data, sum, chosen) {
	const length = sum.to - sum.from, { waits } = sum, { spans, threads } = data;
	const all = length * sum.cpus.length, share = (key) => shareLabel(all ?
		sum.cpus.reduce((ns, cpu) => ns + cpu[key], 0) / all : 0);
	const rows = [
		['length', timeLabel(length)],
		...startRows(data, sum.from),
		['covers', chosen ? plural(chosen.threads.size || chosen.cpus.size, chosen.threads.size ?
			'thread' : 'CPU') : byId('scope').selectedOptions[0].textContent],
		...sum.cpus.length ? [['CPUs busy', share('busy') + ', idle ' + share('idle') + ', unknown ' + share('unknown') +
			' of ' + plural(sum.cpus.length, 'CPU')],
		...chosen ? [] : [['switches', countLabel(sum.switches)]],
		['waits that end', countLabel(waits.count)]] : [],
	];

	if (waits.longest >= 0)
		rows.push(['longest wait', timeLabel(spans.to[waits.longest] - spans.from[waits.longest]) +
			   ', ' + threadLabel(threads[spans.thread[waits.longest]])]);
	return rows;
}

function tellRange(timeline, range) {
	const { data, pivot } = timeline, sum = summarize(data, range), { longest, wakers } = sum.waits;
	const woken = wakers.reduce((count, [, times]) => count + times, 0), length = range.to - range.from;
	const select = element('select', options(Object.keys(PIVOTS).map((by) => [by, 'by ' + by])),
			       { 'aria-label': 'Sums by' });

	select.value = pivot;
	on(select, 'change', () => {
		timeline.pivot = select.value;
		timeline.onTell();
		byId('details').querySelector('select').focus();
	});
	showDetails([
		button('Zoom to it (Z)', () => timeline.zoomToRange()),
		...(longest >= 0 ? [button('Longest wait', () => timeline.show(longest))] : []),
		select,
		...range.rows ? [button('All rows', () => {
			timeline.setRange(range.from, range.to);
			timeline.onTell();
		})] : [],
		button('Clear (Esc)', () => timeline.clear()),
	], rangeRows(data, sum, range.rows), [
		...cellLists(timeline, cellsIn(data, range), pivot, length),
		['CPUs', sum.cpus.map(({ cpu, busy }) => [cpu, busy]), length, (cpu) => ['CPU ' + cpu]],
		['wakers', wakers, woken, (name) => [name], countLabel],
	].filter(([, shares]) => shares.length).map(([title, shares, ...rest]) =>
		shareList(title, shares, ...rest)));
}
