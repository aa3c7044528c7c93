import {Buffer} from 'node:buffer';
import {readLog} from '../keeper/index.ts';
import type {KeeperStatus, Size} from '../protocol/index.ts';
import {catchUp, checkpointOf, type Checkpoint} from '../terminal/index.ts';

/** The screen of a session, drawn from its log by the client itself: a daemon of an earlier build does not do it. */
export function drawLate(
  directory: string,
  {bytes: end, head, first}: KeeperStatus,
  size: Size,
): Checkpoint {
  const read = (from: number, to: number): Uint8Array =>
    Buffer.concat([...readLog(directory, from, to)].map(({bytes}) => bytes));
  const {screen} = catchUp({...size, read, start: end > head ? first : 0, end});
  const checkpoint = checkpointOf(screen);
  screen.close();
  return checkpoint;
}
