import {inDomain, type Mutation} from './mutation.ts';

/** Agents in their own interface: turns, drafts, and further attempts in the same session. */
export const turnMutations: readonly Mutation[] = [
  inDomain(
    'wanted/task-effects.ts',
    "turn.at === 'ended' && turn.number > (earlier?.turns ?? 0)",
    "turn.at === 'ended'",
    'the last turn of an attempt also ends the next one',
  ),
  inDomain(
    'wanted/session-effects.ts',
    "return turn?.at === 'open'",
    'return false',
    'a merge ends an agent that a person has just written to',
  ),
  inDomain(
    'decide/next-attempt-event.ts',
    "return open?.turn?.at === 'open'",
    'return open === undefined',
    'what an agent changes during its checks is not in its change',
  ),
  inDomain(
    'select/progress.ts',
    "['attempt', 'setup', 'check'].includes(session.purpose.for) && !isBetweenTurns(session)",
    "['attempt', 'setup', 'check'].includes(session.purpose.for)",
    'one allowed worker blocks its own check',
  ),
  inDomain(
    'evolve/input.ts',
    "prompt === input || prompt.fate === 'uncertain'",
    'prompt === input',
    'after an uncertain prompt a task waits for ever',
  ),
  inDomain(
    'evolve/turn.ts',
    'worked: (earlier?.worked ?? 0) + workedFor(session, at)',
    'worked: earlier?.worked ?? 0',
    'a repair has less time than the first attempt',
  ),
];
