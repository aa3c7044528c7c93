import path from 'node:path';
import {
  activityFileName,
  maxActivityBytes,
  readActivityFile,
  type Activity,
} from '../agents/index.ts';
import type {SessionId} from '../domain/index.ts';
import {tryReadText} from '../files/index.ts';
import {exchangeOf} from './launch/exchange.ts';
import type {Workshop} from './workshop.ts';

/** What the agent in a session is doing, as it was last left in its exchange directory. An agent can write there: it is believed as far as its outcome is. */
export function readActivity(
  workshop: Pick<Workshop, 'stateDirectory' | 'store'>,
  id: SessionId,
): Activity | undefined {
  const {directory, below} = exchangeOf(workshop, id);
  const text = tryReadText(path.join(directory, activityFileName), {
    maxBytes: maxActivityBytes,
    below,
  });
  return text === undefined ? undefined : readActivityFile(text);
}
