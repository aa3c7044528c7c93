import type {Command, Intent} from '../command.ts';
import {type Answer, type CommandHandlers, refuse} from './answer.ts';
import {baselineCommandHandlers} from './baseline-commands.ts';
import {messageCommandHandlers} from './message-commands.ts';
import {planCommandHandlers} from './plan-commands.ts';
import {runCommandHandlers} from './run-commands.ts';
import {sessionCommandHandlers} from './session-commands.ts';
import {taskCommandHandlers} from './task-commands.ts';
import type {Event, EventBody} from '../event.ts';
import {isInvalidTransition} from '../evolve/change.ts';
import {advance, applyEvent} from '../evolve/evolve.ts';
import type {State} from '../state.ts';
import {decideReport, isKnownIntrusion} from './decide-report.ts';
import {nextEvent} from './next-event.ts';
import {isTaskId} from '../ids.ts';
import {findUndoProblem} from '../select/undo.ts';

const undoCommandHandlers: CommandHandlers<'undo'> = {
  /** `kind` is what the person saw: a later decision about the same thing is not undone instead. */
  undo: (state, {what, kind, at}) => {
    const problem = findUndoProblem(state, what, kind, at);
    if (problem !== undefined) return refuse(`${what} cannot be undone: ${problem}`);
    if (kind === 'stop')
      return isTaskId(what) ? {type: 'task-resumed', task: what} : {type: 'run-resumed', run: what};
    if (kind === 'reject' && !isTaskId(what)) return {type: 'rejection-withdrawn', run: what};
    return {type: 'undo-asked', what};
  },
};

/** The handler of each command. */
const commandHandlers: CommandHandlers<Intent['type']> = {
  ...runCommandHandlers,
  ...planCommandHandlers,
  ...baselineCommandHandlers,
  ...taskCommandHandlers,
  ...messageCommandHandlers,
  ...sessionCommandHandlers,
  ...undoCommandHandlers,
};

/** All events that follow from a command, in order; or the reason for a refusal. */
export type Decision = {
  readonly events: readonly Event[];
  readonly refused?: string;
};

export function decide(state: State, command: Command): Decision {
  if (command.type !== 'report' && command.by.kind === 'agent' && !agentsMay.has(command.type)) {
    const {session, words} = command.by;
    const rejected = `only a person may ${command.type}; orchestra recorded that ${words ?? session} tried`;
    const intrusion = {
      type: 'intrusion-refused',
      session,
      intent: command.type,
      ...(words !== undefined && {words}),
    } as const;
    return isKnownIntrusion(state, intrusion)
      ? {events: [], refused: rejected}
      : {...conclude(state, intrusion, command.at), refused: rejected};
  }

  const answer =
    command.type === 'report' ? decideReport(state, command) : decideIntent(state, command);
  return answer !== undefined && 'refused' in answer
    ? {events: [], refused: answer.refused}
    : conclude(state, answer, command.at);
}

/** Commands that an agent may send itself. */
const agentsMay: ReadonlySet<Intent['type']> = new Set(['add-note', 'start-service']);

function decideIntent(state: State, intent: Intent): Answer {
  return (commandHandlers[intent.type] as (state: State, intent: Intent) => Answer)(state, intent);
}

/** No single command leads to this many events; more would be an endless loop. */
const maxConsequences = 10_000;

/**
 * Applies the command's own event, then each event that follows from the state, until none does.
 */
function conclude(state: State, first: EventBody | undefined, at: number): Decision {
  const events: Event[] = [];
  let current = state;
  for (
    let next = first ?? nextEvent(current, at);
    next !== undefined;
    next = nextEvent(current, at)
  ) {
    const event: Event = {...next, at};
    const fitting = applyEvent(current, event);
    if (isInvalidTransition(fitting)) {
      if (events.length === 0) return {events: [], refused: fitting};
      throw new Error(`${event.type} was decided but does not fit: ${fitting}`);
    }

    events.push(event);
    current = advance(current, fitting, event);
    if (events.length > maxConsequences)
      throw new Error(
        `one command led to more than ${maxConsequences} events; the last was ${event.type}`,
      );
  }

  return {events};
}
