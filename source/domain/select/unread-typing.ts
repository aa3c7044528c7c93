import {isLive, type Purpose, type Session} from '../session.ts';
import type {State} from '../state.ts';
import {runIdOfSession, runOf} from './find.ts';

/** Why nobody would read what is typed into a session: it has ended, its agent works headless, or it is a command of the project. */
export type Unread =
  | {readonly why: 'ended'}
  | {readonly why: 'headless-agent'; readonly agent: string}
  | {readonly why: 'command'};

/** Those that somebody sits at, or may. */
const typedInto: ReadonlySet<Purpose['for']> = new Set<Purpose['for']>([
  'person',
  'takeover',
  'shell',
  'service',
]);

/**
 * Whether what is typed into the session's terminal is read; nothing if it is. Agents at work, checks and the like do not read
 * theirs: keys would be shown by the terminal and lost, or, worse, answer whatever is asked there later. One that asks is answered.
 */
export function unreadTyping(state: State, session: Session): Unread | undefined {
  if (!isLive(session)) return {why: 'ended'};
  if (session.waiting !== undefined || typedInto.has(session.purpose.for)) return undefined;
  const agent = agentOf(state, session);
  if (agent === undefined) return {why: 'command'};
  return hasOwnScreen(state, agent) ? undefined : {why: 'headless-agent', agent};
}

function agentOf(state: State, session: Session): string | undefined {
  const {purpose} = session;
  if (purpose.for !== 'plan' && purpose.for !== 'attempt') return undefined;
  const id = runIdOfSession(session);
  const request = id === undefined ? undefined : runOf(state, id)?.request;
  return purpose.for === 'plan' ? request?.planner : request?.worker;
}

/** Agents that are known work headless. A declared one has a screen of its own if its prompt is typed there, or if it is said what that looks like. */
function hasOwnScreen({project}: State, name: string): boolean {
  const declared = project.agents?.find((agent) => agent.name === name);
  return (
    declared !== undefined &&
    (declared.prompt === 'typed' ||
      declared.patterns?.ready !== undefined ||
      declared.patterns?.question !== undefined)
  );
}
