// SPDX-License-Identifier: GPL-2.0-or-later
/* address.c - see address.h. */
#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#include <linux/vm_sockets.h>

#include "address.h"

#define PORT_MAX	65535

static const char tcp[] = "tcp://", tls[] = "tls://", local[] = "unix:", vsock[] = "vsock:";

/* NULL if the text does not begin with the prefix. */
static const char *after(const char *text, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(text, prefix, length) ? NULL : text + length;
}

bool fxt_address_is(const char *text)
{
	return after(text, tcp) || after(text, tls) || after(text, local) || after(text, vsock);
}

static bool parse_number(const char *text, size_t length, unsigned long most, unsigned long *n)
{
	char *end;

	if (!length || length > 10 || strspn(text, "0123456789") < length)
		return false;
	*n = strtoul(text, &end, 10);
	return end == text + length && *n <= most;
}

/* "HOST:PORT" or "[IPV6]:PORT" */
static const char *parse_tcp(struct fxt_address *a, const char *text, bool listens)
{
	const char *colon = strrchr(text, ':'), *host = text;
	unsigned long port;
	size_t length;

	if (!colon)
		return "the port is missing";
	length = colon - text;
	if (length > 2 && text[0] == '[' && colon[-1] == ']') {
		host++;
		length -= 2;
	} else if (memchr(text, ':', length)) {
		return "write an IPv6 address in brackets, [::1]:PORT";
	} else if (strpbrk(text, "[]/@?#")) {
		return "invalid host";
	}
	if (length >= sizeof(a->host) || (!length && !listens))
		return length ? "the host is too long" : "the host is missing";
	if (!parse_number(colon + 1, strlen(colon + 1), PORT_MAX, &port) || (!port && !listens))
		return "invalid port; use 1 to 65535";
	a->family = AF_INET;
	memcpy(a->host, host, length);
	a->host[length] = '\0';
	snprintf(a->port, sizeof(a->port), "%lu", port);
	return NULL;
}

static const char *parse_local(struct fxt_address *a, const char *path)
{
	if (!*path)
		return "the path is missing";
	if (strlen(path) >= sizeof(((struct sockaddr_un *)NULL)->sun_path))
		return "the path is longer than 107 bytes; use a relative one";
	a->family = AF_UNIX;
	a->path = path;
	return NULL;
}

/* "CID:PORT" */
static const char *parse_vsock(struct fxt_address *a, const char *text, bool listens)
{
	const char *colon = strchr(text, ':');
	size_t length = colon ? (size_t)(colon - text) : 0;
	unsigned long cid, port;

	if (!colon)
		return "the port is missing";
	if (listens && length == 3 && !memcmp(text, "any", 3))
		cid = VMADDR_CID_ANY;
	else if (!parse_number(text, length, VMADDR_CID_ANY - 1, &cid))
		return listens ? "invalid CID; use a number, or any" :
				 "invalid CID; use a number: 2 is the host";
	if (!parse_number(colon + 1, strlen(colon + 1), VMADDR_PORT_ANY - 1, &port))
		return "invalid port; use a number";
	a->family = AF_VSOCK;
	a->cid = cid;
	a->vsock_port = port;
	return NULL;
}

const char *fxt_address_parse(struct fxt_address *a, const char *text, bool listens)
{
	const char *rest;

	*a = (struct fxt_address){ 0 };
	if ((rest = after(text, tcp)))
		return parse_tcp(a, rest, listens);
	if ((rest = after(text, tls))) {
		a->is_tls = true;
		return parse_tcp(a, rest, listens);
	}
	if ((rest = after(text, local)))
		return parse_local(a, rest);
	if ((rest = after(text, vsock)))
		return parse_vsock(a, rest, listens);
	return "not an address; use " FXT_ADDRESS_EXAMPLES;
}

static const char *resolve_tcp(const struct fxt_address *a, bool listens,
			       struct fxt_sockaddr *list, size_t *count)
{
	struct addrinfo hints = {
		.ai_family = AF_UNSPEC,
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICSERV | (listens ? AI_PASSIVE : 0),
	}, *found, *i;
	int ret = getaddrinfo(*a->host ? a->host : NULL, a->port, &hints, &found);

	if (ret)
		return ret == EAI_SYSTEM ? strerror(errno) : gai_strerror(ret);
	for (i = found; i && *count < FXT_ADDRESS_TRIES; i = i->ai_next) {
		memcpy(&list[*count].to, i->ai_addr, i->ai_addrlen);
		list[(*count)++].length = i->ai_addrlen;
	}
	freeaddrinfo(found);
	return NULL;
}

const char *fxt_address_resolve(const struct fxt_address *a, bool listens,
				struct fxt_sockaddr *list, size_t *count)
{
	struct sockaddr_un *un = (struct sockaddr_un *)&list->to;
	struct sockaddr_vm *vm = (struct sockaddr_vm *)&list->to;

	*count = 0;
	if (a->family == AF_INET)
		return resolve_tcp(a, listens, list, count);
	*count = 1;
	memset(list, 0, sizeof(*list));
	if (a->family == AF_UNIX) {
		un->sun_family = AF_UNIX;
		strcpy(un->sun_path, a->path);
		list->length = sizeof(*un);
		return NULL;
	}
	vm->svm_family = AF_VSOCK;
	vm->svm_cid = a->cid;
	vm->svm_port = listens && !a->vsock_port ? VMADDR_PORT_ANY : a->vsock_port;
	list->length = sizeof(*vm);
	return NULL;
}
