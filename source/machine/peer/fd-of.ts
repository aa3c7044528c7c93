import type {Socket} from 'node:net';

/**
 * The number of a socket's open file in this process. Node keeps it in `_handle.fd`, which is not public but has been there
 * since its beginnings (`test/machine/peer/find-peer.test.ts` holds it); a closed socket has none, and libuv says -1.
 */
export function fdOf(socket: Socket): number | undefined {
  const {_handle: handle} = socket as unknown as {
    readonly _handle?: {readonly fd?: unknown} | null;
  };
  return typeof handle?.fd === 'number' && handle.fd >= 0 ? handle.fd : undefined;
}
