-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- The tables of a fleet, for each server of a ClickHouse cluster that is called "fleet".
--
-- NAME_local has the rows of one server; NAME has those of all servers, and is for questions.
-- All rows of a host are on one server, so that a join by host needs no other server. Times are
-- in ns; ts is since 1970. Names are repeated in each row, so that a question needs no join for
-- them; because of the sorting they take almost no room. Run by load.sh --create.
--
-- load identifies a segment that was loaded: a row only counts if segment has its load.
-- load.sh writes to segment last, so the rows of an interrupted load do not count.

CREATE DATABASE IF NOT EXISTS fxt;

-- One row a segment. session has all other information about the recording.
CREATE TABLE IF NOT EXISTS fxt.segment_local (
	load UInt64, loaded DateTime,
	host String, boot String, start UInt64, stop UInt64, seq UInt32, day Date,
	archive String, cpus UInt16, bytes UInt64, records UInt64, switches UInt64,
	wakeups UInt64, written UInt64, lost UInt64,
	session Nested(key String, value String)
) ENGINE = MergeTree PARTITION BY toYYYYMM(day) ORDER BY (host, boot, start, seq);

-- If two loaders load the same segment at the same time, the first load counts.
CREATE VIEW IF NOT EXISTS fxt.segment_once AS SELECT * FROM fxt.segment_local
WHERE load IN (SELECT min(load) FROM fxt.segment_local GROUP BY host, boot, start, seq);

-- A thread ran on a CPU. idle: it is the idle thread. from_cpu: where it ran before; -1: not
-- in the segment. end_state: as in Perfetto, empty if it still ran at the end.
CREATE TABLE IF NOT EXISTS fxt.run_local (
	load UInt64, host LowCardinality(String), day Date, hour DateTime('UTC'),
	ts UInt64, dur UInt64, cpu UInt16, from_cpu Int32, idle UInt8,
	end_state LowCardinality(String), priority Int32,
	tid UInt32, thread LowCardinality(String),
	pid UInt32, process LowCardinality(String), cgroup LowCardinality(String)
) ENGINE = MergeTree PARTITION BY day ORDER BY (host, cpu, ts);

-- A thread did not run: R woken, waits for a CPU; R+ preempted, waits; S, D, ... sleeps.
-- cpu: of R and R+; -1 if unknown. other: the thread that woke it (R), that has the CPU instead
-- (R+), that ended the sleep. irq: it was an interrupt.
-- open: its end, that the thread ran or was woken, is not in the segment.
CREATE TABLE IF NOT EXISTS fxt.state_local (
	load UInt64, host LowCardinality(String), day Date, hour DateTime('UTC'),
	ts UInt64, dur UInt64, open UInt8, state LowCardinality(String), cpu Int32,
	tid UInt32, thread LowCardinality(String),
	pid UInt32, process LowCardinality(String), cgroup LowCardinality(String),
	other_tid UInt32, other LowCardinality(String), other_cgroup LowCardinality(String), irq UInt8
) ENGINE = MergeTree PARTITION BY day ORDER BY (host, state, ts);

-- Interrupts, idle states, throttled cgroups, system calls, ... track: a thread, or
-- "irq cpu 0". what: the track without its CPU, for example the path of a throttled cgroup.
CREATE TABLE IF NOT EXISTS fxt.slice_local (
	load UInt64, host LowCardinality(String), day Date, hour DateTime('UTC'),
	ts UInt64, dur UInt64, depth UInt16, cpu Int32,
	category LowCardinality(String), name LowCardinality(String),
	track LowCardinality(String), what LowCardinality(String)
) ENGINE = MergeTree PARTITION BY day ORDER BY (host, category, name, ts);

-- ns during which a CPU was idle, while a thread waited for a CPU (for 100 us or more in all);
-- thread_ns counts these for each such thread.
CREATE TABLE IF NOT EXISTS fxt.queued_local (
	load UInt64, host LowCardinality(String), day Date, hour DateTime('UTC'),
	ns UInt64, thread_ns UInt64
) ENGINE = MergeTree PARTITION BY day ORDER BY (host, hour);

CREATE TABLE IF NOT EXISTS fxt.segment_all AS fxt.segment_local
	ENGINE = Distributed(fleet, fxt, segment_local, cityHash64(host));
CREATE TABLE IF NOT EXISTS fxt.segment AS fxt.segment_local
	ENGINE = Distributed(fleet, fxt, segment_once);
CREATE TABLE IF NOT EXISTS fxt.run AS fxt.run_local
	ENGINE = Distributed(fleet, fxt, run_local, cityHash64(host));
CREATE TABLE IF NOT EXISTS fxt.state AS fxt.state_local
	ENGINE = Distributed(fleet, fxt, state_local, cityHash64(host));
CREATE TABLE IF NOT EXISTS fxt.slice AS fxt.slice_local
	ENGINE = Distributed(fleet, fxt, slice_local, cityHash64(host));
CREATE TABLE IF NOT EXISTS fxt.queued AS fxt.queued_local
	ENGINE = Distributed(fleet, fxt, queued_local, cityHash64(host));

-- Files that load.sh refused. It leaves them where they are.
CREATE TABLE IF NOT EXISTS fxt.rejected_local (
	time DateTime, archive String, reason String
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (archive, time);
CREATE TABLE IF NOT EXISTS fxt.rejected AS fxt.rejected_local
	ENGINE = Distributed(fleet, fxt, rejected_local, cityHash64(archive));
