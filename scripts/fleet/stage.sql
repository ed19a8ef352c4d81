-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- The tables into which a batch of segments is loaded first: those of fxt convert --to csv, with
-- an additional first column n, the number of the segment in the batch. Run by load.sh in a
-- separate database, which it drops when the batch is in the tables of schema.sql.

CREATE TABLE batch (
	n UInt32, load UInt64, archive String, host String, boot String, seq UInt32, epoch UInt64
) ENGINE = Memory;
CREATE TABLE metadata (
	n UInt32, id Int64, name String, key_type String, int_value Int64, str_value String
) ENGINE = Memory;
CREATE TABLE stats (
	n UInt32, name String, idx Int64, severity String, source String, value Int64,
	description String
) ENGINE = Memory;
CREATE TABLE trace_bounds (n UInt32, start_ts Int64, end_ts Int64) ENGINE = Memory;
CREATE TABLE process (
	n UInt32, upid Int64, pid Int64, name String, parent_upid Int64, cgroup String
) ENGINE = Memory;
CREATE TABLE thread (
	n UInt32, utid Int64, tid Int64, name String, start_ts Int64, end_ts Int64, upid Int64,
	is_main_thread UInt8, is_idle UInt8, cpus String
) ENGINE = Memory;
CREATE TABLE sched (
	n UInt32, id Int64, ts Int64, dur Int64, cpu Int32, utid Int64, end_state String,
	priority Int32, ucpu Int32
) ENGINE = Memory;
CREATE TABLE thread_state (
	n UInt32, id Int64, ts Int64, dur Int64, cpu String, utid Int64, state String,
	io_wait String, blocked_function String, waker_utid Int64, waker_id Int64,
	irq_context UInt8, ucpu String
) ENGINE = Memory;
CREATE TABLE thread_track (
	n UInt32, id Int64, name String, type String, parent_id Int64, utid Int64
) ENGINE = Memory;
CREATE TABLE slice (
	n UInt32, id Int64, ts Int64, dur Int64, track_id Int64, category String, name String,
	depth UInt16, parent_id Int64, arg_set_id Int64
) ENGINE = Memory;

-- facts.sql fills these from the above: threads with all columns that the rows of other tables
-- repeat, and the thread that caused a wait or ended a sleep.
CREATE TABLE who (
	n UInt32, utid Int64, tid UInt32, thread String, pid UInt32, process String,
	cgroup String, is_idle UInt8, load UInt64, host String, epoch UInt64, stop Int64
) ENGINE = Memory;
-- taken: its CPU was taken away; else it was woken.
CREATE TABLE cause (
	n UInt32, utid Int64, at Int64, taken UInt8, other_utid Int64, irq UInt8
) ENGINE = Memory;
