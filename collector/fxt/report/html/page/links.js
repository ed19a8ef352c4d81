// SPDX-License-Identifier: GPL-2.0-or-later
/* links.js - findings and rows of tables lead to the timeline: it scrolls, zooms and selects. */

/* Find a thread by its id; nth: how many threads had that id before. */
function threadOf({ threads }, id, nth) {
	return threads.find((t) => t?.key === keyOf(id, nth));
}

/* Select a wait of the report. Return: does the timeline have it? */
function fitWait(timeline, wait) {
	const { data } = timeline, end = Number(BigInt(wait.time_ns) - data.base);
	const track = data.threadTracks[threadOf(data, wait.tid, wait.nth)?.number];
	const at = track?.positionAt(end - 0.5) ?? -1;

	if (at >= 0)
		timeline.show(track.span(at));
	return at >= 0;
}

function tellMissing({ data }) {
	fxtPage.tabs.show('details');
	showHint('Not in the timeline' + (data.isPart ?
		', which has only a part of the recording; see above.' : '.'));
}

/* A row of the longest waits. */
function showWait(timeline, wait) {
	if (!fitWait(timeline, wait))
		tellMissing(timeline);
}

/*
 * The longest span of a thread for which isWanted(kind, position) holds, or -1; length(span): what
 * to compare.
 */
function longestSpan({ threadTracks, spans }, { number }, isWanted, length = (s) => spans.to[s] - spans.from[s]) {
	const { kind, count, base } = threadTracks[number];
	let best = -1;

	for (let i = 0; i < count; i++) {
		if (isWanted(kind[i], i) && !(best >= 0 && length(base + i) <= length(base + best)))
			best = i;
	}
	return best < 0 ? -1 : base + best;
}

/* The longest wait of a thread, or else its longest run. */
function showLongestOf(timeline, thread) {
	const found = thread ? [isWait, (kind) => kind === RUNNING, () => true].map((isWanted) =>
		longestSpan(timeline.data, thread, isWanted)).find((s) => s >= 0) : undefined;

	if (found === undefined)
		tellMissing(timeline);
	else
		timeline.show(found);
}

/* A row of the threads. */
function showThread(timeline, row) {
	showLongestOf(timeline, threadOf(timeline.data, row.tid, row.nth));
}

/* Search for the name in a row. */
function searchName(timeline, row) {
	byId('search').value = row.name ?? '';
	byId('search').dispatchEvent(new Event('input'));
}

/* The main thread of a row of the processes. */
function showMainThread(timeline, row) {
	const { threads, threadTracks } = timeline.data;
	const all = threads.filter((t) => t && t.process === keyOf(row.pid ?? 0, row.nth) &&
				   threadTracks[t.number].count);

	showLongestOf(timeline, all.find((t) => t.id === t.pid) ?? all[0]);
}

/* Select the longest slice of a CPU's row; time: what to view instead of the slice. */
function showCpu(timeline, row, time) {
	const track = timeline.data.cpuTracks.get(row.cpu);
	const from = row.longest_from_ns === null || row.longest_from_ns === undefined ? 0 :
		Number(BigInt(row.longest_from_ns) - timeline.data.base);
	const at = track ? track.firstEndingAfter(from) : 0;

	if (track && at < track.count)
		timeline.show(track.span(at), time);
}

/* The longest event of a row of interrupts, idle states, work items or system calls. */
function showLongest(timeline, row) {
	const { events } = timeline.data, found = events.from.findIndex((from, i) => {
		const { name, kind } = events.sourceOf(i);

		return name === row.name && kind === row.kind && events.to[i] - from === Number(row.longest_ns);
	});

	if (found >= 0) {
		timeline.showEvent(found);
		timeline.onPick();
	}
}

/* What a click on a row does, by the link or the key of its table. */
const ROW_LINKS = {
	thread: showThread,
	name: searchName,
	wait: showWait,
	processes: showMainThread,
	cpus: showCpu,
	interrupts: showLongest,
	idle_states: showLongest,
	work_items: showLongest,
	system_calls: showLongest,
	'slices-names': (timeline, row) => showLongest(timeline, { ...row, kind: row.async ? 'async' : 'slice' }),
};

/* The threads of a finding or culprit: one, or all of a name. */
function threadsOf({ threads }, { name, tid, nth, threads: count }) {
	return threads.filter((t) => t && (tid === null || count > 1 ? t.name === name :
		t.key === keyOf(tid, nth ?? 0)));
}

/*
 * The span with a finding's longest loss of time, and what to view: { span, time: { from, to } },
 * or null if the timeline does not have it. A finding about a single wait has no time, so its exact
 * length identifies it.
 */
function lossOfFinding(data, f) {
	const { spans } = data, begin = Number(f.longest_from_ns ?? 0) ? f.longest_from_ns : null;
	const from = begin === null ? 0 : Number(BigInt(begin) - data.base), to = from + Number(f.longest_ns);
	const found = threadsOf(data, f).map((t) => longestSpan(data, t, (kind, i) => {
		const track = data.threadTracks[t.number];

		return begin === null ? isWait(kind) && track.to[i] - track.from[i] === Number(f.of_ns) :
			track.from[i] <= from && track.to[i] >= to &&
			(kind !== RUNNING || f.kind === 'interrupt');
	})).filter((s) => s >= 0);
	const span = found.reduce((a, b) => spans.from[b] > spans.from[a] ? b : a, found[0]);

	return span === undefined ? null : { span, time: isWait(spans.kind[span]) || begin === null ?
		{ from: spans.from[span], to: spans.to[span] } : { from, to } };
}

function showLoss(timeline, f) {
	const loss = lossOfFinding(timeline.data, f);

	if (loss)
		timeline.show(loss.span, loss.time);
	else
		tellMissing(timeline);
}

/* Select the longest run of a culprit during the loss. */
function showCulprit(timeline, f, culprit) {
	const { data } = timeline, { spans, threadTracks } = data;
	const { from, to } = lossOfFinding(data, f)?.time ?? {};
	const inside = (s) => Math.min(to, spans.to[s]) - Math.max(from, spans.from[s]);
	const found = threadsOf(data, culprit).map((t) => longestSpan(data, t, (kind, i) =>
		kind === RUNNING && inside(threadTracks[t.number].span(i)) > 0, inside)).filter((s) => s >= 0);

	if (found.length)
		timeline.show(found.reduce((a, b) => inside(b) > inside(a) ? b : a), { from, to });
	else
		showThread(timeline, { tid: culprit.tid, nth: 0 });
}

/* Buttons that show where a finding happened: [text, function]. */
function findingLinks(f) {
	const links = [], [culprit] = f.culprits, isOne = f.kind === 'spike' || f.kind === 'trigger';
	const hasTime = isOne || Number(f.longest_from_ns) > 0;

	if (hasTime)
		links.push(['Show the ' + (isOne ? 'wait' : 'longest ' +
			(Number(f.direct_ns) >= 0.9 * Number(f.ns) ? 'wait' : 'part')), (t) => showLoss(t, f)]);
	else if (f.tid !== null)
		links.push(['Show ' + nameLabel(f.name, f.tid), (timeline) => showThread(timeline, f)]);
	else if (f.pid !== null)
		links.push(['Show process ' + f.pid,
			    (timeline) => showMainThread(timeline, { pid: f.pid, nth: 0 })]);
	else
		links.push(['Search ' + nameLabel(f.name), (timeline) => searchName(timeline, f)]);
	if (culprit)
		links.push(['Show ' + nameLabel(culprit.name, culprit.tid), (timeline) =>
			showCulprit(timeline, f, culprit)]);
	if (f.cpu !== null)
		links.push(['Show CPU ' + f.cpu, (timeline) => {
			const { time } = lossOfFinding(timeline.data, f) ?? {};

			showCpu(timeline, { cpu: f.cpu, longest_from_ns: time && timeline.data.base +
				BigInt(Math.floor((time.from + time.to) / 2)) }, time);
		}]);
	return links;
}

/* List the findings: the sentences of the text report, with links. */
function tellFindings({ findings, losses }, timelineOf) {
	byId('tab-findings').dataset.count = findings.length || '';
	const links = (f) => findingLinks(f).map(([text, show]) => button(text, () => {
		if (timelineOf())
			show(timelineOf());
	}));

	byId('findings-list').replaceChildren(...findings.length ? findings.map((f) =>
		element('li', [visible(f.text), element('div', links(f), { class: 'moves' })])) :
		[element('li', losses.damaged ? 'None: the archive is damaged.' : 'Nothing stands out.')]);
}
