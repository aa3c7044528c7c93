import {plainOutputOf, readReport} from '../../documents/index.ts';
import {runIdIn, runOf, sessionOf, type Observation, type SessionId} from '../../domain/index.ts';
import type {AgentOutcome} from '../../agents/index.ts';
import type {Perform} from '../conductor.ts';
import {driverFor} from '../launch/agent-launch.ts';
import {exchangeOf, readOutcomeText} from '../launch/exchange.ts';
import type {Workshop} from '../workshop.ts';
import {endLeftovers} from './end-leftovers.ts';
import {readOutput} from './read-output.ts';

const mostBytes = 1024 * 1024;

/** What the agent says came of its attempt. It is believed only so far as its worktree shows it. */
export function readOutcome(workshop: Workshop): Perform {
  return async (effect, report) => {
    if (effect.do !== 'read-outcome') return;
    const {task, attempt, session} = effect;
    const run = runOf(workshop.state(), runIdIn(task));
    const worked = sessionOf(workshop.state(), session);
    if (run === undefined || worked === undefined)
      throw new Error(`${task} has no session ${session}`);
    await endLeftovers(workshop, worked);
    const output = plainOutputOf(readOutput(workshop, session, mostBytes));
    const text = readOutcomeText(exchangeOf(workshop, session));
    const code = worked.life.at === 'exited' ? worked.life.code : null;
    const outcome = driverFor(workshop, run, {for: 'attempt'}).readOutcome({
      code,
      output,
      ...(text === undefined ? {} : {outcome: text}),
    });
    if (outcome.usage !== undefined)
      await report({type: 'usage-counted', session, usage: outcome.usage}, false);
    if (outcome.conversation !== undefined)
      await report(
        {type: 'conversation-known', session, conversation: outcome.conversation},
        false,
      );
    const {gaveUp} = readReport(output, workshop.secrets()).value;
    await report(
      gaveUp !== undefined && outcome.at === 'finished'
        ? {type: 'agent-gave-up', task, attempt, words: gaveUp}
        : observationOf(outcome, {task, attempt}, session),
    );
  };
}

function observationOf(
  outcome: AgentOutcome,
  of: {readonly task: `r${number}.t${number}`; readonly attempt: number},
  session: SessionId,
): Observation {
  const {words} = outcome;
  switch (outcome.at) {
    case 'finished':
      return {
        type: 'agent-finished',
        ...of,
        words,
        ...(outcome.denied === undefined ? {} : {denied: outcome.denied}),
      };
    case 'gave-up':
      return {type: 'agent-gave-up', ...of, words};
    case 'failed':
      return {type: 'agent-failed', ...of, words};
    case 'interrupted':
      return {type: 'attempt-interrupted', ...of, session, words};
    case 'conversation-lost':
      return {type: 'conversation-lost', session, words};
    case 'unavailable':
      return outcome.until === undefined
        ? {type: 'agent-unavailable', words}
        : {type: 'attempt-paused', ...of, until: outcome.until, words};
  }
}
