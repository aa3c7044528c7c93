import type {Socket} from 'node:net';

/** A tunnel that carries nothing for so long is ended. */
const idleMs = 60 * 60 * 1000;

/** Passes bytes both ways until both have ended; when one breaks, the other is ended too. Whoever reads slowly slows the other down. */
export function joinSockets(inside: Socket, outside: Socket): void {
  for (const [one, other] of [
    [inside, outside],
    [outside, inside],
  ] as const) {
    one.setTimeout(idleMs, () => {
      one.destroy();
    });
    one.on('error', () => {
      one.destroy();
    });
    one.once('close', () => {
      other.destroy();
    });
    one.pipe(other);
  }
}
