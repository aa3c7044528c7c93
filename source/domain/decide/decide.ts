import type {Command, Intent} from '../command.ts';
import type {Event, Happening} from '../event.ts';
import {isMisfit} from '../evolve/change.ts';
import {advance, fit} from '../evolve/evolve.ts';
import type {State} from '../state.ts';
import type {Answer} from './answer.ts';
import {decideReport, isKnownIntrusion} from './decide-report.ts';
import {follow} from './follow.ts';
import {wishes} from './wishes.ts';

/** What happens because of a command: all of it, in order; or why nothing does. */
export type Decision = {
  readonly events: readonly Event[];
  readonly refused?: string;
};

export function decide(state: State, command: Command): Decision {
  if (command.type !== 'report' && command.by.kind === 'agent' && !agentsMay.has(command.type)) {
    const {session, words} = command.by;
    const refused = `only a person may ${command.type}; that ${words ?? session} tried is written down`;
    const intrusion = {
      type: 'intrusion-refused',
      session,
      intent: command.type,
      ...(words !== undefined && {words}),
    } as const;
    return isKnownIntrusion(state, intrusion)
      ? {events: [], refused}
      : {...conclude(state, intrusion, command.at), refused};
  }

  const answer =
    command.type === 'report' ? decideReport(state, command) : decideIntent(state, command);
  return answer !== undefined && 'refused' in answer
    ? {events: [], refused: answer.refused}
    : conclude(state, answer, command.at);
}

/** What an agent may ask for itself. Everything else changes the course of things. */
const agentsMay: ReadonlySet<Intent['type']> = new Set(['add-note', 'start-service']);

function decideIntent(state: State, intent: Intent): Answer {
  return (wishes[intent.type] as (state: State, intent: Intent) => Answer)(state, intent);
}

/** A history this long follows from no single command; it would be a loop. */
const mostConsequences = 10_000;

/** One event for the command, then whatever follows, one by one, until nothing does. */
function conclude(state: State, first: Happening | undefined, at: number): Decision {
  const events: Event[] = [];
  let current = state;
  for (let next = first ?? follow(current, at); next !== undefined; next = follow(current, at)) {
    const event: Event = {...next, at};
    const fitting = fit(current, event);
    if (isMisfit(fitting)) {
      if (events.length === 0) return {events: [], refused: fitting};
      throw new Error(`${event.type} was decided but does not fit: ${fitting}`);
    }

    events.push(event);
    current = advance(current, fitting, event);
    if (events.length > mostConsequences)
      throw new Error(`one command has no end of consequences; the last was ${event.type}`);
  }

  return {events};
}
