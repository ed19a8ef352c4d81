// SPDX-License-Identifier: GPL-2.0
/*
 * channel.c - relay channels: the way from a producer to a reader.
 *
 * In:  finished records in streams, from the probes (stream.c).
 * Out: whole sub-buffers, each begun by a ledger, through read(2) of a stream's descriptor.
 *
 * There are two channels, "cpu" and "names", each with a buffer per CPU. Names have their
 * own because they are never overwritten, and because a flood of names must not take the
 * room of switches. The last name in an archive counts, so the collector merges the
 * streams of names by time, into one for the whole machine.
 *
 * Ownership
 * - The producer owns the open sub-buffer, rchan_buf.data, fxt_stream.complete and @used.
 *   There is one producer at a time, because it runs on the stream's CPU with irqs off.
 *   Probes record nothing in an NMI.
 * - The reader owns fxt_stream.consumed and @read, under fxt_stream.reader: all files of a
 *   stream share them.
 * - relay allocates the buffers, also for CPUs that come online later, and wakes readers. The
 *   memory is of the node of whoever asks, see fxt_channels_make(). relay goes to the next
 *   place whenever a sub-buffer is complete. Whether the producer may write
 *   there, and how long sub-buffers are, is known by the stream's own counts only: relay
 *   would clear the length of the oldest sub-buffer in overwrite mode, and it counts what was
 *   read without a barrier.
 *
 * Ordering between producer and reader, which share no lock. x86 needs only the last of
 * these; arm64 needs all.
 * - Fill before read. fxt_stream_close_subbuf() stores the records, then @used, then
 *   @complete (release). fxt_stream_waiting() loads @complete (acquire) before any of them.
 *   Without the release, @complete could become visible before the records; without the
 *   acquire, the reader could load the records early: either way stale contents would go
 *   into the archive. A reader looks at complete sub-buffers only, so the hot path needs no
 *   barrier.
 * - Read before refill. fxt_stream_read() copies, then fxt_stream_consume() adds to
 *   @consumed (release). fxt_stream_next() loads that (acquire) before it stores anything
 *   in a new sub-buffer. Without them the copy could contain new records.
 * - Buffer before use. relay creates a CPU's buffer when the CPU first comes online;
 *   fxt_stream_set_buf() stores fxt_stream.buf last (release), and fxt_stream_exists()
 *   loads it (acquire). Producers need no barrier: their CPU starts, or their probe is
 *   registered, after that.
 * - Sleep and wakeup. The producer stores @complete and then looks for sleepers; a reader
 *   becomes a sleeper and then looks at @complete. Each has a full barrier in between
 *   (wq_has_sleeper(), and smp_mb() in fxt_buf_poll()), so at least one of them sees the
 *   other. x86 needs these two barriers as well.
 *
 * Partly filled sub-buffers are handed over when a reader asks and no complete one waits:
 * fxt_stream_hand_over() makes the producer's own CPU close its sub-buffer. That needs no
 * timer and costs nothing without a reader. It never runs concurrently with the
 * producer, because both run on one CPU with irqs off. A CPU that is offline, and stays so
 * under cpus_read_lock(), has no producer; its stores are visible to everyone who takes
 * that lock after the CPU went offline.
 *
 * A record that needs a sub-buffer opens it, so no sub-buffer holds only a ledger.
 *
 * Overwrite mode: a CPU's newest sub-buffer replaces its oldest
 * - The producer does not wait for readers, so none may read while there is a producer. Reading
 *   is possible only while the buffers are quiesced: fxt_session.recording has ended, all
 *   probes that may have seen it otherwise have returned, and the open sub-buffers were
 *   handed over. Readers hold quiesce_lock while they copy into memory of ours. To record
 *   again takes that lock for writing, drops what was not read, and the first record opens
 *   a new sub-buffer.
 * - The contents of quiesced buffers: let P be the number of sub-buffers completed, C of
 *   those dropped or read, n of places. Sub-buffer k lies in place k % n, which only the
 *   opening of sub-buffer k + n overwrites. None is open, so the last one opened is P - 1,
 *   and sub-buffers P - n to P - 1 are complete: n of them, not only the n - 1 that do not
 *   lie in the next place. Readers get those from C on, oldest first, each once, because C
 *   advances with each.
 * The streams of names continue as without overwrite mode.
 */
#include <linux/anon_inodes.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/relay.h>
#include <linux/smp.h>
#include <linux/topology.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include <linux/fxt_sched.h>

#include "compat.h"
#include "session.h"
#include "stream.h"
#include "util.h"

/* A thread that waits for a CPU of a node for this time continues on another node. */
#define FXT_NODE_WAIT_MS	50

static struct fxt_stream *fxt_channel_stream(const struct fxt_channel *channel, unsigned int cpu)
{
	const struct fxt_session *ss = channel->ss;

	return per_cpu_ptr(channel->kind == FXT_SCHED_STREAM_NAMES ? ss->names : ss->cpus, cpu);
}

static struct fxt_session *fxt_session_of(const struct rchan_buf *buf)
{
	const struct fxt_channel *channel = buf->chan->private_data;

	return channel->ss;
}

static struct fxt_stream *fxt_stream_of(const struct rchan_buf *buf)
{
	return fxt_channel_stream(buf->chan->private_data, buf->cpu);
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

/* Complete a stream's open sub-buffer, however full it is. Context: may sleep. */
static void fxt_stream_hand_over(struct fxt_session *ss, struct fxt_stream *s)
{
	/* No sub-buffer is open. The next read gets records from now on. */
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

/* Return: an ERR_PTR() as of fxt_channels_file(). */
static struct fxt_stream *fxt_channels_stream(struct fxt_session *ss, u32 kind, u32 cpu)
{
	struct fxt_stream *s;

	if (kind > FXT_SCHED_STREAM_NAMES)
		return ERR_PTR(-EINVAL);
	if (cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return ERR_PTR(-ENOENT);
	s = fxt_channel_stream(kind == FXT_SCHED_STREAM_NAMES ? &ss->names_channel :
								&ss->cpu_channel, cpu);
	return fxt_stream_exists(s) ? s : ERR_PTR(-ENOENT);
}

static int fxt_buf_release(struct inode *inode, struct file *file)
{
	struct rchan_buf *buf = file->private_data;
	struct fxt_session *ss = fxt_session_of(buf);
	int ret = relay_file_operations.release(inode, file);

	fxt_session_put(ss);
	return ret;
}

/* Number of complete sub-buffers that may be read now and were not read yet. */
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
 * overwrites.
 *
 * Return: number of bytes, which are at @from; 0 if there are none.
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

/* @count of @left bytes of the oldest sub-buffer were read. Context: as above. */
static void fxt_stream_consume(struct fxt_stream *s, size_t count, size_t left)
{
	s->read += count;
	if (count < left)
		return;
	s->read = 0;
	/* Finish the copy before. Pairs with the acquire in fxt_stream_has_place(). */
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
 * Read from a stream that overwrites. A copy to @to may take as long as the owner of that memory
 * likes, and closing the session needs quiesce_lock: so copy through a buffer of our own.
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
	struct rchan_buf *buf = file->private_data;
	struct fxt_session *ss = fxt_session_of(buf);
	struct fxt_stream *s = fxt_stream_of(buf);
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
	struct fxt_session *ss = fxt_session_of(buf);
	__poll_t mask = 0;

	poll_wait(file, &buf->read_wait, wait);
	/*
	 * Enqueue before the check. Pairs with wq_has_sleeper() in
	 * fxt_stream_close_subbuf().
	 */
	smp_mb();
	if (fxt_stream_waiting(ss, fxt_stream_of(buf)))
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

/**
 * fxt_channels_file() - make a file of a stream
 * @ss: the session, not closed
 * @kind: FXT_SCHED_STREAM_CPU or FXT_SCHED_STREAM_NAMES
 * @cpu: number of the CPU
 *
 * The file holds the session's memory and the buffer, so that readers can finish reading after
 * the session has ended.
 *
 * Context: may sleep.
 *
 * Return: the file; an ERR_PTR() of -EINVAL if there is no such kind of stream, of -ENOENT if
 * the CPU has none.
 */
struct file *fxt_channels_file(struct fxt_session *ss, u32 kind, u32 cpu)
{
	struct fxt_stream *s = fxt_channels_stream(ss, kind, cpu);
	struct file *file;

	if (IS_ERR(s))
		return ERR_CAST(s);
	file = anon_inode_getfile("[fxt_sched]", &fxt_buf_fops, s->buf, O_RDONLY);
	if (IS_ERR(file))
		return file;
	/* fxt_buf_release() puts both. */
	kref_get(&s->buf->kref);
	fxt_session_get(ss);
	return file;
}

/*
 * Run on the node of a CPU, if there is such a CPU, and if this is a thread of
 * fxt_channels_make(). Context: may sleep.
 */
static void fxt_go_to_node_of(const struct fxt_session *ss, unsigned int cpu)
{
	int node;

	if (cpu >= nr_cpu_ids || !(current->flags & PF_KTHREAD) || READ_ONCE(ss->any_node))
		return;
	node = cpu_to_node(cpu);
	/* On failure, the memory of the buffer is just remote. */
	if (node != NUMA_NO_NODE && node != numa_node_id())
		set_cpus_allowed_ptr(current, cpumask_of_node(node));
}

/*
 * relay calls this for each place that it goes to, when fxt_stream_has_place() decides; and as
 * the last step when it creates a buffer.
 */
static int FXT_SUBBUF_START(fxt_subbuf_start)
{
	const struct fxt_channel *channel = buf->chan->private_data;

	if (prev_subbuf)
		return 1;
	fxt_stream_set_buf(fxt_stream_of(buf), buf,
			   channel->kind == FXT_SCHED_STREAM_NAMES ?
				FXT_LEDGER_STREAM_NAMES : buf->cpu,
			   channel->ss->config.form & FXT_SCHED_NO_WEIGHTS);
	/* relay_open() continues with the next CPU. Otherwise one comes online. */
	if (!channel->relay)
		fxt_go_to_node_of(channel->ss, cpumask_next(buf->cpu, cpu_online_mask));
	return 1;
}

/* relay asks for a file of each buffer, and does not keep it if the channel has no name. */
static struct dentry fxt_no_file;

/* relay creates a buffer. Its files are those of fxt_channels_file(). */
static struct dentry *fxt_create_buf_file(const char *filename,
					  struct dentry *parent, umode_t mode,
					  struct rchan_buf *buf, int *is_global)
{
	const struct fxt_channel *channel = buf->chan->private_data;
	u64 bytes = (u64)buf->chan->subbuf_size * buf->chan->n_subbufs;

	/*
	 * A CPU comes online; fxt_channels_open() has counted the others. Do not refuse the buffer,
	 * because that would keep the CPU offline.
	 */
	if (channel->relay) {
		fxt_limits_charge(bytes);
		channel->ss->memory += bytes;
	}
	return &fxt_no_file;
}

static int fxt_remove_buf_file(struct dentry *dentry)
{
	return 0;
}

static FXT_CALLBACKS_CONST struct rchan_callbacks fxt_channel_callbacks = {
	.subbuf_start = fxt_subbuf_start,
	.create_buf_file = fxt_create_buf_file,
	.remove_buf_file = fxt_remove_buf_file,
};

/* Context: cpus_read_lock() is held. */
static bool fxt_channel_open(struct fxt_channel *channel, struct fxt_session *ss, u32 kind,
			     size_t subbuf_size, size_t subbufs)
{
	channel->ss = ss;
	channel->kind = kind;
	fxt_go_to_node_of(ss, cpumask_first(cpu_online_mask));
	channel->relay = relay_open(NULL, NULL, subbuf_size, subbufs, &fxt_channel_callbacks,
				    channel);
	return channel->relay;
}

/* Bytes of a sub-buffer of names. They grow with the sub-buffers of the CPUs. */
static size_t fxt_names_subbuf_size(const struct fxt_config *config)
{
	u64 per_cpu = (u64)config->subbuf_size * config->subbuf_count;

	per_cpu = clamp_t(u64, per_cpu / FXT_SCHED_NAMES_SHARE, FXT_SCHED_NAMES_SIZE_MIN,
			  FXT_SCHED_NAMES_SIZE_MAX);
	return PAGE_ALIGN((size_t)per_cpu / FXT_SCHED_NAMES_SUBBUFS);
}

/* Bytes of all buffers, on the CPUs that are online. Context: cpus_read_lock() is held. */
static u64 fxt_channels_bytes(const struct fxt_config *config)
{
	u64 cpu = (u64)config->subbuf_size * config->subbuf_count;
	u64 names = (u64)fxt_names_subbuf_size(config) * FXT_SCHED_NAMES_SUBBUFS;

	return (cpu + names) * num_online_cpus();
}

/**
 * struct fxt_making - making the buffers of a session
 * @ss: the session
 * @made: there was memory for all
 * @done: relay has returned
 */
struct fxt_making {
	struct fxt_session *ss;
	bool made;
	struct completion done;
};

static bool fxt_channels_make_here(struct fxt_session *ss)
{
	const struct fxt_config *config = &ss->config;

	return fxt_channel_open(&ss->names_channel, ss, FXT_SCHED_STREAM_NAMES,
				fxt_names_subbuf_size(config), FXT_SCHED_NAMES_SUBBUFS) &&
	       fxt_channel_open(&ss->cpu_channel, ss, FXT_SCHED_STREAM_CPU,
				config->subbuf_size, config->subbuf_count);
}

static int fxt_channels_thread(void *data)
{
	struct fxt_making *m = data;

	m->made = fxt_channels_make_here(m->ss);
	complete(&m->done);
	return 0;
}

/*
 * Wait until a thread has made the buffers. Real-time threads may own all CPUs of a node for as long
 * as they like: if the thread gets no CPU there, it continues on any node.
 * Context: may sleep.
 */
static void fxt_channels_wait_for(struct fxt_making *m, struct task_struct *thread)
{
	u64 before, now = 0;

	do {
		before = now;
		if (wait_for_completion_timeout(&m->done, msecs_to_jiffies(FXT_NODE_WAIT_MS)))
			return;
		now = READ_ONCE(thread->se.sum_exec_runtime);
		/* Again if need be, because the thread may be about to go to a node. */
		if (now == before && FXT_TASK_STATE(thread) == TASK_RUNNING) {
			WRITE_ONCE(m->ss->any_node, true);
			set_cpus_allowed_ptr(thread, cpu_possible_mask);
		}
	} while (true);
}

/*
 * Let relay make the buffers of all CPUs, each in the memory of its CPU's node.
 *
 * relay takes memory from the node that it runs on, and makes all buffers in one call. So where
 * there are several nodes, a thread of our own calls it, and moves to the next CPU's node
 * whenever a buffer is made.
 *
 * Context: may sleep; cpus_read_lock() is held, so that the nodes keep their CPUs.
 */
static bool fxt_channels_make(struct fxt_session *ss)
{
	struct fxt_making m = { .ss = ss };
	struct task_struct *thread = NULL;

	init_completion(&m.done);
	if (num_online_nodes() > 1)
		thread = kthread_create(fxt_channels_thread, &m, "fxt_sched");
	/* Without a thread, the buffers of some CPUs are remote. */
	if (IS_ERR_OR_NULL(thread))
		return fxt_channels_make_here(ss);
	get_task_struct(thread);
	wake_up_process(thread);
	fxt_channels_wait_for(&m, thread);
	/* Wait until it has left this module's code. */
	kthread_stop(thread);
	put_task_struct(thread);
	return m.made;
}

/**
 * fxt_channels_open() - make a session's buffers
 * @ss: the session
 * @reason: says why not
 *
 * Context: may sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int fxt_channels_open(struct fxt_session *ss, struct fxt_reason *reason)
{
	const struct fxt_config *config = &ss->config;
	bool made;
	u64 bytes;
	int ret;

	/*
	 * No CPU may be on its way online: past relay's hotplug step and not online yet,
	 * it would get no buffer, and it would not be counted.
	 */
	cpus_read_lock();
	bytes = fxt_channels_bytes(config);
	ret = fxt_limits_charge_session(bytes, reason);
	if (ret) {
		cpus_read_unlock();
		return ret;
	}
	ss->memory = bytes;
	made = fxt_channels_make(ss);
	cpus_read_unlock();
	if (made)
		return 0;
	relay_close(ss->names_channel.relay);
	return fxt_refuse(reason, -ENOMEM,
			  "there is no memory for buffers of %u x %u bytes per CPU",
			  config->subbuf_count, config->subbuf_size);
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
 * Let readers and those who poll know that nothing more comes. Everything is complete. Context:
 * may sleep.
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

/*
 * Release the buffers of a session that no longer traces. Those of open files stay until these
 * are closed. Context: may sleep.
 */
void fxt_channels_close(struct fxt_session *ss)
{
	relay_close(ss->cpu_channel.relay);
	relay_close(ss->names_channel.relay);
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
 * Overwrite mode: make the buffers readable. Nothing is recorded, and no probe runs that could
 * have seen it otherwise. Context: may sleep.
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
 * Overwrite mode: drop unread records, and stop reading. Nothing is recorded yet. Context:
 * may sleep.
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

/**
 * fxt_channels_count() - read a stream's counters
 * @ss: the session
 * @c: with a CPU and a kind of stream; the rest is filled in
 *
 * The counters are exact once nothing is recorded, and approximate before.
 *
 * Return: 0; -EINVAL if there is no such kind of stream; -ENOENT if the CPU has none.
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
	/* While there is recording, a sub-buffer that is closed now can make this wrong. */
	pos = READ_ONCE(s->pos);
	if (pos)
		c->bytes += (void *)pos - READ_ONCE(s->buf->data);
	c->last = READ_ONCE(s->last);
	c->subbufs = READ_ONCE(s->sequence);
	c->waiting = fxt_stream_waiting(ss, s);
	return 0;
}
