// SPDX-License-Identifier: GPL-2.0-only
/*
 * channel.c - relay channels: from a producer to its readers.
 *
 * In:  finished records in streams, from the probes (stream.c).
 * Out: whole sub-buffers, each begun by a ledger, through read(2) of a stream's descriptor.
 *
 * A CPU has two streams: one for its records, and one for names. Names have their own because they
 * are never overwritten, and because a flood of names must not take the room of switches. The last
 * name in an archive counts, so the collector merges the streams of names by time.
 *
 * Each stream has a relay channel of its own, a global one, with one buffer. So this file decides
 * when to make a buffer, and for which CPU. relay itself would ignore the limits when a CPU comes
 * online, and would keep the CPU offline if memory were short. The stream also counts for itself
 * how long sub-buffers are and how many were read: relay would clear the length of the oldest
 * sub-buffer in overwrite mode, and counts what was read without a barrier. relay wakes readers.
 *
 * A CPU that comes online gets its buffers before it runs. If the limits do not allow them, its
 * records are counted as lost.
 *
 * Ownership
 * - The producer owns the open sub-buffer, rchan_buf.data, fxt_stream.complete and @used. There is
 *   one producer at a time, because it runs on the stream's CPU with interrupts disabled. Probes
 *   record nothing in an NMI.
 * - The reader owns fxt_stream.consumed and @read, under fxt_stream.reader: all files of a stream
 *   share them.
 *
 * Ordering between producer and reader, which share no lock. x86 needs only the last of these;
 * arm64 needs all.
 * - Fill before read. fxt_stream_close_subbuf() stores the records, then @used, then @complete
 *   (release). fxt_stream_waiting() loads @complete (acquire) before any of them. Without either,
 *   stale contents could go into the archive. A reader looks at complete sub-buffers only, so the
 *   hot path needs no barrier.
 * - Read before refill. fxt_stream_read() copies, then fxt_stream_consume() adds to @consumed
 *   (release). fxt_stream_next() loads that (acquire) before it stores anything in a new
 *   sub-buffer. Without them the copy could contain new records.
 * - Buffer before use. fxt_stream.buf is stored last (release) when a buffer is made, and
 *   fxt_stream_exists() loads it (acquire). Producers need no barrier: their CPU starts, or their
 *   probe is registered, after that.
 * - Sleep and wakeup. The producer stores @complete and then looks for sleepers; a reader becomes a
 *   sleeper and then looks at @complete. Each has a full barrier in between (wq_has_sleeper(), and
 *   smp_mb() in fxt_buf_poll()), so at least one of them sees the other. x86 needs these two
 *   barriers as well.
 *
 * If no complete sub-buffer waits, a reader gets the open one: fxt_stream_hand_over() makes the
 * producer's own CPU close its sub-buffer. That needs no timer and costs nothing without a reader.
 * It never runs concurrently with the producer, because both run on one CPU with interrupts
 * disabled. A CPU that is offline, and stays so under cpus_read_lock(), has no producer; its stores
 * are visible to everyone who takes that lock after the CPU went offline.
 *
 * A record that needs a sub-buffer opens it, so no sub-buffer holds only a ledger.
 *
 * Overwrite mode: a CPU's newest sub-buffer replaces its oldest
 * - The producer does not wait for readers, so none may read while there is a producer. Reading is
 *   possible only while the buffers are quiesced: fxt_session.recording has ended, all probes that
 *   may have seen it otherwise have returned, and the open sub-buffers were handed over. Readers
 *   hold quiesce_lock while they copy into memory of ours. To record again takes that lock for
 *   writing, drops what was not read, and the first record opens a new sub-buffer.
 * - The contents of quiesced buffers: let P be the number of sub-buffers completed, C of those
 *   dropped or read, n of places. Sub-buffer k lies in place k % n, which only the opening of
 *   sub-buffer k + n overwrites. None is open, so the last one opened is P - 1, and sub-buffers P -
 *   n to P - 1 are complete: n of them, not only the n - 1 that do not lie in the next place.
 *   Readers get those from C on, oldest first, each once, because C advances with each.
 * The streams of names continue as without overwrite mode.
 */
#include <linux/anon_inodes.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/relay.h>
#include <linux/smp.h>
#include <linux/topology.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <linux/fxt_sched.h>

#include "compat.h"
#include "session.h"
#include "stream.h"
#include "util.h"

static struct fxt_session *fxt_session_of(const struct fxt_stream *s)
{
	return container_of(s->notify, struct fxt_session, notify);
}

static struct fxt_stream *fxt_stream_of(const struct rchan_buf *buf)
{
	return buf->chan->private_data;
}

static void fxt_stream_close_here(void *info)
{
	struct fxt_stream *s = info;
	unsigned long flags;

	local_irq_save(flags);
	if (s->pos)
		fxt_stream_close_subbuf(s);
	local_irq_restore(flags);
}

/* Complete the open sub-buffer, however full it is. Context: may sleep. */
static void fxt_stream_hand_over(struct fxt_session *ss, struct fxt_stream *s)
{
	/* No sub-buffer is open. Later records go to the next read. */
	if (!READ_ONCE(s->pos))
		return;
	/* If the CPU is offline, only the mutex excludes another reader. */
	mutex_lock(&ss->hand_over_lock);
	cpus_read_lock();
	if (cpu_online(s->cpu))
		smp_call_function_single(s->cpu, fxt_stream_close_here, s, 1);
	else
		fxt_stream_close_here(s);
	cpus_read_unlock();
	mutex_unlock(&ss->hand_over_lock);
}

/* Of a CPU that was online. Return: the stream, or an ERR_PTR() as of fxt_channels_count(). */
static struct fxt_stream *fxt_channels_stream(struct fxt_session *ss, u32 kind, u32 cpu)
{
	struct fxt_stream *s;

	if (kind > FXT_SCHED_STREAM_NAMES)
		return ERR_PTR(-EINVAL);
	if (cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return ERR_PTR(-ENOENT);
	s = per_cpu_ptr(kind == FXT_SCHED_STREAM_NAMES ? ss->names : ss->cpus, cpu);
	return fxt_stream_exists(s) || READ_ONCE(s->refused) ? s : ERR_PTR(-ENOENT);
}

static int fxt_buf_release(struct inode *inode, struct file *file)
{
	struct fxt_session *ss = fxt_session_of(fxt_stream_of(file->private_data));
	int ret = relay_file_operations.release(inode, file);

	fxt_session_put(ss);
	return ret;
}

/* Complete sub-buffers that can be read now. */
static size_t fxt_stream_waiting(const struct fxt_session *ss, struct fxt_stream *s)
{
	size_t consumed;

	if (s->overwrites && !READ_ONCE(ss->quiesced))
		return 0;
	/*
	 * Load this first: @complete never falls, and another reader consumes only
	 * sub-buffers that it saw complete, so the difference is never negative.
	 */
	consumed = smp_load_acquire(&s->consumed);
	/* Pairs with the release in fxt_stream_close_subbuf(). */
	return smp_load_acquire(&s->complete) - consumed;
}

/*
 * Find the unread part of the oldest complete sub-buffer.
 *
 * Context: may sleep; fxt_stream.reader is held, and quiesce_lock for reading if the stream
 * overwrites. Return: bytes at @from; 0 if there are none.
 */
static size_t fxt_stream_unread(struct fxt_session *ss, struct fxt_stream *s, const void **from)
{
	struct rchan_buf *buf = s->buf;
	size_t slot;

	if (!fxt_stream_waiting(ss, s))
		fxt_stream_hand_over(ss, s);
	/* The hand-over may have completed one. */
	if (!fxt_stream_waiting(ss, s))
		return 0;
	slot = s->consumed % buf->chan->n_subbufs;
	*from = buf->start + slot * buf->chan->subbuf_size + s->read;
	return s->used[slot] - s->read;
}

/* @count of @left bytes of the oldest sub-buffer were read. Context: as of fxt_stream_unread(). */
static void fxt_stream_consume(struct fxt_stream *s, size_t count, size_t left)
{
	s->read += count;
	if (count < left)
		return;
	s->read = 0;
	/* After the copy. Pairs with the acquire in fxt_stream_has_place(). */
	smp_store_release(&s->consumed, s->consumed + 1);
}

static ssize_t fxt_stream_read(struct fxt_session *ss, struct fxt_stream *s,
			       char __user *to, size_t count)
{
	const void *from;
	size_t left = fxt_stream_unread(ss, s, &from);

	count = min(count, left);
	if (!count)
		return 0;
	if (copy_to_user(to, from, count))
		return -EFAULT;
	fxt_stream_consume(s, count, left);
	return count;
}

/*
 * Read from a stream that overwrites. A copy to memory of a process may take as long as that likes,
 * and closing the session needs quiesce_lock, so copy through a buffer of our own.
 */
static ssize_t fxt_stream_read_quiesced(struct fxt_session *ss, struct fxt_stream *s,
					char __user *to, size_t count)
{
	const void *from = NULL;
	size_t left = 0;
	void *copy;
	u64 resumed;

	count = min(count, s->buf->chan->subbuf_size);
	copy = kvmalloc(count, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	down_read(&ss->quiesce_lock);
	if (ss->quiesced)
		left = fxt_stream_unread(ss, s, &from);
	count = min(count, left);
	if (count)
		memcpy(copy, from, count);
	resumed = ss->resumed;
	up_read(&ss->quiesce_lock);

	if (copy_to_user(to, copy, count)) {
		kvfree(copy);
		return -EFAULT;
	}
	kvfree(copy);
	down_read(&ss->quiesce_lock);
	/* Otherwise the unread part was dropped already. */
	if (count && ss->resumed == resumed)
		fxt_stream_consume(s, count, left);
	up_read(&ss->quiesce_lock);
	return count;
}

static ssize_t fxt_buf_read(struct file *file, char __user *to, size_t count,
			    loff_t *ppos)
{
	struct fxt_stream *s = fxt_stream_of(file->private_data);
	struct fxt_session *ss = fxt_session_of(s);
	/* Before the look. Pairs with the release in fxt_channels_end(). */
	bool ended = smp_load_acquire(&ss->ended);
	ssize_t ret;

	if (!count)
		return 0;
	/* Another reader may wait for memory of a process. */
	if (mutex_lock_killable(&s->reader))
		return -EINTR;
	if (s->overwrites)
		ret = fxt_stream_read_quiesced(ss, s, to, count);
	else
		ret = fxt_stream_read(ss, s, to, count);
	mutex_unlock(&s->reader);
	return ret || ended ? ret : -EAGAIN;
}

static __poll_t fxt_buf_poll(struct file *file, poll_table *wait)
{
	struct rchan_buf *buf = file->private_data;
	struct fxt_stream *s = fxt_stream_of(buf);
	struct fxt_session *ss = fxt_session_of(s);
	__poll_t mask = 0;

	poll_wait(file, &buf->read_wait, wait);
	/*
	 * Enqueue before the check. Pairs with wq_has_sleeper() in
	 * fxt_stream_close_subbuf().
	 */
	smp_mb();
	if (fxt_stream_waiting(ss, s))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (READ_ONCE(ss->ended))
		mask |= EPOLLHUP;
	return mask;
}

static const struct file_operations fxt_buf_fops = {
	.owner = THIS_MODULE,	/* pins the module while a file is open */
	.release = fxt_buf_release,
	.read = fxt_buf_read,
	.poll = fxt_buf_poll,
};

/*
 * Make a file of a stream. It holds the session's memory and the buffer, so that readers can finish
 * after the session has ended.
 *
 * Context: may sleep; the session is not closed.
 *
 * Return: the file; an ERR_PTR() of -EINVAL for an unknown kind, -ENOENT if the CPU was never
 * online, -ENOMEM if there was no memory for its buffers then.
 */
struct file *fxt_channels_file(struct fxt_session *ss, u32 kind, u32 cpu)
{
	struct fxt_stream *s = fxt_channels_stream(ss, kind, cpu);
	struct file *file;

	if (IS_ERR(s))
		return ERR_CAST(s);
	if (!fxt_stream_exists(s))
		return ERR_PTR(-ENOMEM);
	file = anon_inode_getfile("[fxt_sched]", &fxt_buf_fops, s->buf, O_RDONLY);
	if (IS_ERR(file))
		return file;
	/* fxt_buf_release() puts both. */
	kref_get(&s->buf->kref);
	fxt_session_get(ss);
	return file;
}

/* --- making buffers --- */

/* fxt_stream_has_place() decides whether the next place may be written to. */
static int FXT_SUBBUF_START(fxt_subbuf_start)
{
	return 1;
}

/* relay asks for a file of each buffer, but ignores it if the channel has no name. */
static struct dentry fxt_no_file;

static struct dentry *fxt_create_buf_file(const char *filename, struct dentry *parent,
					  umode_t mode, struct rchan_buf *buf, int *is_global)
{
	*is_global = 1;
	return &fxt_no_file;
}

static int fxt_remove_buf_file(struct dentry *dentry)
{
	return 0;
}

static FXT_CALLBACKS_CONST struct rchan_callbacks fxt_relay_callbacks = {
	.subbuf_start = fxt_subbuf_start,
	.create_buf_file = fxt_create_buf_file,
	.remove_buf_file = fxt_remove_buf_file,
};

static bool fxt_stream_open(struct fxt_stream *s, size_t subbuf_size, size_t subbufs)
{
	struct rchan *channel = relay_open(NULL, NULL, subbuf_size, subbufs,
					   &fxt_relay_callbacks, s);

	if (!channel)
		return false;
	/* A global buffer is that of CPU 0. Last; pairs with the acquire in fxt_stream_exists(). */
	smp_store_release(&s->buf, *per_cpu_ptr(channel->buf, 0));
	return true;
}

static void fxt_stream_close(struct fxt_stream *s)
{
	if (s->buf)
		relay_close(s->buf->chan);
}

/* Bytes of a sub-buffer of names. They grow with the sub-buffers of the CPUs. */
static size_t fxt_names_subbuf_size(const struct fxt_config *config)
{
	u64 per_cpu = (u64)config->subbuf_size * config->subbuf_count;

	per_cpu = clamp_t(u64, per_cpu / FXT_SCHED_NAMES_SHARE, FXT_SCHED_NAMES_SIZE_MIN,
			  FXT_SCHED_NAMES_SIZE_MAX);
	return PAGE_ALIGN((size_t)per_cpu / FXT_SCHED_NAMES_SUBBUFS);
}

/* Bytes of the buffers of a CPU. */
static u64 fxt_channels_bytes(const struct fxt_config *config)
{
	return (u64)config->subbuf_size * config->subbuf_count +
	       (u64)fxt_names_subbuf_size(config) * FXT_SCHED_NAMES_SUBBUFS;
}

/*
 * For those who wait for buffers. It belongs to no session: when the work is done, who waits may
 * free the session before the worker wakes anybody. The workqueue is destroyed before the module
 * goes.
 */
static DECLARE_WAIT_QUEUE_HEAD(fxt_channels_made);

struct fxt_making {
	struct work_struct work;
	bool done;			/* published by @work */
	struct fxt_session *ss;
	unsigned int cpu;
	struct fxt_reason *reason;	/* set on failure */
	int ret;			/* 0 or -ENOMEM */
};

/* Context: may sleep; serialized. Memory comes from the node that this runs on. */
static void fxt_channels_make(struct fxt_making *m)
{
	const struct fxt_config *config = &m->ss->config;
	struct fxt_stream *s = per_cpu_ptr(m->ss->cpus, m->cpu);
	struct fxt_stream *names = per_cpu_ptr(m->ss->names, m->cpu);
	u64 bytes = fxt_channels_bytes(config);

	m->ret = fxt_limits_charge_session(bytes, m->reason);
	if (m->ret)
		return;
	if (!fxt_stream_open(s, config->subbuf_size, config->subbuf_count)) {
		fxt_limits_uncharge(bytes);
		bytes = 0;
	}
	m->ss->memory += bytes;
	if (bytes && fxt_stream_open(names, fxt_names_subbuf_size(config),
				     FXT_SCHED_NAMES_SUBBUFS))
		return;
	m->ret = fxt_refuse(m->reason, -ENOMEM,
			    "there is no memory for buffers of %u x %u bytes per CPU",
			    config->subbuf_count, config->subbuf_size);
}

static void fxt_channels_work(struct work_struct *work)
{
	struct fxt_making *m = container_of(work, struct fxt_making, work);

	fxt_channels_make(m);
	/*
	 * From here on, @m and the session may be freed. Pairs with the acquire in
	 * fxt_channels_make_on_node().
	 */
	smp_store_release(&m->done, true);
	wake_up(&fxt_channels_made);
}

/*
 * The same on the CPU's node. Workers of unbound queues run on CPUs of a node that are not
 * isolated.
 *
 * Return: false if real-time threads own these CPUs, so that nothing was done.
 */
static bool fxt_channels_make_on_node(struct fxt_making *m)
{
	bool begun = true;

	m->done = false;
	INIT_WORK_ONSTACK(&m->work, fxt_channels_work);
	queue_work_node(cpu_to_node(m->cpu), fxt_wq, &m->work);
	/* See fxt_control_wait(). Pairs with the release in fxt_channels_work(). */
	if (wait_event_hrtimeout(fxt_channels_made, smp_load_acquire(&m->done),
				 ms_to_ktime(FXT_NODE_WAIT_MS)))
		begun = !cancel_work_sync(&m->work);
	destroy_work_on_stack(&m->work);
	return begun;
}

/* Context: may sleep. */
static int fxt_channels_make_all(struct fxt_session *ss, struct fxt_reason *reason)
{
	struct fxt_making m = { .ss = ss, .reason = reason };
	bool on_node = num_online_nodes() > 1;
	u64 bytes = fxt_channels_bytes(&ss->config) * num_online_cpus();

	/* Refuse what is too much before any of it is allocated. */
	m.ret = fxt_limits_charge_session(bytes, reason);
	if (m.ret)
		return m.ret;
	fxt_limits_uncharge(bytes);
	for_each_online_cpu(m.cpu) {
		on_node = on_node && fxt_channels_make_on_node(&m);
		if (!on_node)
			fxt_channels_make(&m);
		if (m.ret)
			break;
	}
	return m.ret;
}

/*
 * A CPU comes online; fxt_channels_open() also calls this for each that is online. Failure would
 * keep the CPU offline.
 */
static int fxt_channels_cpu_online(unsigned int cpu, struct hlist_node *node)
{
	struct fxt_session *ss = hlist_entry_safe(node, struct fxt_session, hotplug);
	struct fxt_stream *s = per_cpu_ptr(ss->cpus, cpu);
	struct fxt_reason reason = { "" };
	struct fxt_making m = { .ss = ss, .cpu = cpu, .reason = &reason };

	if (s->buf)
		return 0;
	fxt_channels_make(&m);
	WRITE_ONCE(s->refused, m.ret);
	WRITE_ONCE(per_cpu_ptr(ss->names, cpu)->refused, m.ret);
	return 0;
}

static int fxt_hotplug_state;

/* Return: 0 or a negative errno. */
int __init fxt_channels_init(void)
{
	fxt_hotplug_state = cpuhp_setup_state_multi(CPUHP_BP_PREPARE_DYN, "fxt_sched:prepare",
						    fxt_channels_cpu_online, NULL);
	return min(fxt_hotplug_state, 0);
}

/* Context: may sleep; there is no session. */
void fxt_channels_exit(void)
{
	cpuhp_remove_multi_state(fxt_hotplug_state);
}

static void fxt_channels_free(struct fxt_session *ss)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		fxt_stream_close(per_cpu_ptr(ss->cpus, cpu));
		fxt_stream_close(per_cpu_ptr(ss->names, cpu));
	}
}

/* Make a session's buffers. Context: may sleep. Return: 0 or a negative errno. */
int fxt_channels_open(struct fxt_session *ss, struct fxt_reason *reason)
{
	int ret = fxt_channels_make_all(ss, reason);

	/* CPUs may have come online meanwhile. From here on, the callback sees those that do. */
	if (!ret)
		ret = cpuhp_state_add_instance(fxt_hotplug_state, &ss->hotplug);
	if (ret)
		fxt_channels_free(ss);
	return ret;
}

/* Complete the open sub-buffers of all streams that can be read. Context: may sleep. */
void fxt_channels_flush(struct fxt_session *ss)
{
	unsigned int cpu;

	down_read(&ss->quiesce_lock);
	for_each_possible_cpu(cpu) {
		if (!ss->config.overwrite || ss->quiesced)
			fxt_stream_hand_over(ss, per_cpu_ptr(ss->cpus, cpu));
		fxt_stream_hand_over(ss, per_cpu_ptr(ss->names, cpu));
	}
	up_read(&ss->quiesce_lock);
}

static void fxt_stream_wake(struct fxt_stream *s)
{
	if (fxt_stream_exists(s))
		wake_up_interruptible(&s->buf->read_wait);
}

/*
 * Tell readers and those who poll that nothing more comes. Context: may sleep; all sub-buffers are
 * complete.
 */
void fxt_channels_end(struct fxt_session *ss)
{
	unsigned int cpu;

	/* Pairs with the acquire in fxt_buf_read(). */
	smp_store_release(&ss->ended, true);
	for_each_possible_cpu(cpu) {
		fxt_stream_wake(per_cpu_ptr(ss->cpus, cpu));
		fxt_stream_wake(per_cpu_ptr(ss->names, cpu));
	}
}

/* Release the buffers of a session that has ended. Open files keep theirs. Context: may sleep. */
void fxt_channels_close(struct fxt_session *ss)
{
	cpuhp_state_remove_instance_nocalls(fxt_hotplug_state, &ss->hotplug);
	fxt_channels_free(ss);
}

static struct fxt_stream *fxt_next_cpu_stream(struct fxt_session *ss, int *cpu)
{
	struct fxt_stream *s;

	while ((*cpu = cpumask_next(*cpu, cpu_possible_mask)) < nr_cpu_ids) {
		s = per_cpu_ptr(ss->cpus, *cpu);
		if (fxt_stream_exists(s))
			return s;
	}
	return NULL;
}

/*
 * Overwrite mode: make the buffers readable. Context: may sleep; nothing is recorded, and probes
 * that saw a recording have returned.
 */
void fxt_channels_quiesce(struct fxt_session *ss)
{
	size_t places = ss->config.subbuf_count;
	struct fxt_stream *s;
	int cpu = -1;

	down_write(&ss->quiesce_lock);
	while (!ss->quiesced && (s = fxt_next_cpu_stream(ss, &cpu))) {
		fxt_stream_hand_over(ss, s);
		if (s->complete - s->consumed > places)
			WRITE_ONCE(s->consumed, s->complete - places);
	}
	WRITE_ONCE(ss->quiesced, true);
	up_write(&ss->quiesce_lock);
	cpu = -1;
	while ((s = fxt_next_cpu_stream(ss, &cpu)))
		fxt_stream_wake(s);
	wake_up_interruptible(&ss->notify.wait);
}

/*
 * Overwrite mode: drop unread records, and stop reading. Context: may sleep; nothing is recorded
 * yet.
 */
void fxt_channels_resume(struct fxt_session *ss)
{
	struct fxt_stream *s;
	int cpu = -1;

	down_write(&ss->quiesce_lock);
	WRITE_ONCE(ss->quiesced, false);
	ss->resumed++;
	while ((s = fxt_next_cpu_stream(ss, &cpu))) {
		WRITE_ONCE(s->consumed, s->complete);
		s->read = 0;
	}
	up_write(&ss->quiesce_lock);
}

/* Does a complete sub-buffer wait in any stream? */
bool fxt_channels_wait(struct fxt_session *ss)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct fxt_stream *s = per_cpu_ptr(ss->cpus, cpu);
		struct fxt_stream *names = per_cpu_ptr(ss->names, cpu);

		if ((fxt_stream_exists(s) && fxt_stream_waiting(ss, s)) ||
		    (fxt_stream_exists(names) && fxt_stream_waiting(ss, names)))
			return true;
	}
	return false;
}

/*
 * Read the counters of a stream, whose CPU and kind are in @c. They are exact once nothing is
 * recorded.
 *
 * Return: 0; -EINVAL for an unknown kind; -ENOENT if the CPU was never online.
 */
int fxt_channels_count(struct fxt_session *ss, struct fxt_sched_counters *c)
{
	struct fxt_stream *s = fxt_channels_stream(ss, c->kind, c->cpu);
	u64 *pos;

	if (IS_ERR(s))
		return PTR_ERR(s);
	c->switches = READ_ONCE(s->switches);
	c->wakeups = READ_ONCE(s->wakeups);
	c->events = READ_ONCE(s->events) + READ_ONCE(s->missed);
	c->names = READ_ONCE(s->names);
	c->folded = READ_ONCE(s->folded);
	c->lost = READ_ONCE(s->lost) + READ_ONCE(s->missed);
	c->bytes = READ_ONCE(s->bytes);
	/* During a recording, a sub-buffer that is closed now can make this wrong. */
	pos = READ_ONCE(s->pos);
	if (pos)
		c->bytes += (void *)pos - READ_ONCE(s->buf->data);
	c->last = READ_ONCE(s->last);
	c->subbufs = READ_ONCE(s->sequence);
	c->waiting = fxt_stream_waiting(ss, s);
	return 0;
}
