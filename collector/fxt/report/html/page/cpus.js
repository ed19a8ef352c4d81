// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpus.js - the CPUs in groups, as the machine has them: nodes, and last-level caches in these.
 * Each group has a chart of how many CPUs are busy.
 */

/* Ascending numbers as the kernel lists them: 0-3,8 */
function cpuList(cpus) {
	const runs = [];

	for (const cpu of cpus) {
		const last = runs[runs.length - 1];

		if (last && cpu === last[1] + 1)
			last[1] = cpu;
		else
			runs.push([cpu, cpu]);
	}
	return runs.map(([from, to]) => from === to ? from : from + '-' + to).join(',');
}

/* How many of the CPUs run a thread. Runs that follow each other without a gap are one. */
function busyTrack(data, cpus) {
	const tracks = cpus.map((cpu) => data.cpuTracks.get(cpu));
	const most = tracks.reduce((sum, track) => sum + track.count, 0);
	const from = new Float64Array(most), to = new Float64Array(most);
	let n = 0;

	for (const track of tracks) {
		let last = -1;

		for (let i = 0; i < track.count; i++) {
			if (track.kind[i] !== RUNNING)
				continue;
			if (track.from[i] !== last)
				from[n++] = track.from[i];
			to[n - 1] = last = track.to[i];
		}
	}
	return countTrack(from.subarray(0, n).sort(), to.subarray(0, n).sort());
}

/* CPUs that share a node or cache; the group has a row of its own. */
class CpuGroup extends ValueRow {
	constructor(data, what, cpus, depth) {
		const all = plural(cpus.length, 'CPU');

		super('cpus', what + ' of CPU' + (cpus.length > 1 ? 's ' : ' ') + cpuList(cpus), {
			style: BUSY, full: cpus.length, make: () => busyTrack(data, cpus),
			tell: (value) => value + ' of ' + all + ' busy' });
		this.cpus = cpus;
		this.depth = depth;
		this.key = what + ' ' + cpus[0];
		this.canOpen = true;
		this.parts = [];		/* CpuGroups, or empty */
	}
}

/*
 * Groups of the largest kind of which the machine has several, each with its groups of the next
 * kind; empty if all CPUs share one, or if the archive does not say.
 */
function cpuGroups(data) {
	const { cpus } = data;
	const kinds = [['Node', data.nodes], ['Cache', data.caches]].filter(([, of]) => of.length);
	const split = (some, [[what, numbers], ...rest], depth) => {
		const parts = [...groupedBy(some, (cpu) => numbers[cpus.indexOf(cpu)]).values()];

		if (parts.length < 2)
			return rest.length ? split(some, rest, depth) : [];
		return parts.map((part) => {
			const group = new CpuGroup(data, what, part, depth);

			group.parts = rest.length ? split(part, rest, depth + 1) : [];
			return group;
		});
	};

	return kinds.length ? split(cpus, kinds, 0) : [];
}
