/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array.h - arrays that grow.
 *
 * An array is a pointer and a count. Its room follows from the count: 8, then the next power of
 * two. So each element must be added through array_grow(). Elements may be removed.
 *
 * Arrays that are emptied and filled repeatedly have a variable for their room, and use
 * array_reserve().
 */
#ifndef LIBFXT_ARRAY_H
#define LIBFXT_ARRAY_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define ARRAY_FIRST	8U

/* For qsort(3), the smaller number first. */
#define array_order(a, b) (((a) > (b)) - ((a) < (b)))

/* Define a function for qsort(3): @order of the elements @a and @b, each a @type. */
#define ARRAY_COMPARE(name, type, a, b, order)					\
	static int name(const void *first, const void *second)			\
	{									\
		const type *a = first, *b = second;				\
										\
		return order;							\
	}

/* Likewise; the elements are pointers to @type. */
#define ARRAY_COMPARE_POINTERS(name, type, a, b, order)				\
	static int name(const void *first, const void *second)			\
	{									\
		const type *a = *(const type *const *)first;			\
		const type *b = *(const type *const *)second;			\
										\
		return order;							\
	}

/* qsort(3) of an array, which may be NULL if it is empty. */
#define array_sort(list, count, compare)					\
	((count) ? qsort(list, count, sizeof(*(list)), compare) : (void)0)

static inline void *array_with_room(void *list, size_t count, size_t size)
{
	if (!count)
		return reallocarray(list, ARRAY_FIRST, size);
	if (count < ARRAY_FIRST || count & (count - 1))
		return list;
	return reallocarray(list, 2 * count, size);
}

/*
 * Make room for one more element. @list: may move; NULL if empty. Return: 0; -ENOMEM, and @list is
 * unchanged.
 */
#define array_grow(list, count) __extension__ ({				\
	void *grown_ = array_with_room(list, count, sizeof(*(list)));		\
										\
	grown_ ? ((list) = grown_, 0) : -ENOMEM;				\
})

static inline void *array_with_space(void *list, size_t *room, size_t need, size_t size)
{
	size_t more = *room ? *room : ARRAY_FIRST;

	if (list && need <= *room)
		return list;
	while (more < need && more <= SIZE_MAX / 2)
		more *= 2;
	more = more < need ? need : more;
	list = reallocarray(list, more, size);
	if (list)
		*room = more;
	return list;
}

/*
 * Make room for @need elements. @list: may move; NULL if empty. @room: elements that fit; at least
 * doubles if it is less than @need. Return: 0; -ENOMEM, and @list and @room are unchanged.
 */
#define array_reserve(list, room, need) __extension__ ({			\
	size_t room_ = (room);							\
	void *grown_ = array_with_space(list, &room_, need, sizeof(*(list)));	\
										\
	grown_ ? ((list) = grown_, (room) = room_, 0) : -ENOMEM;		\
})

/*
 * The number of elements at the front of a sorted array for which @is_front holds, an expression
 * with the index @i.
 */
#define array_front(count, i, is_front) __extension__ ({			\
	size_t low_ = 0, high_ = (count), i;					\
										\
	while (low_ < high_) {							\
		i = low_ + (high_ - low_) / 2;					\
		if (is_front)							\
			low_ = i + 1;						\
		else								\
			high_ = i;						\
	}									\
	low_;									\
})

#endif /* LIBFXT_ARRAY_H */
