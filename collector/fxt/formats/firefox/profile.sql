-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- profile.sql - what a profile of Firefox consists of, from the tables of an archive.
--
-- In:  the tables of formats/tables/tables.h, except those that the profile has no place for.
--      shown_stack(), which write.c defines.
-- Out: category, profile_thread, string, function, stack, marker and sample, in the order of the profile.
--      Their column n counts from 1, indexes in the profile count from 0. Times are ns since the
--      trace began.

CREATE INDEX args_of_set ON args (arg_set_id);
CREATE INDEX state_of_thread ON thread_state (utid, ts);

CREATE TABLE bounds AS
SELECT coalesce(max(start_ts), 0) AS start, coalesce(max(end_ts), 0) AS end FROM trace_bounds;

CREATE TABLE category (n INTEGER PRIMARY KEY, name TEXT UNIQUE, color TEXT);
INSERT INTO category (name, color) VALUES
	('Other', 'grey'), ('Program', 'yellow'), ('Kernel', 'purple'), ('Running', 'green'),
	('Runnable', 'orange'), ('Sleeping', 'blue'), ('Uninterruptible', 'red'),
	('Idle', 'transparent'), ('Events', 'lightblue'), ('Counters', 'brown'), ('Logs', 'magenta');

-- Names of states, and the type of their markers.
CREATE TABLE state (name TEXT PRIMARY KEY, label TEXT, category TEXT, type TEXT);
INSERT INTO state VALUES
	('Running', 'running', 'Running', 'Run'),
	('R', 'runnable', 'Runnable', 'Wait'),
	('R+', 'preempted', 'Runnable', 'Wait'),
	('S', 'sleep', 'Sleeping', 'Sleep'),
	('I', 'idle', 'Sleeping', 'Sleep'),
	('D', 'uninterruptible sleep', 'Uninterruptible', 'Sleep'),
	('T', 'stopped', 'Sleeping', 'Sleep'),
	('t', 'traced', 'Sleeping', 'Sleep'),
	('P', 'parked', 'Sleeping', 'Sleep'),
	('Z', 'exiting', 'Other', 'Sleep'),
	('X', 'dead', 'Other', 'Sleep'),
	('Unknown', 'unknown', 'Other', 'Sleep');

-- --- threads -------------------------------------------------------------------------------

-- A thread; also a CPU (utid -1 - cpu), and a process without threads that has events.
CREATE TABLE profile_thread (
	n INTEGER PRIMARY KEY, utid INTEGER UNIQUE, upid INTEGER, name TEXT, tid TEXT, pid TEXT,
	process TEXT, is_main INTEGER, start INTEGER, end INTEGER
);

INSERT INTO profile_thread (utid, name, tid, pid, process, is_main)
SELECT -1 - cpu, 'cpu ' || cpu, 'cpu ' || cpu, 'cpus', 'CPUs', 0
FROM (SELECT DISTINCT cpu FROM sched WHERE cpu NOTNULL) ORDER BY cpu;

-- Linux reuses ids. A later thread or process with an id has a suffix.
CREATE TABLE life AS
SELECT utid, upid, name, is_main_thread, is_idle, start_ts, end_ts, printf('%llu', tid) ||
	CASE row_number() OVER (PARTITION BY tid ORDER BY utid) WHEN 1 THEN ''
	ELSE '.' || row_number() OVER (PARTITION BY tid ORDER BY utid) END AS tid
FROM thread;
CREATE TABLE owner AS
SELECT upid, name, printf('%llu', pid) ||
	CASE row_number() OVER (PARTITION BY pid ORDER BY upid) WHEN 1 THEN ''
	ELSE '.' || row_number() OVER (PARTITION BY pid ORDER BY upid) END AS pid
FROM process;
CREATE UNIQUE INDEX owner_upid ON owner (upid);

INSERT INTO profile_thread (utid, upid, name, tid, pid, process, is_main, start, end)
SELECT l.utid, l.upid, coalesce(l.name, 'thread ' || l.tid), l.tid, coalesce(o.pid, l.tid), o.name,
	coalesce(l.is_main_thread, 0), l.start_ts - b.start, l.end_ts - b.start
FROM bounds b, life l LEFT JOIN owner o USING (upid)
WHERE NOT l.is_idle OR l.utid IN (SELECT utid FROM thread_track UNION SELECT utid FROM log)
ORDER BY l.upid, l.is_main_thread DESC, l.utid;

CREATE INDEX thread_of_process ON profile_thread (upid);

-- The process NULL is unknown: one of its threads may be of another process than the event.
INSERT INTO profile_thread (utid, upid, name, tid, pid, process, is_main)
SELECT -1000002 - coalesce(e.upid, -1), e.upid, coalesce(o.name, 'unknown process'),
	'process ' || coalesce(o.pid, '?'), coalesce(o.pid, '?'), o.name, 1
FROM (SELECT upid FROM process_track UNION SELECT upid FROM process_counter_track) e
LEFT JOIN owner o USING (upid)
WHERE NOT EXISTS (SELECT 1 FROM profile_thread t WHERE t.upid = e.upid);

-- The thread for events of a process: its main thread, if it has one.
CREATE TABLE host AS
SELECT coalesce(upid, -1) AS upid, utid, min(n) FROM profile_thread
WHERE upid NOTNULL OR utid < -1000000 GROUP BY upid;
CREATE UNIQUE INDEX host_upid ON host (upid);

CREATE TABLE label AS
SELECT utid, coalesce(name || ' ', '') || printf('%llu', tid) AS label FROM thread;
CREATE UNIQUE INDEX label_utid ON label (utid);

-- --- functions and stacks --------------------------------------------------------------------

CREATE TABLE string (n INTEGER PRIMARY KEY, text TEXT UNIQUE);

CREATE TABLE frame AS
SELECT f.id, coalesce(f.name, printf('0x%llx', f.rel_pc)) AS name, m.name AS library,
	iif(coalesce(m.start, f.rel_pc) < 0, 'Kernel', 'Program') AS category
FROM stack_profile_frame f LEFT JOIN stack_profile_mapping m ON m.id = f.mapping;

INSERT OR IGNORE INTO string (text) SELECT library FROM frame WHERE library NOTNULL;
CREATE TABLE library (n INTEGER PRIMARY KEY, name TEXT UNIQUE);
INSERT OR IGNORE INTO library (name) SELECT library FROM frame WHERE library NOTNULL;

-- A state, and a thread that a CPU runs, is shown as a function, too. It has a key.
CREATE TABLE function (
	n INTEGER PRIMARY KEY, name TEXT, library TEXT, category TEXT, key TEXT,
	UNIQUE (name, library, category, key)
);
INSERT OR IGNORE INTO function (name, library, category, key)
SELECT name, coalesce(library, ''), category, '' FROM frame;

CREATE TABLE stack (n INTEGER PRIMARY KEY, function INTEGER, prefix INTEGER);
INSERT INTO stack
SELECT c.id, f.n, c.parent_id FROM stack_profile_callsite c JOIN frame ON frame.id = c.frame_id
JOIN function f ON f.name = frame.name AND f.library = coalesce(frame.library, '') AND
	f.category = frame.category AND f.key = ''
ORDER BY c.id;

INSERT INTO function (name, library, category, key)
SELECT label, '', category, 'state ' || name FROM state;
INSERT INTO function (name, library, category, key)
SELECT iif(utid, label, 'idle'), '', iif(utid, 'Running', 'Idle'), 'thread ' || utid FROM label
WHERE utid IN (SELECT utid FROM sched);
INSERT INTO stack (function) SELECT n FROM function WHERE key <> '';
INSERT OR IGNORE INTO string (text) SELECT name FROM function;

CREATE TABLE label_stack AS
SELECT f.key, s.n FROM stack s JOIN function f ON f.n = s.function WHERE f.key <> '';
CREATE UNIQUE INDEX label_stack_key ON label_stack (key);

-- --- the stacks of states ----------------------------------------------------------------------

-- The stack of a thread that was off its CPU has the time at which it got the CPU again. It belongs
-- to the sleep before, or else to the wait. If the sleep went on, it is that of the time.
CREATE TABLE cause (state INTEGER PRIMARY KEY, stack INTEGER);

CREATE TABLE returned AS
SELECT b.callsite_id, (
	SELECT id FROM thread_state WHERE utid = b.utid AND ts < b.ts ORDER BY ts DESC, id DESC LIMIT 1
) AS before, (
	SELECT id FROM thread_state WHERE utid = b.utid AND ts < b.ts ORDER BY ts DESC, id DESC
	LIMIT 1 OFFSET 1
) AS slept
FROM backtrace b JOIN thread_state s ON s.utid = b.utid AND s.ts = b.ts AND s.state = 'Running'
WHERE b.sample_ns ISNULL AND NOT b.asleep AND b.callsite_id NOTNULL;

INSERT OR IGNORE INTO cause
SELECT iif(b.state = 'R' AND s.state NOT IN ('Running', 'R', 'R+', 'Unknown'), s.id, b.id),
	shown_stack(r.callsite_id)
FROM returned r JOIN thread_state b ON b.id = r.before LEFT JOIN thread_state s ON s.id = r.slept;

INSERT OR IGNORE INTO cause
SELECT s.id, shown_stack(b.callsite_id) FROM backtrace b JOIN thread_state s ON s.id = (
	SELECT id FROM thread_state WHERE utid = b.utid AND ts <= b.ts ORDER BY ts DESC, id DESC LIMIT 1
) WHERE b.asleep AND b.callsite_id NOTNULL AND s.state NOT IN ('Running', 'R', 'R+', 'Unknown');

-- The stack of a waker has the time at which the wakeup began. It belongs to the wait after it.
INSERT OR IGNORE INTO cause
SELECT s.id, shown_stack(b.callsite_id) FROM backtrace b JOIN thread_state s ON s.id = (
	SELECT id FROM thread_state WHERE utid = b.utid AND ts >= b.ts ORDER BY ts LIMIT 1
) WHERE s.state = 'R' AND b.sample_ns ISNULL AND NOT b.asleep AND b.callsite_id NOTNULL
AND NOT EXISTS (
	SELECT 1 FROM thread_state r WHERE r.utid = b.utid AND r.ts = b.ts AND r.state = 'Running'
);

-- --- markers -----------------------------------------------------------------------------------

-- An event without an end has the end NULL, an instant its own time.
CREATE TABLE marker (
	n INTEGER PRIMARY KEY, utid INTEGER, ts INTEGER, end INTEGER, name TEXT, category TEXT,
	data TEXT
);

-- What woke a thread is in the row of its wait; it ended the sleep before.
CREATE TABLE wakeup AS
SELECT s.id, coalesce(l.label, iif(s.irq_context, 'an interrupt', NULL)) AS waker
FROM thread_state s LEFT JOIN label l ON l.utid = s.waker_utid WHERE s.state = 'R';
CREATE UNIQUE INDEX wakeup_id ON wakeup (id);
CREATE TABLE sleep AS
SELECT id, lead(id) OVER (PARTITION BY utid ORDER BY ts, id) AS next FROM thread_state;
CREATE UNIQUE INDEX sleep_id ON sleep (id);

CREATE TABLE event AS
SELECT t.utid, s.ts, s.dur, s.name, s.category, s.arg_set_id
FROM slice s JOIN thread_track t ON t.id = s.track_id
UNION ALL
SELECT h.utid, s.ts, s.dur, s.name, s.category, s.arg_set_id
FROM slice s JOIN process_track t ON t.id = s.track_id
JOIN host h ON h.upid = coalesce(t.upid, -1);

INSERT INTO marker (utid, ts, end, name, category, data)
SELECT utid, ts - start, iif(dur < 0, NULL, ts + dur - start), name, category,
	iif(stack ISNULL, data, substr(data, 1, length(data) - 1) ||
		',"cause":{"stack":' || (stack - 1) || '}}')
FROM bounds, (
	SELECT s.utid, s.ts, s.dur, coalesce(k.label, s.state) AS name,
		coalesce(k.category, 'Other') AS category,
		json_patch('{}', json_object('type', coalesce(k.type, 'Sleep'),
			'cpu', iif(k.type = 'Sleep', NULL, s.cpu),
			'wokenBy', woken.waker, 'endedBy', ended.waker)) AS data, c.stack
	FROM thread_state s LEFT JOIN state k ON k.name = s.state
	LEFT JOIN wakeup woken ON woken.id = s.id
	LEFT JOIN sleep n ON n.id = s.id AND k.type = 'Sleep'
	LEFT JOIN wakeup ended ON ended.id = n.next
	LEFT JOIN cause c ON c.state = s.id
	UNION ALL
	SELECT e.utid, e.ts, e.dur, coalesce(e.name, ''), 'Events',
		json_patch('{}', json_object('type', 'Event', 'category', e.category, 'arguments', (
			SELECT group_concat(coalesce(key, '') || '=' || CASE value_type
				WHEN 'uint' THEN printf('%llu', int_value)
				WHEN 'pointer' THEN printf('0x%llx', int_value)
				WHEN 'bool' THEN iif(int_value, 'true', 'false')
				ELSE coalesce(string_value, int_value, real_value, 'null') END, ', ')
			FROM args WHERE arg_set_id = e.arg_set_id))), NULL
	FROM event e
	UNION ALL
	SELECT h.utid, c.ts, 0, coalesce(t.name, ''), 'Counters',
		json_object('type', 'Counter', 'value', c.value), NULL
	FROM counter c JOIN process_counter_track t ON t.id = c.track_id
	JOIN host h ON h.upid = coalesce(t.upid, -1)
	UNION ALL
	SELECT utid, ts, 0, 'log', 'Logs', json_object('type', 'Log', 'message', msg), NULL
	FROM log WHERE utid NOTNULL
)
ORDER BY utid, ts, dur DESC;

INSERT OR IGNORE INTO string (text) SELECT DISTINCT name FROM marker;

-- --- samples -----------------------------------------------------------------------------------

-- Samples of threads that ran, if there are any. Else each state of a thread is a sample, with its
-- stack if that is known. Runs of CPUs are samples in any case. The weight is the time that a sample
-- stands for, cpu the time on a CPU since the sample before.
CREATE TABLE sample (
	n INTEGER PRIMARY KEY, utid INTEGER, ts INTEGER, stack INTEGER, weight INTEGER, cpu INTEGER
);

-- Successive times of a thread or CPU; busy: on a CPU.
CREATE TABLE span AS
SELECT s.utid, s.ts, iif(s.dur < 0, b.end - s.ts, s.dur) AS dur,
	coalesce(iif(s.state = 'R', NULL, c.stack), l.n, unknown.n) AS stack,
	s.state = 'Running' AS busy, s.state NOT IN ('Z', 'X') AS counts
FROM bounds b, thread_state s LEFT JOIN cause c ON c.state = s.id
LEFT JOIN label_stack l ON l.key = 'state ' || s.state
JOIN label_stack unknown ON unknown.key = 'state Unknown'
WHERE NOT EXISTS (SELECT 1 FROM backtrace WHERE sample_ns NOTNULL AND callsite_id NOTNULL)
UNION ALL
SELECT -1 - s.cpu, s.ts, iif(s.dur < 0, b.end - s.ts, s.dur), l.n, s.utid <> 0, 1
FROM bounds b, sched s JOIN label_stack l ON l.key = 'thread ' || s.utid WHERE s.cpu NOTNULL;

-- What is not known of a CPU, and the end of each thread.
INSERT INTO span
SELECT utid, ts + dur, coalesce(next - ts - dur, 0), iif(next ISNULL, s.stack, l.n), 0, 1
FROM (SELECT utid, ts, dur, stack, lead(ts) OVER (PARTITION BY utid ORDER BY ts) AS next FROM span) s
JOIN label_stack l ON l.key = 'state Unknown' WHERE next ISNULL OR next > ts + dur;

-- When a thread was sampled, it ran: up to then for all its runs so far, less what follows.
CREATE TABLE sampled AS
SELECT utid, ts, stack, weight, busy - max(0, run_end - ts) AS busy
FROM (
	SELECT utid, ts, stack, weight, is_run,
		sum(run) OVER w AS busy, max(ts + run) OVER w AS run_end
	FROM (
		SELECT utid, ts, callsite_id AS stack, sample_ns AS weight, 0 AS run, 0 AS is_run
		FROM backtrace WHERE sample_ns NOTNULL AND callsite_id NOTNULL
		UNION ALL
		SELECT utid, ts, NULL, NULL, iif(dur < 0, end - ts, dur), 1
		FROM bounds, thread_state WHERE state = 'Running' AND
			EXISTS (SELECT 1 FROM backtrace WHERE sample_ns NOTNULL)
	) WINDOW w AS (PARTITION BY utid ORDER BY ts, is_run DESC ROWS UNBOUNDED PRECEDING)
) WHERE NOT is_run;

INSERT INTO sample (utid, ts, stack, weight, cpu)
SELECT utid, ts - start, stack, weight, cpu FROM bounds, (
	SELECT utid, ts, stack, iif(counts, dur, 0) AS weight,
		coalesce(lag(busy * dur) OVER (PARTITION BY utid ORDER BY ts, dur), 0) AS cpu FROM span
	UNION ALL
	SELECT utid, ts, stack, weight,
		coalesce(busy - lag(busy) OVER (PARTITION BY utid ORDER BY ts), 0) FROM sampled
)
ORDER BY utid, ts, weight;
