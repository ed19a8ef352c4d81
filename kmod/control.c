// SPDX-License-Identifier: GPL-2.0
/*
 * control.c - see control.h.
 *
 * In:  the requests of a session's owner. Out: probes that are registered, a recording
 * that begins and ends, and buffers that can be read.
 *
 * Context of all functions: may sleep; the calls for one session are serialized (device.c).
 */
#include "channel.h"
#include "control.h"
#include "probes.h"
#include "session.h"

/* Begin to write records; nothing is recorded. */
static void fxt_recording_start(struct fxt_session *ss)
{
	if (ss->config.overwrite)
		fxt_channels_resume(ss);
	fxt_trigger_arm(&ss->trigger);
	fxt_recording_begin(&ss->recording, fxt_clock_now(&ss->clock));
}

/* All that was recorded is in the buffers: let it be read. No probe runs from before the cut. */
static void fxt_recording_quiesce(struct fxt_session *ss)
{
	fxt_recording_close(&ss->recording);
	if (ss->config.overwrite)
		fxt_channels_quiesce(ss);
}

/**
 * fxt_control_start() - begin to record
 * @ss: the session
 *
 * Return: 0; -EBUSY if it is recording or frozen; or the error of fxt_probes_start().
 */
int fxt_control_start(struct fxt_session *ss)
{
	int ret;

	if (ss->tracing || ss->frozen)
		return -EBUSY;
	ret = fxt_probes_start(ss);
	if (ret)
		return ret;
	ss->tracing = true;
	fxt_recording_start(ss);
	return 0;
}

/**
 * fxt_control_stop() - end the recording, if there is one
 * @ss: the session
 */
void fxt_control_stop(struct fxt_session *ss)
{
	if (!ss->tracing)
		return;
	fxt_recording_cut(&ss->recording, fxt_clock_now(&ss->clock));
	fxt_probes_stop(ss);
	fxt_recording_quiesce(ss);
	ss->tracing = false;
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
	fxt_recording_cut(&ss->recording, fxt_clock_now(&ss->clock));
	fxt_probes_wait();
	fxt_recording_quiesce(ss);
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
