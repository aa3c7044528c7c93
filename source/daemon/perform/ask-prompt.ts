import {existsSync} from 'node:fs';
import {sessionOf, type SessionId} from '../../domain/index.ts';
import type {Perform} from '../conductor.ts';
import {exchangeOf, writePrompt} from '../launch/exchange.ts';
import type {Workshop} from '../workshop.ts';

/** What is to be typed into a session that runs, if its prompt goes in that way. Asked for once: after a crash the journal has it, or nothing was typed. */
export async function askPrompt(
  workshop: Workshop,
  id: SessionId,
  report: Parameters<Perform>[1],
): Promise<void> {
  const session = sessionOf(workshop.state(), id);
  if (session?.life.at !== 'running' || session.inputs.some(({prompt}) => prompt !== undefined))
    return;
  const exchange = exchangeOf(workshop, id);
  const own = session.purpose.for === 'person' ? session.purpose.prompt : undefined;
  if (own !== undefined) writePrompt(exchange, own);
  else if (!existsSync(exchange.typed)) return;
  await report({
    type: 'input-asked',
    session: id,
    input: session.inputs.length + 1,
    text: own === undefined ? 'the prompt' : own.slice(0, mostShown),
    prompt: exchange.prompt,
  });
}

/** The whole is in the file. */
const mostShown = 200;
