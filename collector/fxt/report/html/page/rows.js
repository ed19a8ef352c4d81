// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rows.js - which rows the timeline has, in which order, and where.
 *
 * They are in three areas below each other: CPUs; the path of why.js and the threads that the user
 * pinned; and all other threads. Each area scrolls by itself. Only the rows on the screen are
 * drawn.
 */

const ROW_HEIGHT = { thread: 22, hop: 22, process: 22, event: 18, chart: 26, cpus: 18 };
/* [CPUs, pixels]: the height of a CPU's row on a machine with at most so many CPUs. */
const CPU_HEIGHT = [[8, 28], [16, 20], [32, 14], [Infinity, 8]];
const CPU_OPEN = 28;			/* pixels, of a CPU's row that is opened */
const MOST_OPEN = 4;			/* CPUs whose events are shown unless the user closes them */

/* How threads are grouped: the group's key, and its label if it has a row of its own. */
const GROUPINGS = {
	process: { name: 'by process', keyOf: (t) => t.process },
	cgroup: { name: 'by cgroup', keyOf: (t) => t.cgroup },
	none: { name: 'not at all', keyOf: () => '' },
};

/* How threads are sorted; sums of groups are compared, too. */
const ORDERS = {
	report: { name: 'as in the report' },
	run: { name: 'by run time', of: (data, t) => -data.run[t.number] },
	wait: { name: 'by waiting time', of: (data, t) => -data.wait[t.number] },
	name: { name: 'by name' },
	first: { name: 'by first appearance',
		 of: (data, t) => data.threadTracks[t.number].from[0], isLeast: true },
};

/* When some thread of a group runs, and which one. */
class GroupTrack extends Track {
	constructor(data, threads) {
		const from = [], to = [], hue = [], { spans, styles } = data;
		const kept = runsOf(data, threads).sort((a, b) => spans.from[a] - spans.from[b]).filter((s) => {
			const begin = Math.max(spans.from[s], to[to.length - 1] ?? 0);

			if (spans.to[s] <= begin)
				return false;
			from.push(begin);
			to.push(spans.to[s]);
			hue.push(hueOfStyle(styles[spans.thread[s]]));
			return true;
		});

		super(Float64Array.from(from), Float64Array.from(to));
		this.index = kept;
		this.hues = new Track(this.from, this.to, Uint8Array.from(hue), HUES);
		this.styles = Uint8Array.from(kept, (s) => styles[spans.thread[s]]);
	}
}

/* A set of all keys, or an empty one if all are in @closed. */
function closedOrNone(closed, keys) {
	return new Set(keys.every((key) => closed.has(key)) ? [] : keys);
}

/* Rows that scroll together; top, room: their place on the canvas in pixels. */
class Area {
	constructor() {
		this.scroll = 0;
		this.set([]);
		this.place(0, 0);
	}

	set(rows) {
		let top = 0;

		for (const row of rows) {
			row.area = this;
			row.top = top;
			row.height ??= ROW_HEIGHT[row.type];
			top += row.height;
		}
		this.rows = rows;
		this.height = top;
	}

	place(top, room) {
		this.top = top;
		this.room = room;
		this.bottom = top + room;
		this.scrollTo(this.scroll);
	}

	/* Return: are there more rows than fit? */
	scrollTo(top) {
		const most = Math.max(0, this.height - this.room);

		this.scroll = Math.min(Math.max(0, top), most);
		return most > 0;
	}

	/* The height of the rows that fit completely into a height. */
	fitting(most) {
		const last = this.rows.findLast((row) => row.top + row.height <= most);

		return last ? last.top + last.height : 0;
	}

	has(row) {
		return row.top >= this.scroll && row.top + row.height <= this.scroll + this.room;
	}

	/* The top of a row on the canvas, which may be outside of the area. */
	y(row) {
		return this.top + row.top - this.scroll;
	}

	/* The rows that are visible between two heights of the canvas. */
	rowsFrom(top = this.top, bottom = this.bottom) {
		const { rows } = this, from = Math.max(top, this.top), to = Math.min(bottom, this.bottom);
		const first = atLeast(0, rows.length, (n) => this.y(rows[n]) + rows[n].height > from);

		const end = atLeast(first, rows.length, (n) => this.y(rows[n]) >= to);

		return from < to ? rows.slice(first, end) : [];
	}
}

/* The rows of the timeline; call make() after changes. */
class Rows {
	constructor(data, report) {
		this.data = data;
		this.events = new EventRows(data.events);
		this.hasEvents = true;
		this.hasCharts = true;
		this.wanted = null;		/* of which threads this returns true; null: all */
		this.isActive = null;
		this.grouping = 'process';
		this.order = 'report';
		this.openCpus = new Set(data.cpus.length <= MOST_OPEN ? data.cpus : []);
		this.cpuGroups = cpuGroups(data);
		this.closedCpus = new Set();	/* keys of their groups */
		this.closed = new Set();	/* keys of groups */
		this.hidden = new Set();	/* numbers of threads, as the next one */
		this.hops = [];			/* rows of why.js */
		this.kept = new Set();		/* pinned below the CPUs */
		this.areas = { cpus: new Area(), pinned: new Area(), threads: new Area() };
		this.tracks = new Map();	/* of groups, by key */
		this.setReport(report);
	}

	/* Another report covers other threads. */
	setReport(report) {
		const { threads, processes } = this.data;

		this.report = report;
		this.charts = chartRows(this.data);
		/* The timeline also has the processes of threads that the report does not cover. */
		this.processNames = new Map([
			...threads.filter((t) => t && t.owner !== null)
				.map((t) => [t.process, processes[t.owner].name]),
			...report.processes.map((p) => [keyOf(p.pid ?? 0, p.nth), p.name])]);
		this.arrange();
	}

	/* As the report sorts them. */
	threadsOfReport() {
		const { data, report } = this, order = new Map(), processes = new Map();

		report.threads.forEach((t, i) => order.set(keyOf(t.tid, t.nth), i));
		report.processes.forEach((p, i) => processes.set(keyOf(p.pid ?? 0, p.nth), i));
		const rank = (t) => processes.get(t.process) ?? Infinity;

		return data.threads.filter((t) => t && t.isShown && (t.of || data.threadTracks[t.number].count))
			.sort((a, b) => compare(rank(a), rank(b)) ||
				compare(order.get(a.key) ?? Infinity, order.get(b.key) ?? Infinity) ||
				a.number - b.number);
	}

	/* Group and sort the threads again: this.groups, by key. */
	arrange(grouping = this.grouping, order = this.order) {
		const { data } = this, { of, isLeast } = ORDERS[order];
		const byName = (a, b) => compare(a.name, b.name, true) || a.number - b.number;

		this.all = this.threadsOfReport();
		const threads = of ? this.all.slice().sort((a, b) => of(data, a) - of(data, b)) :
			order === 'name' ? this.all.slice().sort(byName) : this.all;

		this.grouping = grouping;
		this.order = order;
		this.tracks.clear();
		const groups = groupedBy(threads, GROUPINGS[grouping].keyOf);
		const rank = (list) => isLeast ? of(data, list[0]) :
			list.reduce((sum, t) => sum + of(data, t), 0);

		this.groups = of ? new Map([...groups].sort((a, b) => rank(a[1]) - rank(b[1]))) :
			groups;
	}

	/* In the order of their rows. */
	threads() {
		return Array.from(this.groups.values()).flat();
	}

	/* Build this.rows again, in the order of the screen. */
	make() {
		const { cpus, pinned, threads } = this.areas;

		this.ofThread = new Map();
		this.ofCpu = new Map();
		this.fill(cpus, () => {
			this.addCpus(this.cpuGroups, this.data.cpus);
			if (this.hasCharts)
				this.rows.push(...this.charts);
			if (this.hasEvents)
				this.rows.push(...this.events.ofCgroups());
		});
		this.fill(pinned, () => {
			this.rows.push(...this.hops);
			for (const t of this.all.filter((of) => this.kept.has(of.number)))
				this.addThread(t);
		});
		this.fill(threads, () => {
			for (const [key, list] of this.groups)
				this.addGroup(key, list.filter((t) => this.isWanted(t)));
		});
		this.rows = [cpus, pinned, threads].flatMap(({ rows }) => rows);
	}

	fill(area, add) {
		this.rows = [];
		add();
		area.set(this.rows);
	}

	isWanted(t) {
		return !this.hidden.has(t.number) && !this.kept.has(t.number) &&
			(!this.wanted || this.wanted(t)) && (!this.isActive || this.isActive(t));
	}

	addCpus(groups, cpus) {
		for (const cpu of groups.length ? [] : cpus)
			this.addCpu(cpu);
		for (const group of groups) {
			const isOpen = !this.closedCpus.has(group.key);

			group.isOpen = isOpen;
			this.rows.push(group);
			if (isOpen)
				this.addCpus(group.parts, group.cpus);
		}
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

	groupLabel(key, threads) {
		if (this.grouping === 'cgroup')
			return key ? visible(key) : 'cgroup unknown';
		return key === '0' ? 'process unknown' :
			nameLabel(this.processNames.get(key) ?? null, threads[0].pid);
	}

	/* A process with one thread of the same name and id has no row, unless it has slices. */
	addGroup(key, threads) {
		if (!threads.length)
			return;
		const name = this.grouping === 'none' ? null : this.groupLabel(key, threads);
		const hasRow = name !== null &&
			(threads.length > 1 || threads[0].of || nameLabel(threads[0].name, threads[0].id) !== name);
		/* Open the groups of threads that a search found. */
		const isOpen = !hasRow || this.wanted !== null || !this.closed.has(key);

		if (hasRow)
			this.rows.push({ type: 'process', key, isOpen, canOpen: true,
					 label: threads[0].of === 'process' ? name : name + ', ' +
						 plural(threads.filter((t) => t.of !== 'process').length, 'thread'),
					 track: isOpen ? null : this.trackOf(key) });
		for (const thread of isOpen ? threads : [])
			this.addThread(thread);
	}

	trackOf(key) {
		if (!this.tracks.has(key))
			this.tracks.set(key, new GroupTrack(this.data, this.groups.get(key)));
		return this.tracks.get(key);
	}

	addThread(thread) {
		const events = this.hasEvents || thread.of ? this.events.rowsOf('thread', thread.number) : [];

		/* Without scheduling there is no row of states, so the first row has the name. */
		if (thread.of) {
			if (events.length && thread.of === 'thread')
				events[0].label = nameLabel(thread.name, thread.id);
			this.rows.push(...events.map((row) => ({ ...row, thread })));
			return;
		}
		const row = { type: 'thread', thread, label: nameLabel(thread.name, thread.id),
			      track: this.data.threadTracks[thread.number] };

		this.ofThread.set(thread.number, row);
		this.rows.push(row, ...events);
	}

	/* Open or close a row that can be opened. */
	toggle(row) {
		flip({ cpu: this.openCpus, cpus: this.closedCpus, process: this.closed }[row.type],
		     row.type === 'cpu' ? row.cpu : row.key);
	}

	/* Close all groups, or open them if all are closed. */
	toggleAll() {
		this.closed = closedOrNone(this.closed, [...this.groups.keys()]);
	}

	/* Close all groups of CPUs, or open them if all are closed. */
	toggleCpus() {
		this.closedCpus = closedOrNone(this.closedCpus, this.cpuGroups.map(({ key }) => key));
	}

	/* Open the group of a thread. Return: does that give the thread a row? */
	reveal(number) {
		const t = this.data.threads[number];

		return !this.ofThread.has(number) && t.isShown && this.isWanted(t) &&
			this.closed.delete(GROUPINGS[this.grouping].keyOf(t));
	}
}
