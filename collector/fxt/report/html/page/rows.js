// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rows.js - which rows the timeline has, in which order, and where.
 *
 * In:  CPUs, threads and events, and what the user wants to see of them. Out: rows with their top
 * and height: those of CPUs are always on the screen (isPinned), those of threads scroll below.
 * Only the rows on the screen are ever drawn.
 */
'use strict';

const ROW_HEIGHT = { thread: 22, process: 22, event: 18 };
/* Of a CPU, by the number of CPUs: the first height that is for at least as many. */
const CPU_HEIGHT = [[8, 28], [16, 20], [32, 14], [Infinity, 8]];
const CPU_OPEN = 28;			/* of one that is opened */
const MOST_OPEN = 4;			/* CPUs whose events are shown unless the user closes them */

/** class Rows - the rows of a timeline */
class Rows {
	constructor(data, report) {
		this.data = data;
		this.report = report;
		this.events = new EventRows(data.events);
		this.hasEvents = true;
		this.wanted = () => true;
		this.isActive = null;
		this.openCpus = new Set(data.cpus.length <= MOST_OPEN ? data.cpus : []);
		this.processNames = new Map(report.processes.map(
			(p) => [keyOf(p.pid ?? 0, p.nth), p.name]));
		this.byProcess = this.threadsByProcess();
		this.found = this.threads();
	}

	threadsByProcess() {
		const { data, report } = this, order = new Map(), byProcess = new Map();

		report.threads.forEach((t, i) => order.set(keyOf(t.tid, t.nth), i));
		const shown = data.threads.filter((t) => t && t.isShown &&
						  data.threadTracks[t.number].count);

		shown.sort((a, b) => (order.get(a.key) ?? Infinity) -
			   (order.get(b.key) ?? Infinity) || a.number - b.number);
		report.processes.forEach((p) => byProcess.set(keyOf(p.pid ?? 0, p.nth), []));
		for (const t of shown) {
			if (!byProcess.has(t.process))
				byProcess.set(t.process, []);
			byProcess.get(t.process).push(t);
		}
		return byProcess;
	}

	/** threads() - all, in the order of their rows */
	threads() {
		return Array.from(this.byProcess.values()).flat();
	}

	/** make() - builds this.rows again; the first this.pinned.length of them are pinned */
	make() {
		this.rows = [];
		this.ofThread = new Map();
		this.ofCpu = new Map();
		for (const cpu of this.data.cpus)
			this.addCpu(cpu);
		if (this.hasEvents)
			this.rows.push(...this.events.ofCgroups());
		this.pinned = this.rows;
		this.pinnedHeight = this.place(this.pinned, true);
		this.rows = [];
		for (const [process, threads] of this.byProcess)
			this.addProcess(process, threads.filter((t) => this.wanted(t) &&
				(!this.isActive || this.isActive(t))));
		this.scrolled = this.rows;
		this.height = this.place(this.scrolled, false);
		this.rows = this.pinned.concat(this.scrolled);
	}

	/* Return: the height of all. */
	place(rows, isPinned) {
		let top = 0;

		for (const row of rows) {
			row.isPinned = isPinned;
			row.top = top;
			row.height ??= ROW_HEIGHT[row.type];
			top += row.height;
		}
		return top;
	}

	/** pinnedWithin() - the height of as many whole pinned rows as fit into a height */
	pinnedWithin(most) {
		const fitting = this.pinned.filter((row) => row.top + row.height <= most);
		const last = fitting[fitting.length - 1];

		return last ? last.top + last.height : 0;
	}

	addCpu(cpu) {
		const low = CPU_HEIGHT.find(([count]) => this.data.cpus.length <= count)[1];
		const events = this.hasEvents ? this.events.rowsOf('cpu', cpu) : [];
		const isOpen = this.openCpus.has(cpu);
		const row = { type: 'cpu', cpu, label: 'CPU ' + cpu, isOpen,
			      canOpen: events.length > 0 || low < CPU_OPEN,
			      height: isOpen ? CPU_OPEN : low,
			      track: this.data.cpuTracks.get(cpu) };

		this.ofCpu.set(cpu, row);
		this.rows.push(row);
		if (isOpen)
			this.rows.push(...events);
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
		for (const thread of threads)
			this.addThread(thread);
	}

	addThread(thread) {
		const row = { type: 'thread', thread, label: nameLabel(thread.name, thread.id),
			      track: this.data.threadTracks[thread.number] };

		this.ofThread.set(thread.number, row);
		this.rows.push(row);
		if (this.hasEvents)
			this.rows.push(...this.events.rowsOf('thread', thread.number));
	}

	/** toggle() - opens or closes a row that can be opened. Return: can it be? */
	toggle(row) {
		if (row?.type !== 'cpu' || !row.canOpen)
			return false;
		if (!this.openCpus.delete(row.cpu))
			this.openCpus.add(row.cpu);
		this.make();
		return true;
	}

	/** filter() - shows only threads for which a function returns true; returns how many */
	filter(wanted) {
		this.wanted = wanted;
		this.found = this.threads().filter(wanted);
		this.make();
		return this.found.length;
	}
}
