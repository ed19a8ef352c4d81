// SPDX-License-Identifier: GPL-2.0-or-later
/* build_id.c - see build_id.h. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "build_id.h"

#define NOTES_BYTES	8192	/* more than the kernel has */

static size_t aligned(size_t bytes)
{
	return (bytes + 3) & ~(size_t)3;
}

size_t build_id_find(const void *notes, size_t bytes, unsigned char id[BUILD_ID_MOST])
{
	const char *at = notes;
	Elf64_Nhdr note;
	size_t name, size;

	while (bytes >= sizeof(note)) {
		memcpy(&note, at, sizeof(note));
		at += sizeof(note);
		bytes -= sizeof(note);
		name = aligned(note.n_namesz);
		size = aligned(note.n_descsz);
		if (name > bytes || size > bytes - name)
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(at, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) &&
		    note.n_descsz <= BUILD_ID_MOST) {
			memcpy(id, at + name, note.n_descsz);
			return note.n_descsz;
		}
		at += name + size;
		bytes -= name + size;
	}
	return 0;
}

size_t build_id_of_kernel(const char *module, unsigned char id[BUILD_ID_MOST])
{
	char path[128] = "/sys/kernel/notes", notes[NOTES_BYTES];
	ssize_t n = -1;
	int fd;

	if (module)
		snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", module);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, notes, sizeof(notes));
		close(fd);
	}
	return n > 0 ? build_id_find(notes, n, id) : 0;
}
