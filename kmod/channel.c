// SPDX-License-Identifier: GPL-2.0
/*
 * channel.c - the way from a probe to a reader: relay channels.
 *
 * What flows in: finished records, from the probes. What flows out: whole
 * sub-buffers, each begun by a ledger, through read(2) of cpuN and namesN.
 *
 * There are two channels, "cpu" and "names", with a buffer for each CPU. Names are
 * apart because they are never overwritten, and because a flood of them shall not
 * take the room of switches. The last name in an archive is the one that counts, so
 * the collector merges the streams of names by time, to one for the whole machine.
 *
 * Who owns what
 * - The producer owns the open sub-buffer and rchan_buf.{data,offset,
 *   subbufs_produced}. There is one at a time, because it runs on the stream's CPU
 *   with irqs off. NMIs neither schedule nor name, so they never produce.
 * - The reader owns rchan_buf.subbufs_consumed and fxt_stream.read, under
 *   fxt_stream.reader. Not under the lock of the file's inode: a reader waits for
 *   CPUs that come and go, these for relay, which waits for that lock of a file
 *   that it removes.
 *
 * What orders producer and reader, who share no lock; x86 would forgive all of it
 * but the last, arm64 nothing
 * - Filling before reading. A producer completes a sub-buffer in
 *   fxt_stream_close_subbuf(): records, then relay's padding and counts, then
 *   @complete (release). fxt_stream_waiting() loads @complete (acquire) before
 *   any of them. Without the one, @complete could be seen before the records;
 *   without the other, records could have been read ahead of it: either way what
 *   the place held before would go into the archive. A reader looks at complete
 *   sub-buffers only, so the hot path needs no barrier at all.
 * - Reading before filling anew. fxt_stream_read() copies, then, behind a full
 *   barrier (relay's store is a plain one), adds to subbufs_consumed.
 *   fxt_subbuf_start() loads that in relay_buf_full() and the producer writes only
 *   if it says so: a control dependency, which on every architecture keeps later
 *   stores behind the load, for no CPU lets others see a store on a guess. The
 *   compiler keeps to it as well: relay calls us, and we relay, through functions
 *   it cannot see through. Without the barrier the copy could meet new records.
 * - Buffer before its use. relay makes a CPU's buffer when the CPU first comes
 *   online; fxt_subbuf_start() stores fxt_stream.buf last (release), and
 *   fxt_stream_exists() loads it (acquire). The producers need nothing of the
 *   kind: their CPU starts, or their probe is registered, after that.
 * - Sleeping and waking. The producer stores @complete and then looks for sleepers,
 *   a reader becomes a sleeper and then looks at @complete: each has a full
 *   barrier in between (wq_has_sleeper(), and smp_mb() in fxt_buf_poll()), so at
 *   least one sees the other. Here x86 would err as well.
 *
 * Sub-buffers that do not fill are handed over when a reader asks and nothing
 * complete waits: fxt_stream_hand_over() has the producer's own CPU close its
 * sub-buffer. That costs no timer, nothing while nobody reads, and never runs
 * beside the producer, for it runs with irqs off where the producer does. A CPU
 * that is offline and stays so, under cpus_read_lock(), has no producer: what it
 * did is visible to whoever got that lock after it went.
 *
 * A sub-buffer is opened by the record that needs it, so there are none with
 * nothing but a ledger.
 *
 * Overwrite mode, in which a CPU's newest sub-buffer takes the place of its oldest
 * - Nobody may read beside the producer, which asks nobody. So there is reading
 *   only at rest: fxt_session.until has ended the recording, all probes that may
 *   have seen it otherwise are done, and the open sub-buffers were handed over.
 *   Readers hold rest_lock, which whoever begins to record again has to take: then
 *   what was not read is dropped, and the first record opens a new sub-buffer.
 * - What is there at rest: let P be the sub-buffers produced, C those that were
 *   dropped or read, n the places. Sub-buffer k lies in place k % n, and nothing
 *   but the opening of sub-buffer k + n writes there. The last one opened is
 *   P - 1, as none is open: so P - n to P - 1 are whole, n of them, not only the
 *   n - 1 that do not lie where the next one will. Of these are read those from C
 *   on, oldest first; each once, because C goes on with each.
 * - relay takes the next place for empty as soon as a sub-buffer is completed, and
 *   forgets how long the one is that lies there; fxt_stream_close_subbuf() does
 *   not let it.
 * The streams of names go on meanwhile as they do without overwrite mode.
 */
#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/relay.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include <linux/fxt_sched.h>

#include "channel.h"
#include "compat.h"
#include "session.h"

/* Tells the channel "names" from "cpu". Defined below. */
static FXT_CALLBACKS_CONST struct rchan_callbacks fxt_names_callbacks;

static bool fxt_has_names(const struct rchan_buf *buf)
{
	return buf->chan->cb == &fxt_names_callbacks;
}

static struct fxt_stream *fxt_stream_of(struct rchan_buf *buf)
{
	struct fxt_session *ss = buf->chan->private_data;

	return per_cpu_ptr(fxt_has_names(buf) ? ss->names : ss->cpus, buf->cpu);
}

/* Complete the open sub-buffer. Context: the producer's. */
static void fxt_stream_close_subbuf(struct fxt_stream *s)
{
	struct rchan_buf *buf = s->buf;
	size_t next = (buf->subbufs_produced + 1) % buf->chan->n_subbufs;
	size_t padding = buf->padding[next];

	buf->offset = (void *)s->pos - buf->data;
	s->bytes += buf->offset;
	s->pos = NULL;
	s->end = NULL;
	/*
	 * Wakes readers that sleep by now, by irq_work, which cannot run before
	 * irqs are on again here: they will find what the release below publishes.
	 */
	relay_switch_subbuf(buf, 1);
	/* Until a record comes, the oldest one of overwrite mode is still there. */
	buf->padding[next] = padding;
	/* Pairs with the acquire in fxt_stream_waiting(). */
	smp_store_release(&s->complete, buf->subbufs_produced);
	/*
	 * Readers that went to sleep since relay looked for some. Pairs with the
	 * full barrier in fxt_buf_poll().
	 */
	if (wq_has_sleeper(&buf->read_wait))
		irq_work_queue(&buf->wakeup_work);
}

/**
 * fxt_stream_next() - open the next sub-buffer: the slow path of reserving
 * @s: the stream
 * @time: ticks of the record that needs it
 *
 * Context: the producer's, with any locks of the scheduler held.
 *
 * Return: where that record goes, behind the ledger, or NULL if the reader
 * has not yet emptied any sub-buffer.
 */
u64 *fxt_stream_next(struct fxt_stream *s, u64 time)
{
	struct rchan_buf *buf = s->buf;
	struct fxt_ledger ledger;
	u64 *head;

	if (unlikely(!buf))
		return NULL;
	if (s->pos)
		fxt_stream_close_subbuf(s);
	/* Beyond its size is how relay says "full"; has the reader moved on? */
	if (buf->offset > buf->chan->subbuf_size && !relay_switch_subbuf(buf, 1))
		return NULL;

	ledger = (struct fxt_ledger) {
		.stream = s->id,
		.kind = FXT_LEDGER_HEAD,
		.sequence = s->sequence++,
		.time = time,
		.last = s->last,
		.written = s->switches + s->wakeups + s->names,
		.lost = s->lost,
	};
	head = buf->data;
	fxt_sched_put_ledger(head, &ledger);
	s->pos = head + FXT_LEDGER_WORDS;
	s->end = buf->data + buf->chan->subbuf_size;
	return s->pos;
}

/**
 * fxt_stream_has_half() - is at least half of the stream's buffer free?
 * @s: the stream
 *
 * Context: the producer's.
 */
bool fxt_stream_has_half(const struct fxt_stream *s)
{
	const struct rchan_buf *buf = s->buf;

	/* An older count of what was read is no harm. */
	return buf && buf->subbufs_produced - data_race(buf->subbufs_consumed) <
		      buf->chan->n_subbufs / 2;
}

static void fxt_stream_close_here(void *info)
{
	struct fxt_stream *s = info;

	if (s->pos)
		fxt_stream_close_subbuf(s);
}

/*
 * Complete what a stream's open sub-buffer holds by now. Context: may sleep.
 */
static void fxt_stream_hand_over(struct fxt_session *ss, struct fxt_stream *s)
{
	/* Nothing there; if it comes this moment, the next read gets it. */
	if (!READ_ONCE(s->pos))
		return;
	/* The mutex: nothing else keeps two readers apart if the CPU is off. */
	mutex_lock(&ss->hand_over_lock);
	cpus_read_lock();
	if (cpu_online(s->cpu))
		smp_call_function_single(s->cpu, fxt_stream_close_here, s, 1);
	else
		fxt_stream_close_here(s);
	cpus_read_unlock();
	mutex_unlock(&ss->hand_over_lock);
}

/*
 * The files cpuN and namesN. They offer neither write nor mmap nor ioctl, which
 * a locked-down kernel would refuse to open.
 */
static int fxt_buf_open(struct inode *inode, struct file *file)
{
	struct rchan_buf *buf = inode->i_private;
	int ret;

	if (!fxt_may_trace())
		return -EPERM;
	/*
	 * relay makes the file before it has set up the buffer. Pairs with the
	 * release in fxt_subbuf_start(); what is there stays: whoever removes the
	 * file waits for us.
	 */
	if (smp_load_acquire(&fxt_stream_of(buf)->buf) != buf)
		return -ENOENT;
	ret = relay_file_operations.open(inode, file);
	if (!ret)
		fxt_session_get(buf->chan->private_data);
	return ret;
}

static int fxt_buf_release(struct inode *inode, struct file *file)
{
	struct rchan_buf *buf = file->private_data;
	struct fxt_session *ss = buf->chan->private_data;
	int ret = relay_file_operations.release(inode, file);

	fxt_session_put(ss);
	return ret;
}

/* Is this stream one whose sub-buffers are overwritten? */
static bool fxt_stream_overwrites(const struct fxt_session *ss,
				  const struct fxt_stream *s)
{
	return ss->params.overwrite && s->id != FXT_LEDGER_STREAM_NAMES;
}

/* Complete sub-buffers that may be read now and were not read yet. */
static size_t fxt_stream_waiting(const struct fxt_session *ss, struct fxt_stream *s)
{
	size_t consumed;

	if (fxt_stream_overwrites(ss, s) && !READ_ONCE(ss->at_rest))
		return 0;
	/*
	 * First, so that @complete, which never falls, is not less: another reader
	 * consumes only what it saw complete.
	 */
	consumed = smp_load_acquire(&s->buf->subbufs_consumed);
	/* Pairs with the release in fxt_stream_close_subbuf(). */
	return smp_load_acquire(&s->complete) - consumed;
}

/*
 * Bytes of the oldest complete sub-buffer; never of more than one. Context:
 * fxt_stream.reader is held, rest_lock is held for reading.
 */
static ssize_t fxt_stream_read(struct fxt_session *ss, struct fxt_stream *s,
			       char __user *to, size_t count)
{
	struct rchan_buf *buf = s->buf;
	size_t slot, left;

	if (!fxt_stream_waiting(ss, s))
		fxt_stream_hand_over(ss, s);
	/* The hand-over may have completed one. */
	if (!fxt_stream_waiting(ss, s))
		return 0;

	slot = buf->subbufs_consumed % buf->chan->n_subbufs;
	left = buf->chan->subbuf_size - buf->padding[slot] - s->read;
	count = min(count, left);
	if (copy_to_user(to, buf->start + slot * buf->chan->subbuf_size + s->read,
			 count))
		return -EFAULT;
	s->read += count;
	if (count == left) {
		s->read = 0;
		/*
		 * The copy before the slot is given back. Pairs with the control
		 * dependency on relay_buf_full() in fxt_subbuf_start().
		 */
		smp_mb();
		relay_subbufs_consumed(buf->chan, buf->cpu, 1);
	}
	return count;
}

static ssize_t fxt_buf_read(struct file *file, char __user *to, size_t count,
			    loff_t *ppos)
{
	struct rchan_buf *buf = file->private_data;
	struct fxt_session *ss = buf->chan->private_data;
	struct fxt_stream *s = fxt_stream_of(buf);
	ssize_t ret = 0;

	mutex_lock(&s->reader);
	down_read(&ss->rest_lock);
	if (!fxt_stream_overwrites(ss, s) || ss->at_rest)
		ret = fxt_stream_read(ss, s, to, count);
	up_read(&ss->rest_lock);
	mutex_unlock(&s->reader);
	return ret;
}

static __poll_t fxt_buf_poll(struct file *file, poll_table *wait)
{
	struct rchan_buf *buf = file->private_data;
	struct fxt_stream *s = fxt_stream_of(buf);

	poll_wait(file, &buf->read_wait, wait);
	/* Asleep before the look. Pairs with wq_has_sleeper() in fxt_stream_close_subbuf(). */
	smp_mb();
	if (fxt_stream_waiting(buf->chan->private_data, s))
		return EPOLLIN | EPOLLRDNORM;
	return READ_ONCE(buf->finalized) ? EPOLLHUP : 0;
}

static const struct file_operations fxt_buf_fops = {
	.owner = THIS_MODULE,	/* pins the module while a file is open */
	.open = fxt_buf_open,
	.release = fxt_buf_release,
	.read = fxt_buf_read,
	.poll = fxt_buf_poll,
};

/* Called for each sub-buffer that relay begins, and at a buffer's creation. */
static int FXT_SUBBUF_START(fxt_subbuf_start)
{
	struct fxt_stream *s = fxt_stream_of(buf);

	/*
	 * The control dependency: no record of the sub-buffer that begins is stored
	 * before this has seen its place given back. Pairs with the full barrier in
	 * fxt_stream_read().
	 */
	if (prev_subbuf)
		return fxt_stream_overwrites(buf->chan->private_data, s) ||
		       !relay_buf_full(buf);

	s->cpu = buf->cpu;
	s->id = fxt_has_names(buf) ? FXT_LEDGER_STREAM_NAMES : s->cpu;
	s->switch_headers[0] = fxt_sched_switch_header(s->cpu, FXT_THREAD_NEW);
	s->switch_headers[1] = fxt_sched_switch_header(s->cpu, FXT_THREAD_BLOCKED);
	/*
	 * The last step of its creation. Pairs with the acquire in fxt_buf_open()
	 * and fxt_stream_exists().
	 */
	smp_store_release(&s->buf, buf);
	return 1;
}

/*
 * debugfs_create_file_unsafe: the buffer outlives its file by relay's own
 * reference, so nothing has to stand between; readers then reach the end of
 * their data after the session is gone.
 */
static struct dentry *fxt_create_buf_file(const char *filename,
					  struct dentry *parent, umode_t mode,
					  struct rchan_buf *buf, int *is_global)
{
	return debugfs_create_file_unsafe(filename, mode, parent, buf,
					  &fxt_buf_fops);
}

static int fxt_remove_buf_file(struct dentry *dentry)
{
	debugfs_remove(dentry);
	return 0;
}

static FXT_CALLBACKS_CONST struct rchan_callbacks fxt_cpu_callbacks = {
	.subbuf_start = fxt_subbuf_start,
	.create_buf_file = fxt_create_buf_file,
	.remove_buf_file = fxt_remove_buf_file,
};

static FXT_CALLBACKS_CONST struct rchan_callbacks fxt_names_callbacks = {
	.subbuf_start = fxt_subbuf_start,
	.create_buf_file = fxt_create_buf_file,
	.remove_buf_file = fxt_remove_buf_file,
};

/* Bytes of a sub-buffer of names: -b, which sizes those of CPUs, sizes these as well. */
static size_t fxt_names_subbuf_size(const struct fxt_params *params)
{
	u64 per_cpu = (u64)params->subbuf_size * params->subbuf_count;

	per_cpu = clamp_t(u64, per_cpu / FXT_SCHED_NAMES_SHARE, FXT_SCHED_NAMES_SIZE_MIN,
			  FXT_SCHED_NAMES_SIZE_MAX);
	return PAGE_ALIGN((size_t)per_cpu / FXT_SCHED_NAMES_SUBBUFS);
}

/* Hold the wish against what there is, before relay_open() wakes the OOM killer. */
static int fxt_channels_fit(struct fxt_session *ss)
{
	u64 per_cpu = (u64)ss->params.subbuf_size * ss->params.subbuf_count;
	u64 names = (u64)fxt_names_subbuf_size(&ss->params) * FXT_SCHED_NAMES_SUBBUFS;
	u64 need = (per_cpu + names) * num_online_cpus();
	u64 limit = ((u64)si_mem_available() << PAGE_SHIFT) / 2;

	if (per_cpu <= FXT_SCHED_BUFFER_SIZE_MAX && need <= limit)
		return 0;
	pr_err("session refused: %u sub-buffers of %u bytes for each of %u CPUs are %llu KiB; the limits are %u KiB per CPU and %llu KiB (half of what is available) in all; lower subbuf_size or subbuf_count\n",
	       ss->params.subbuf_count, ss->params.subbuf_size, num_online_cpus(), need >> 10,
	       FXT_SCHED_BUFFER_SIZE_MAX >> 10, limit >> 10);
	return -ENOMEM;
}

static int fxt_streams_init(struct fxt_session *ss)
{
	unsigned int cpu;

	ss->cpus = alloc_percpu(struct fxt_stream);
	ss->names = alloc_percpu(struct fxt_stream);
	ss->rename_users = alloc_percpu(struct fxt_rename_users);
	if (!ss->cpus || !ss->names || !ss->rename_users)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		struct fxt_stream *s = per_cpu_ptr(ss->cpus, cpu);

		mutex_init(&s->reader);
		s->kept = cpumask_empty(&ss->params.filter_cpus) ||
			  cpumask_test_cpu(cpu, &ss->params.filter_cpus);
		mutex_init(&per_cpu_ptr(ss->names, cpu)->reader);
	}
	return 0;
}

/**
 * fxt_channels_open() - make the buffers of a session and their files
 * @ss: the session, its parameters set
 * @dir: where the files go
 *
 * Context: may sleep.
 *
 * Return: 0, or -ENOMEM, with a line in the kernel log.
 */
int fxt_channels_open(struct fxt_session *ss, struct dentry *dir)
{
	const struct fxt_params *params = &ss->params;
	int ret = fxt_channels_fit(ss);

	if (!ret)
		ret = fxt_streams_init(ss);
	if (ret)
		return ret;
	/*
	 * A CPU that is on its way gets no buffer of relay if it has passed by
	 * relay's own step and is not online yet: there shall be none.
	 */
	cpus_read_lock();
	ss->names_chan = relay_open(FXT_SCHED_FILE_NAMES, dir,
				    fxt_names_subbuf_size(params), FXT_SCHED_NAMES_SUBBUFS,
				    &fxt_names_callbacks, ss);
	if (ss->names_chan)
		ss->cpu_chan = relay_open(FXT_SCHED_FILE_CPU, dir,
					  params->subbuf_size, params->subbuf_count,
					  &fxt_cpu_callbacks, ss);
	cpus_read_unlock();
	if (ss->cpu_chan)
		return 0;
	if (ss->names_chan)
		relay_close(ss->names_chan);
	pr_err("session refused: no memory for the buffers of %u x %u bytes per CPU; lower subbuf_size or subbuf_count\n",
	       params->subbuf_count, params->subbuf_size);
	return -ENOMEM;
}

/**
 * fxt_channels_close() - remove the files of a session's buffers
 * @ss: the session, no longer tracing
 *
 * What is in the buffers can still be read through files that are open.
 *
 * Context: may sleep.
 */
void fxt_channels_close(struct fxt_session *ss)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		fxt_stream_hand_over(ss, per_cpu_ptr(ss->cpus, cpu));
		fxt_stream_hand_over(ss, per_cpu_ptr(ss->names, cpu));
	}
	relay_close(ss->cpu_chan);
	relay_close(ss->names_chan);
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

/**
 * fxt_channels_rest() - overwrite mode: let what is there be read
 * @ss: the session; nothing is recorded, and no probe runs that could have seen
 *	it otherwise
 *
 * Context: may sleep.
 */
void fxt_channels_rest(struct fxt_session *ss)
{
	size_t places = ss->params.subbuf_count;
	struct fxt_stream *s;
	int cpu = -1;

	down_write(&ss->rest_lock);
	while (!ss->at_rest && (s = fxt_next_cpu_stream(ss, &cpu))) {
		struct rchan_buf *buf = s->buf;

		fxt_stream_hand_over(ss, s);
		if (buf->subbufs_produced - buf->subbufs_consumed > places)
			buf->subbufs_consumed = buf->subbufs_produced - places;
	}
	WRITE_ONCE(ss->at_rest, true);
	up_write(&ss->rest_lock);
	cpu = -1;
	while ((s = fxt_next_cpu_stream(ss, &cpu)))
		wake_up_interruptible(&s->buf->read_wait);
}

/**
 * fxt_channels_wake() - overwrite mode: drop what was not read, none can be
 * @ss: the session; nothing is recorded yet
 *
 * Context: may sleep.
 */
void fxt_channels_wake(struct fxt_session *ss)
{
	struct fxt_stream *s;
	int cpu = -1;

	down_write(&ss->rest_lock);
	WRITE_ONCE(ss->at_rest, false);
	while ((s = fxt_next_cpu_stream(ss, &cpu))) {
		s->buf->subbufs_consumed = s->buf->subbufs_produced;
		s->read = 0;
	}
	up_write(&ss->rest_lock);
}

/**
 * fxt_stream_show() - print the line of one stream, as the uapi header says
 * @m: where to
 * @ss: the session
 * @s: the stream
 *
 * Exact once nothing is recorded; a close look at a moving thing before.
 */
void fxt_stream_show(struct seq_file *m, struct fxt_session *ss,
		     struct fxt_stream *s)
{
	u64 *pos = READ_ONCE(s->pos);
	u64 bytes = READ_ONCE(s->bytes);

	/* A sub-buffer closed meanwhile can make this one wrong while tracing. */
	if (pos)
		bytes += (void *)pos - READ_ONCE(s->buf->data);
	if (s->id == FXT_LEDGER_STREAM_NAMES)
		seq_printf(m, "names %u records %llu folded %llu", s->cpu,
			   READ_ONCE(s->names), READ_ONCE(s->folded));
	else
		seq_printf(m, "cpu %u switches %llu wakeups %llu", s->id,
			   READ_ONCE(s->switches), READ_ONCE(s->wakeups));
	seq_printf(m, " lost %llu bytes %llu subbufs %u last %llu waiting %zu\n",
		   READ_ONCE(s->lost), bytes, READ_ONCE(s->sequence),
		   READ_ONCE(s->last), fxt_stream_waiting(ss, s));
}
