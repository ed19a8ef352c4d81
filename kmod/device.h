/* SPDX-License-Identifier: GPL-2.0 */
/*
 * device.h - the device, by which processes control their sessions.
 */
#ifndef FXT_KMOD_DEVICE_H
#define FXT_KMOD_DEVICE_H

int fxt_device_create(void);
void fxt_device_remove(void);

#endif /* FXT_KMOD_DEVICE_H */
