/* What the machine needs of a C library to work without one: memcpy, memmove, memset, and output. The build compiles it
 * to IR, which is part of the front end: every program has it, also one that is linked with no library.
 *
 * Block copies go word by word where both sides are aligned alike, so that pointers stay pointers, then byte by byte.
 * SPDX-License-Identifier: Apache-2.0 */
typedef unsigned char byte;
typedef unsigned long size;
typedef unsigned int half;

_Bool __heddle_before(const void *, const void *);        /* two addresses of one object, in this order */
void __heddle_disjoint(const void *, const void *, size); /* an error if the two blocks overlap */
void __heddle_output1(const byte *, size);                /* up to eight bytes, to stdout */
void __heddle_output2(const byte *, size);                /* … to stderr */

#define KEPT __attribute__((noescape)) /* the address ends with the call */

static inline __attribute__((always_inline)) size misaligned(const void *p) { return (size)p & 7; }

void __heddle_copy(KEPT byte *to, KEPT const byte *from, size count) {
  if (misaligned(to) == misaligned(from)) {
    for (; count != 0 && misaligned(to) != 0; --count) *to++ = *from++;
    for (; count >= 8; count -= 8, to += 8, from += 8) *(size *)to = *(const size *)from;
  } else if (((misaligned(to) | misaligned(from)) & 3) == 0) {
    for (; count >= 4; count -= 4, to += 4, from += 4) *(half *)to = *(const half *)from;
  }
  for (; count != 0; --count) *to++ = *from++;
}

void __heddle_move(KEPT byte *to, KEPT const byte *from, size count) {
  if (!__heddle_before(from, to)) {
    __heddle_copy(to, from, count);
    return;
  }
  to += count;
  from += count;
  if (misaligned(to) == misaligned(from)) {
    for (; count != 0 && misaligned(to) != 0; --count) *--to = *--from;
    for (; count >= 8; count -= 8) {
      to -= 8;
      from -= 8;
      *(size *)to = *(const size *)from;
    }
  } else if (((misaligned(to) | misaligned(from)) & 3) == 0) {
    for (; count >= 4; count -= 4) {
      to -= 4;
      from -= 4;
      *(half *)to = *(const half *)from;
    }
  }
  for (; count != 0; --count) *--to = *--from;
}

void __heddle_fill(KEPT byte *to, byte value, size count) {
  const size word = value * 0x0101010101010101UL;
  for (; count != 0 && misaligned(to) != 0; --count) *to++ = value;
  for (; count >= 8; count -= 8, to += 8) *(size *)to = word;
  for (; count != 0; --count) *to++ = value;
}

void *memcpy(void *restrict to, const void *restrict from, size count) {
  __heddle_disjoint(to, from, count);
  __heddle_copy(to, from, count);
  return to;
}

void *memmove(void *to, const void *from, size count) {
  __heddle_move(to, from, count);
  return to;
}

void *memset(void *to, int value, size count) {
  __heddle_fill(to, (byte)value, count);
  return to;
}

/* Output is read by the machine in pieces that end at a word's end. */
void __heddle_output(int stream, const byte *text, size count) {
  while (count != 0) {
    size piece = 8 - misaligned(text);
    if (piece > count) piece = count;
    if (stream == 2) __heddle_output2(text, piece);
    else __heddle_output1(text, piece);
    text += piece;
    count -= piece;
  }
}
