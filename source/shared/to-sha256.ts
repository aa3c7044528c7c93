import {sha256} from '@noble/hashes/sha2.js';
import {bytesToHex, utf8ToBytes} from '@noble/hashes/utils.js';

/**
 * In plain JavaScript: loading node:crypto takes longer (5 ms) than hashing everything at startup.
 */
export function toSha256(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
