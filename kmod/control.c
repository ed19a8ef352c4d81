// SPDX-License-Identifier: GPL-2.0
/*
 * control.c - see control.h.
 *
 * In:  the requests of a session's owner. Out: probes that are registered, a recording
 * that begins and ends, and buffers that can be read.
 *
 * Context of all functions: may sleep; the calls for one session are serialized (device.c).
 */
#include <linux/workqueue.h>

#include "channel.h"
#include "control.h"
#include "probes.h"
#include "session.h"
#include "watch.h"

/**
 * struct fxt_control_call - registering the probes
 * @work: does it
 * @ss: the session
 * @ret: 0 or a negative errno
 */
struct fxt_control_call {
	struct work_struct work;
	struct fxt_session *ss;
	int ret;
};

static void fxt_control_register_work(struct work_struct *work)
{
	struct fxt_control_call *call = container_of(work, struct fxt_control_call, work);

	call->ret = fxt_probes_start(call->ss);
}

/*
 * For each probe the kernel patches its code in some places, and has all CPUs answer three
 * interrupts for each place; ten probes took 90 of them in 6.1, and nothing else that waits.
 * Each time the caller would lose its CPU to the load that it wants to record. The threads of this
 * queue have the highest priority below real time.
 */
static int fxt_control_register(struct fxt_session *ss)
{
	struct fxt_control_call call = { .ss = ss };

	INIT_WORK_ONSTACK(&call.work, fxt_control_register_work);
	queue_work(system_highpri_wq, &call.work);
	flush_work(&call.work);
	destroy_work_on_stack(&call.work);
	return call.ret;
}

static void fxt_control_unregister_work(struct work_struct *work)
{
	fxt_probes_stop(container_of(work, struct fxt_session, unregister));
}

/* Begin to write records; nothing is recorded. */
static void fxt_recording_start(struct fxt_session *ss)
{
	if (ss->config.overwrite)
		fxt_channels_resume(ss);
	fxt_trigger_arm(&ss->trigger);
	fxt_recording_begin(&ss->recording, fxt_clock_now(&ss->clock));
	fxt_watch_start(ss);
}

/*
 * End the recording, and let what was recorded be read. That waits for interrupts, and for no
 * grace period.
 */
static void fxt_recording_stop(struct fxt_session *ss)
{
	fxt_watch_stop(ss);
	fxt_recording_cut(&ss->recording, fxt_clock_now(&ss->clock));
	fxt_probes_fence();
	fxt_recording_close(&ss->recording);
	if (ss->config.overwrite)
		fxt_channels_quiesce(ss);
}

/**
 * fxt_control_start() - begin to record
 * @ss: the session
 *
 * If the session was stopped, this waits for its last probes, as long as a grace period takes.
 *
 * Return: 0; -EBUSY if it is recording or frozen; or the error of fxt_probes_start().
 */
int fxt_control_start(struct fxt_session *ss)
{
	int ret;

	if (ss->tracing || ss->frozen)
		return -EBUSY;
	fxt_control_finish(ss);
	WRITE_ONCE(ss->naming, true);
	ret = fxt_control_register(ss);
	if (ret) {
		WRITE_ONCE(ss->naming, false);
		return ret;
	}
	ss->tracing = true;
	fxt_recording_start(ss);
	return 0;
}

/**
 * fxt_control_stop() - end the recording, if there is one
 * @ss: the session; call fxt_control_finish() before it is freed
 *
 * On return nothing is recorded any more. The probes are unregistered meanwhile.
 */
void fxt_control_stop(struct fxt_session *ss)
{
	if (!ss->tracing)
		return;
	WRITE_ONCE(ss->naming, false);
	fxt_recording_stop(ss);
	INIT_WORK(&ss->unregister, fxt_control_unregister_work);
	queue_work(system_long_wq, &ss->unregister);
	ss->finishing = true;
	ss->tracing = false;
}

/**
 * fxt_control_finish() - wait until no probe uses the memory of a session that was stopped
 * @ss: the session
 */
void fxt_control_finish(struct fxt_session *ss)
{
	if (!ss->finishing)
		return;
	flush_work(&ss->unregister);
	fxt_probes_finish(ss);
	ss->finishing = false;
}

/**
 * fxt_control_freeze() - overwrite mode: interrupt the recording and let it be read
 * @ss: the session
 *
 * The probes stay, because threads continue to sleep and wake.
 *
 * Return: 0; -EINVAL if not in overwrite mode; -EBUSY if it is not recording, or frozen.
 */
int fxt_control_freeze(struct fxt_session *ss)
{
	if (!ss->config.overwrite)
		return -EINVAL;
	if (!ss->tracing || ss->frozen)
		return -EBUSY;
	fxt_recording_stop(ss);
	ss->frozen = true;
	return 0;
}

/**
 * fxt_control_thaw() - drop what was not read, and resume the recording
 * @ss: the session
 *
 * If it was stopped meanwhile, everything stays readable.
 *
 * Return: 0, or -EBUSY if it is not frozen.
 */
int fxt_control_thaw(struct fxt_session *ss)
{
	if (!ss->frozen)
		return -EBUSY;
	ss->frozen = false;
	if (ss->tracing)
		fxt_recording_start(ss);
	return 0;
}

/**
 * fxt_control_flush() - let all be read that was recorded until now
 * @ss: the session
 */
void fxt_control_flush(struct fxt_session *ss)
{
	/* A probe may be about to open a sub-buffer. */
	fxt_probes_fence();
	fxt_channels_flush(ss);
}
