import {Buffer} from 'node:buffer';
import {readLog} from '../keeper/index.ts';
import type {KeeperStatus, TerminalSize} from '../protocol/index.ts';
import {catchUp, type Checkpoint, toCheckpoint} from '../terminal/index.ts';

/** Draws the screen of a session from its log in the client: older daemons do not draw it. */
export function renderSnapshot(
  directory: string,
  {bytes: end, head, first}: KeeperStatus,
  size: TerminalSize,
): Checkpoint {
  const read = (from: number, to: number): Uint8Array =>
    Buffer.concat([...readLog(directory, from, to)].map(({bytes}) => bytes));
  const {screen} = catchUp({...size, read, start: end > head ? first : 0, end});
  const checkpoint = toCheckpoint(screen);
  screen.close();
  return checkpoint;
}
