// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * family.js - parents and children of processes, and the CPUs of threads.
 *
 * In:  processes with the number of their parent, threads with that of their process.
 * Out: rows and buttons of the details of a selected span.
 */
'use strict';

const MOST_ANCESTORS = 8;
const MOST_CHILDREN = 12;

function processLabel(process) {
	return nameLabel(process.name, process.pid);
}

/* Labels of the parent, its parent and so on. A damaged archive may have circles. */
function ancestorLabels(data, owner) {
	const found = [];
	let p = data.processes[owner];

	while (p && found.length < MOST_ANCESTORS) {
		const parent = data.processes[p.parent];

		if (parent)
			found.push(processLabel(parent));
		else if (p.parentPid !== undefined)
			found.push(nameLabel(null, p.parentPid));
		p = parent;
	}
	return found;
}

/** familyRows() - details of a thread: ancestors of its process, and its CPUs */
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

/* The first span of the process at or after a time. */
function showProcess(timeline, number, ns) {
	const { data } = timeline;
	const track = data.threadTracks[mainThreads(data).get(number).number];

	timeline.select(track.span(Math.min(track.firstEndingAfter(ns), track.count - 1)), true);
}

/** familyButtons() - buttons to the parent and the children of the process of a span */
function familyButtons(timeline, span) {
	const { data } = timeline, { owner } = data.threads[data.spans.thread[span]];
	const isShown = (number) => mainThreads(data).has(number);
	const button = (what, number) => moveButton(what + ' ' + processLabel(data.processes[number]),
		() => showProcess(timeline, number, data.spans.from[span]));

	if (owner === null)
		return [];
	const { parent } = data.processes[owner];
	const children = Array.from(data.processes.keys()).filter((number) =>
		data.processes[number]?.parent === owner && isShown(number));
	const rest = children.length - MOST_CHILDREN;

	return [
		...(parent !== null && isShown(parent) ? [button('Parent', parent)] : []),
		...children.slice(0, MOST_CHILDREN).map((number) => button('Child', number)),
		...(rest > 0 ? [element('span', 'and ' + countLabel(rest) + ' more')] : []),
	];
}
