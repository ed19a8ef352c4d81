/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FXT_CONVERT_PERFETTO_CONVERT_H
#define FXT_CONVERT_PERFETTO_CONVERT_H

struct io;

/** convert_perfetto() - an archive as a trace of Perfetto. Return: enum verb_exit */
int convert_perfetto(struct io *io);

#endif /* FXT_CONVERT_PERFETTO_CONVERT_H */
