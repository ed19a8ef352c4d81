// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * links.js - from findings and rows of tables to the timeline.
 *
 * In:  objects of the report. Out: the timeline scrolls, zooms and selects what they are about.
 */

/* A thread by its id, and how many had that id before. */
function threadOf({ threads }, id, nth) {
	return threads.find((t) => t?.key === keyOf(id, nth));
}

/* Selects a span and fits the view to it. */
function fitSpan(timeline, span) {
	timeline.select(span, true);
	timeline.fit();
}

/** fitWait() - selects a wait and fits the view to it. Return: does the timeline have it? */
function fitWait(timeline, wait) {
	const { data } = timeline, end = Number(BigInt(wait.time_ns) - data.base);
	const track = data.threadTracks[threadOf(data, wait.tid, wait.nth)?.number];
	const at = track?.positionAt(end - 0.5) ?? -1;

	if (at >= 0)
		fitSpan(timeline, track.span(at));
	return at >= 0;
}

/* Says that the timeline does not have it. */
function tellMissing({ data }) {
	fxtPage.tabs.show('details');
	showHint('Not in the timeline' + (data.isPart ?
		', which has only a part of the recording; see above.' : '.'));
}

/** showWait() - shows a row of the longest waits in the timeline */
function showWait(timeline, wait) {
	if (!fitWait(timeline, wait))
		tellMissing(timeline);
}

/* A row of the threads. */
function showThread(timeline, row) {
	const thread = threadOf(timeline.data, row.tid, row.nth);

	if (thread)
		timeline.selectFrom(thread, timeline.view.from);
}

/** searchName() - searches the threads of a row of the names */
function searchName(timeline, row) {
	byId('search').value = row.name ?? '';
	byId('search').dispatchEvent(new Event('input'));
}

/* The main thread of a row of the processes. */
function showMainThread(timeline, row) {
	const { threads, threadTracks } = timeline.data;
	const all = threads.filter((t) => t && t.process === keyOf(row.pid ?? 0, row.nth) &&
				   threadTracks[t.number].count);
	const main = all.find((t) => t.id === t.pid) ?? all[0];

	if (main)
		timeline.selectFrom(main, timeline.view.from);
}

/* The longest slice of a row of the CPUs. */
function showCpu(timeline, row) {
	const track = timeline.data.cpuTracks.get(row.cpu);
	const from = row.longest_from_ns === null || row.longest_from_ns === undefined ? 0 :
		Number(BigInt(row.longest_from_ns) - timeline.data.base);
	const at = track ? track.firstEndingAfter(from) : 0;

	if (track && at < track.count) {
		timeline.select(track.span(at), true);
		timeline.showRow(timeline.model.ofCpu.get(row.cpu));
	}
}

/* The longest event of a row of interrupts, idle states, work items or system calls. */
function showLongest(timeline, row) {
	const { events } = timeline.data;

	for (let i = 0; i < events.count; i++) {
		const source = events.sourceOf(i);

		if (source.name === row.name && source.kind === row.kind &&
		    events.to[i] - events.from[i] === Number(row.longest_ns)) {
			timeline.showEvent(i);
			return;
		}
	}
}

/* By the link or the key of a table. */
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
};

/* --- findings -------------------------------------------------------------------------------- */

/* A single wait; the report has its length, to the ns. */
function showSpike(timeline, { tid, nth, of_ns }) {
	const { data } = timeline, track = data.threadTracks[threadOf(data, tid, nth)?.number];

	for (let i = 0; i < track?.count; i++) {
		if (isWait(track.kind[i]) && track.to[i] - track.from[i] === Number(of_ns))
			return fitSpan(timeline, track.span(i));
	}
	return undefined;
}

/* Where a finding happened: [text of a button, function]. */
function findingLinks(f) {
	const links = [], [culprit] = f.culprits;

	if (f.kind === 'spike' || f.kind === 'trigger')
		links.push(['Show the wait', (timeline) => showSpike(timeline, f)]);
	else if (f.tid !== null)
		links.push(['Show ' + nameLabel(f.name, f.tid), (timeline) => showThread(timeline, f)]);
	else if (f.pid !== null)
		links.push(['Show process ' + f.pid,
			    (timeline) => showMainThread(timeline, { pid: f.pid, nth: 0 })]);
	else
		links.push(['Search ' + nameLabel(f.name), (timeline) => searchName(timeline, f)]);
	if (culprit)
		links.push(['Show ' + nameLabel(culprit.name, culprit.tid), (timeline) =>
			showThread(timeline, { tid: culprit.tid, nth: 0 })]);
	if (f.cpu !== null)
		links.push(['Show CPU ' + f.cpu, (timeline) => showCpu(timeline, { cpu: f.cpu })]);
	return links;
}

/** tellFindings() - what is wrong: the sentences of the text report, with links */
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
