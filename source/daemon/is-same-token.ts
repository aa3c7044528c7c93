import {Buffer} from 'node:buffer';
import {timingSafeEqual} from 'node:crypto';

/** Whether both are the same, in a time that does not tell how much of them is. */
export function isSameToken(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
