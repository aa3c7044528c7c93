import {lostConversationIn} from '../../agents/index.ts';
import {plainOutputOf} from '../../documents/index.ts';
import {
  conversationOf,
  runIdOfSession,
  runOf,
  sessionOf,
  type SessionId,
} from '../../domain/index.ts';
import type {Perform} from '../conductor.ts';
import type {Workshop} from '../workshop.ts';
import {readOutput} from './read-output.ts';

/** More than an agent says that ends before it has a screen. */
const mostBytes = 64 * 1024;

/** A person took over, and all they were shown is that the conversation is not there. Told before its end is, so that another follows at once. */
export async function reportLostConversation(
  workshop: Workshop,
  id: SessionId,
  report: Parameters<Perform>[1],
): Promise<void> {
  const state = workshop.state();
  const session = sessionOf(state, id);
  const runId = session === undefined ? undefined : runIdOfSession(session);
  const run = runId === undefined ? undefined : runOf(state, runId);
  if (
    session?.purpose.for !== 'takeover' ||
    run === undefined ||
    session.lostConversation === true ||
    conversationOf(state, session) === undefined
  )
    return;
  const words = lostConversationIn(
    run.request.worker,
    plainOutputOf(readOutput(workshop, id, mostBytes)),
  );
  if (words !== undefined) await report({type: 'conversation-lost', session: id, words});
}
