export type Decoder = {
  /** The text that is whole by now; invalid UTF-8 becomes U+FFFD. */
  readonly read: (bytes: Uint8Array) => string;
  /** How many bytes wait for the rest of their character: at most 3. */
  readonly waiting: () => number;
};

/** Reads UTF-8 that may be cut anywhere. (TextDecoder alone can do it too, but does not say how much it holds back.) */
export function createDecoder(): Decoder {
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  let waiting = new Uint8Array(0);
  return {
    read(bytes) {
      // A key's echo is a few letters, and they are read before the decoder has begun.
      if (waiting.length === 0 && bytes.length <= short && isAscii(bytes))
        return String.fromCharCode(...bytes);
      const whole = waiting.length === 0 ? bytes : joined(waiting, bytes);
      const end = whole.length - cutOff(whole);
      waiting = whole.slice(end);
      return decoder.decode(whole.subarray(0, end));
    },
    waiting: () => waiting.length,
  };
}

const short = 32;

function isAscii(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte >= 0x80) return false;
  return true;
}

/** How many bytes at the end begin a character that is not whole. */
function cutOff(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count] ?? 0;
    if (byte >= 0xc0) return count < sizeOf(byte) ? count : 0;
    if (byte < 0x80) return 0;
  }

  return 0;
}

function sizeOf(lead: number): number {
  if (lead >= 0xf8) return 1;
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}
