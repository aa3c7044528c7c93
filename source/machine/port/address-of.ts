/**
 * `0100007F` → `127.0.0.1`, 32 digits → `::1`. The kernel prints 32-bit words in the byte order of the machine, and
 * every machine that Node is built for and we know the system calls of is little-endian.
 */
export function addressOf(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) =>
    [6, 4, 2, 0].map((start) => Number.parseInt(word.slice(start, start + 2), 16)),
  );
  if (bytes.length === 4) return bytes.join('.');
  if (hex.startsWith('0000000000000000FFFF0000')) return `::ffff:${bytes.slice(12).join('.')}`;
  const groups = Array.from({length: 8}, (_, index) =>
    ((bytes[index * 2] ?? 0) * 256 + (bytes[index * 2 + 1] ?? 0)).toString(16),
  );
  // URL shortens it as RFC 5952 wants.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
