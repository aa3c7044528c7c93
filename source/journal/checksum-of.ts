import {crc32} from 'node:zlib';

/** CRC-32 as eight lower-case hex digits, as it stands at the end of each line. */
export function checksumOf(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
