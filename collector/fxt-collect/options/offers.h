/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offers.h - values of options that shells offer and that depend on this machine.
 *
 * In: what was typed of a value. Out: words, by option_offer().
 */
#ifndef FXT_COLLECT_OPTIONS_OFFERS_H
#define FXT_COLLECT_OPTIONS_OFFERS_H

#include "libopt/option.h"

/** offer_events() - what -e takes besides groups, and tracepoints of this kernel after "tp:" */
void offer_events(struct option_offers *o, const char *typed);

/** offer_cgroups() - the cgroups one level below what was typed */
void offer_cgroups(struct option_offers *o, const char *typed);

#endif /* FXT_COLLECT_OPTIONS_OFFERS_H */
