import path from 'node:path';
import {
  emptyStream,
  foldStream,
  readOutcomeFile,
  readStream,
  usageOf,
  type AgentOutcome,
} from '../../agents/index.ts';
import {runIdOfSession, runOf, sessionOf, type SessionId} from '../../domain/index.ts';
import {tryReadText} from '../../files/index.ts';
import type {Perform} from '../conductor.ts';
import {driverFor} from '../launch/agent-launch.ts';
import {exchangeOf, readOutcomeText} from '../launch/exchange.ts';
import type {Workshop} from '../workshop.ts';

/**
 * What an agent left that was cut short: the name of its conversation, so that whoever goes on goes on with that, and what it has
 * used. Whether it was done is not taken from there: it was killed, and the one that goes on says so itself.
 */
export async function reportRemains(
  workshop: Workshop,
  id: SessionId,
  report: Parameters<Perform>[1],
): Promise<void> {
  const session = sessionOf(workshop.state(), id);
  const purpose = session?.purpose;
  if (session === undefined || (purpose?.for !== 'attempt' && purpose?.for !== 'plan')) return;
  const text = readOutcomeText(exchangeOf(workshop, id));
  const {usage, conversation} =
    (text === undefined ? undefined : readOutcomeFile(text)) ?? readKeptStream(workshop, id) ?? {};
  if (usage !== undefined) await report({type: 'usage-counted', session: id, usage}, false);
  if (conversation !== undefined)
    await report({type: 'conversation-known', session: id, conversation}, false);
}

const mostBytes = 16 * 1024 * 1024;

/** The stream as it came, where there was no time for anything else. */
function readKeptStream(
  workshop: Workshop,
  id: SessionId,
): Pick<AgentOutcome, 'usage' | 'conversation'> | undefined {
  const session = sessionOf(workshop.state(), id);
  const runId = session === undefined ? undefined : runIdOfSession(session);
  const run = runId === undefined ? undefined : runOf(workshop.state(), runId);
  if (session === undefined || run === undefined) return undefined;
  const {directory, below} = exchangeOf(workshop, id);
  try {
    const {stream} = driverFor(workshop, run, {
      for: session.purpose.for === 'plan' ? 'plan' : 'attempt',
    });
    // What counts on from an earlier start cannot be told apart without it.
    const kept =
      stream === undefined || stream.earlier !== undefined
        ? undefined
        : tryReadText(path.join(directory, 'stream.jsonl'), {maxBytes: mostBytes, below});
    if (stream === undefined || kept === undefined) return undefined;
    const state = readStream(stream, kept.split('\n')).reduce(foldStream, emptyStream);
    const usage = usageOf(state);
    return {
      ...(usage !== undefined && {usage}),
      ...(state.conversation !== undefined && {conversation: state.conversation}),
    };
  } catch {
    return undefined;
  }
}
