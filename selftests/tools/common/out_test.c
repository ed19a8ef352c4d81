// SPDX-License-Identifier: GPL-2.0-or-later
/* The buffer of an output: the output reads back as written, and the first error is returned. */
#include "out_fixture.h"

TEST(base64_vectors)
{
	static const char * const vectors[] = {	/* RFC 4648, 10 */
		"\"\"", "\"Zg==\"", "\"Zm8=\"", "\"Zm9v\"", "\"Zm9vYg==\"", "\"Zm9vYmE=\"",
		"\"Zm9vYmFy\"",
	};
	struct taken t;

	for (size_t i = 0; i < ARRAY_LENGTH(vectors); i++) {
		take(&t);
		out_json_base64(&t.o, "foobar", i);
		EXPECT_STREQ(vectors[i], taken(&t));
	}
	take(&t);
	out_json_base64(&t.o, "\x14\xfb\x9c\x03\xd9\x7e\xfb\xef\xbe\xff\xff\xff", 12);
	EXPECT_STREQ("\"FPucA9l+++++////\"", taken(&t));
}

static int digit_of(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 :
	       c >= '0' && c <= '9' ? c - '0' + 52 : c == '+' ? 62 : c == '/' ? 63 : -1;
}

static bool decodes_to(const char *text, size_t length, const unsigned char *s, size_t bytes)
{
	uint32_t bits = 0;
	size_t i, at = 0;

	if (length != (bytes + 2) / 3 * 4)
		return false;
	for (i = 0; i < length && text[i] != '='; i++) {
		if (digit_of(text[i]) < 0)
			return false;
		bits = bits << 6 | digit_of(text[i]);
		if (i % 4 && (at >= bytes || (bits >> (6 - 2 * (i % 4)) & 0xff) != s[at++]))
			return false;
	}
	for (size_t pad = i; pad < length; pad++)
		if (text[pad] != '=')
			return false;
	return at == bytes && length - i < 3;
}

TEST(base64_in_pieces)
{
	static unsigned char in[2 * OUT_BYTES + 1];
	uint64_t state = 7;
	struct taken t;

	for (size_t i = 0; i < sizeof(in); i++)
		in[i] = next_random(&state);
	for (size_t most = 1; most < 100000; most = most * 2 + 1) {
		struct out_base64 b = { .bytes = 0 };
		size_t bytes = sizeof(in) - most % 3, n;

		take(&t);
		for (size_t at = 0; at < bytes; at += n) {
			n = next_random(&state) % (most + 1);
			n = n < bytes - at ? n : bytes - at;
			out_base64_add(&t.o, &b, in + at, n);
		}
		out_base64_end(&t.o, &b);
		taken(&t);
		EXPECT_TRUE(decodes_to(t.text, t.length, in, bytes)) TH_LOG("%zu", most);
	}
}

TEST(every_place_of_the_buffer)
{
	static const char all[] = "18446744073709551615-9223372036854775808"
		"0xffffffffffffffff-2.2250738585072014e-30818446744073709551.615"
		"18446744073.709551615{42}\"a\\u0000\xe2\x82\xac\"Zm9vYmFy\"\\x00\"";
	static char filler[OUT_BYTES];
	struct taken t;

	memset(filler, '.', sizeof(filler));
	for (size_t left = 0; left < sizeof(all) + 8; left++) {
		struct out_base64 b = { .bytes = 0 };

		take(&t);
		out_bytes(&t.o, filler, OUT_BYTES - left);
		out_u64(&t.o, UINT64_MAX);
		out_i64(&t.o, INT64_MIN);
		out_hex(&t.o, UINT64_MAX);
		out_double(&t.o, -2.2250738585072014e-308);
		out_micros(&t.o, UINT64_MAX);
		out_seconds(&t.o, UINT64_MAX);
		out_printf(&t.o, "{%d}", 42);
		out_json(&t.o, "a\0\xe2\x82\xac", 5);
		out_base64_add(&t.o, &b, "foobar", 6);
		out_base64_end(&t.o, &b);
		out_quoted(&t.o, "", 1);
		taken(&t);
		ASSERT_EQ(OUT_BYTES - left + strlen(all), t.length);
		ASSERT_STREQ(all, t.text + OUT_BYTES - left);
		EXPECT_EQ(0, memcmp(t.text, filler, OUT_BYTES - left));
	}
}

TEST(printf_is_cut)
{
	struct taken t;
	char *text = malloc(2001);

	ASSERT_NE(NULL, text);
	memset(text, 'y', 2000);
	text[2000] = 0;
	take(&t);
	out_printf(&t.o, "%s", text);
	taken(&t);
	EXPECT_EQ(512U, t.length);
	EXPECT_EQ(512U, strspn(t.text, "y"));
}

TEST(large_pieces)
{
	/* Volatile, because the compiler warns of the branch that is not taken. */
	volatile size_t wanted = 5 * OUT_BYTES;
	size_t length = wanted;
	char *in = malloc(length);
	struct taken t;

	ASSERT_NE(NULL, in);
	memset(in, 'z', length);
	take(&t);
	out_str(&t.o, "<");
	out_bytes(&t.o, in, length);
	out_bytes(&t.o, in, OUT_BYTES);
	out_bytes(&t.o, in, OUT_BYTES + wanted / 10);
	out_str(&t.o, ">");
	taken(&t);
	length += 2 * OUT_BYTES + wanted / 10;
	EXPECT_EQ(length + 2, t.length);
	EXPECT_EQ(length, strspn(t.text + 1, "z"));
	EXPECT_EQ('>', t.text[t.length - 1]);
}

TEST(full_disk)
{
	struct out o;

	out_open(&o, open("/dev/full", O_WRONLY | O_CLOEXEC));
	out_str(&o, "a few bytes");
	EXPECT_EQ(0, o.error);
	EXPECT_EQ(-ENOSPC, out_close(&o));

	out_open(&o, open("/dev/full", O_WRONLY | O_CLOEXEC));
	for (int i = 0; i < 100000; i++)
		out_u64(&o, UINT64_MAX);
	EXPECT_EQ(-ENOSPC, o.error);
	EXPECT_EQ(-ENOSPC, out_close(&o));
}

TEST(nobody_reads)
{
	struct out o;
	int fds[2];

	signal(SIGPIPE, SIG_IGN);
	ASSERT_EQ(0, pipe(fds));
	out_open(&o, fds[1]);
	close(fds[0]);
	out_str(&o, "to nobody");
	out_flush(&o);
	EXPECT_EQ(-EPIPE, o.error);
	out_flush(&o);
	out_str(&o, "again");
	EXPECT_EQ(-EPIPE, out_close(&o));
}
