/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heap.h - binary heaps: arrays whose first element is before all others.
 *
 * The caller makes room in the array. BEFORE(arg, a, b) is a function or a macro: is a before b, in
 * a strict order? These are macros so that elements can be of any type, and the comparison is
 * inline.
 */
#ifndef LIBFXT_HEAP_H
#define LIBFXT_HEAP_H

#include <stddef.h>

/* Add an element; the array has room for one more. @count: increased by one */
#define heap_push(heap, count, item, before, arg) __extension__ ({		\
	__typeof__(*(heap)) item_ = (item);					\
	size_t at_ = (count)++, up_;						\
										\
	for (; at_; at_ = up_) {						\
		up_ = (at_ - 1) / 2;						\
		if (!before(arg, item_, (heap)[up_]))				\
			break;							\
		(heap)[at_] = (heap)[up_];					\
	}									\
	(heap)[at_] = item_;							\
})

/* Replace the element at @from, below which the heap is in order. @count: not 0 */
#define heap_set(heap, count, from, item, before, arg) __extension__ ({	\
	__typeof__(*(heap)) item_ = (item);					\
	size_t at_ = (from), down_;						\
										\
	for (; (down_ = 2 * at_ + 1) < (count); at_ = down_) {			\
		if (down_ + 1 < (count) &&					\
		    before(arg, (heap)[down_ + 1], (heap)[down_]))		\
			down_++;						\
		if (!before(arg, (heap)[down_], item_))				\
			break;							\
		(heap)[at_] = (heap)[down_];					\
	}									\
	(heap)[at_] = item_;							\
})

/* Replace the first element. @count: not 0 */
#define heap_set_top(heap, count, item, before, arg) \
	heap_set(heap, count, 0, item, before, arg)

#define heap_make(heap, count, before, arg) __extension__ ({			\
	size_t parents_ = (count) / 2;						\
										\
	while (parents_--)							\
		heap_set(heap, count, parents_, (heap)[parents_], before, arg);	\
})

/* Remove the first element and return it. @count: not 0; decreased by one */
#define heap_pop(heap, count, before, arg) __extension__ ({			\
	__typeof__(*(heap)) first_ = (heap)[0];					\
										\
	if (--(count))								\
		heap_set_top(heap, count, (heap)[count], before, arg);		\
	first_;									\
})

#endif /* LIBFXT_HEAP_H */
