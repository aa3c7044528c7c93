import path from 'node:path';
import {formatPort} from '../documents/index.ts';
import type {SessionId} from '../domain/index.ts';
import {namesIn, tryReadText} from '../files/index.ts';
import {explainPort, kernelOf, trustedPath, type SessionRoot} from '../machine/index.ts';
import {readMeta, sessionFiles} from '../protocol/index.ts';
import {findHere, Impossible} from './here.ts';
import {stalenessOf} from './stale-server.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';

/** Who serves at this port, as the kernel has it now. It needs no daemon: the answer is not in anybody's memory. */
export async function port(
  text: string,
  options: {readonly json?: boolean},
  surroundings: Surroundings,
): Promise<ExitCode> {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 65_535)
    throw new Impossible(`expected a port from 1 to 65535, got ${JSON.stringify(text)}`);
  const here = findHere(surroundings);
  const kernel = kernelOf({
    path: trustedPath({path: surroundings.env['PATH'] ?? '', outside: here.root}),
    now: Date.now,
  });
  const answer = await explainPort(
    number,
    sessionsOf(path.join(here.stateDirectory, 'sessions')),
    kernel,
  );
  const stale = answer.owner === undefined ? [] : stalenessOf(answer.owner, here.root);
  surroundings.out(
    options.json === true
      ? `${JSON.stringify({...answer, stale})}\n`
      : formatPort({...answer, stale}, Date.now()),
  );
  return answer.verdict === 'yes' ? 0 : 1;
}

/** Every session that ever had a keeper here, by what its keeper wrote down. */
function sessionsOf(directory: string): SessionRoot[] {
  return namesIn(directory, {maxEntries: 1_000_000}).flatMap((name): SessionRoot[] => {
    try {
      const reading = readMeta(
        JSON.parse(
          tryReadText(path.join(directory, name, sessionFiles.meta), {maxBytes: 1024 * 1024}) ?? '',
        ),
      );
      if (!('fields' in reading)) return [];
      const {session, cookie, child, bootId} = reading.fields;
      const root =
        child === undefined || child.startTime === null || bootId === null
          ? {}
          : {root: {pid: child.pid, startTime: child.startTime, bootId}};
      return [{id: session as SessionId, cookie, ...root}];
    } catch {
      return [];
    }
  });
}
