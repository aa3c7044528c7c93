import path from 'node:path';
import {readRegularFile} from '../files/index.ts';
import type {ToolsGrant, readGrant} from '../tools/index.ts';
import {Impossible} from './here.ts';
import type {Surroundings} from './surroundings.ts';

/** The file that says what the session of the calling agent may ask. */
export function readGrantFile(
  given: string | undefined,
  {env, cwd}: Pick<Surroundings, 'env' | 'cwd'>,
  read: typeof readGrant,
): {readonly file: string; readonly grant: ToolsGrant} {
  const named = given ?? env['ORCHESTRA_TOOLS'];
  if (named === undefined || named === '') {
    throw new Impossible(
      'this is for agents: orchestra gives every agent that it starts these tools for its session, in the file that ORCHESTRA_TOOLS names. There is none here. To see what the tools cost: orchestra audit --tools',
    );
  }

  const file = path.resolve(cwd, named);
  const reading = read(textIn(file));
  if ('problem' in reading) throw new Impossible(`${file}: ${reading.problem}`);
  return {file, grant: reading.value};
}

function textIn(file: string): string {
  const reading = readRegularFile(file, {maxBytes: 16 * 1024 * 1024});
  if (reading.at === 'refused')
    throw new Impossible(
      `${file} ${reading.message}. It is written when orchestra starts an agent, and is gone with its session.`,
    );
  return reading.bytes.toString('utf8');
}
