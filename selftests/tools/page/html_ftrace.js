// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html_ftrace.js - makes pages of a few switches and wakeups, which a test writes as ftrace does.
 *
 * Threads are 'name/id'; 'idle' is that of the CPU. Times are ms.
 */
'use strict';

const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const idOf = (thread) => thread === 'idle' ? 0 : Number(thread.split('/')[1]);
const nameOf = (thread, cpu) => thread === 'idle' ? 'swapper/' + cpu : thread.split('/')[0];

/** change() - at a time, a CPU leaves a thread in a state (R, S, D) and goes on with another one */
const change = (ms, cpu, from, state, to) => ({ ms, cpu, by: from, text: 'sched_switch: prev_comm=' +
	nameOf(from, cpu) + ' prev_pid=' + idOf(from) + ' prev_prio=120 prev_state=' + state + ' ==> next_comm=' +
	nameOf(to, cpu) + ' next_pid=' + idOf(to) + ' next_prio=120' });

/** wake() - at a time, a thread on a CPU wakes another one, for a CPU */
const wake = (ms, cpu, by, thread, target) => ({ ms, cpu, by, text: 'sched_wakeup: comm=' + nameOf(thread) +
	' pid=' + idOf(thread) + ' prio=120 target_cpu=' + String(target).padStart(3, '0') });

/** interrupt() - one of an idle CPU: its begin and its end */
const interrupt = (from, to, cpu) => [[from, 'entry: irq=7 name=disk'], [to, 'exit: irq=7 ret=handled']]
	.map(([ms, text]) => ({ ms, cpu, by: 'idle', text: 'irq_handler_' + text }));

/** makePage() - DIRECTORY/NAME.txt, .html and .json of events, in any order */
function makePage(directory, name, events) {
	const file = (extension) => path.join(directory, name + extension);
	const lines = events.slice().sort((a, b) => a.ms - b.ms).map(({ ms, cpu, by, text }) =>
		nameOf(by, cpu) + '-' + idOf(by) + ' [' + String(cpu).padStart(3, '0') + '] d... ' +
		(10 + ms / 1e3).toFixed(6) + ': ' + text + '\n');

	fs.writeFileSync(file('.txt'), '# tracer: nop\n' + lines.join(''));
	execFileSync('../collector/fxt/fxt', ['report', '-q', '--html', file('.html'), file('.txt')]);
	fs.writeFileSync(file('.json'), execFileSync('../collector/fxt/fxt', ['report', '-q', '--json', file('.txt')]));
}

module.exports = { change, wake, interrupt, makePage };
