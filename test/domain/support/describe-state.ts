import {
  selectNeeds,
  selectRuns,
  type Session,
  type State,
  wanted,
} from '../../../source/domain/index.ts';
import {ledgerEntries} from '../../../source/shared/index.ts';

/**
 * The parts of the state that an upgrade must not change, in a form that does not depend on how
 * they are stored.
 */
export function describeState(state: State): string {
  const runs = selectRuns(state).flatMap(
    ({id, stage, rounds, head, tasks, hold, trouble, parked, exhausted}) => [
      line(
        id,
        stage.at,
        `${rounds.length} rounds`,
        head ?? 'no head',
        ...halts({hold, trouble, parked, exhausted}),
      ),
      ...tasks.map((task) =>
        line(
          `  ${task.id}`,
          task.stage.at,
          ...task.attempts.map(
            ({number, by, step, interruptions}) => `a${number} ${by} ${step.at} ${interruptions}`,
          ),
          ...halts(task),
        ),
      ),
    ],
  );
  const sessions = ledgerEntries(state.sessions).map((session) =>
    line(session.id, ...Object.values(session.purpose).flat().map(String), describeLife(session)),
  );
  const services = state.services.map(({spec, desire, stage}) =>
    line(`service ${spec.name}`, desire, stage.at),
  );
  return [
    `${state.seq} events, queue: ${state.queue.join(' ') || 'empty'}`,
    ...runs,
    ...sessions,
    ...services,
    ...state.notes.map(({on, text}) => line('note', on, text)),
    ...state.intrusions.map(({session, intent, isSeen}) =>
      line('intrusion', session, intent, isSeen ? 'seen' : 'open'),
    ),
    ...selectNeeds(state).map(({kind, id}) => line('need', kind, id)),
    ...wanted(state).map(({key}) => line('wanted', key)),
    '',
  ].join('\n');
}

function describeLife({life, inputs, usage}: Session): string {
  const end = life.at === 'exited' ? `exited ${life.code ?? life.signal ?? ''}` : life.at;
  return `${end}, ${inputs.map(({fate}) => fate).join(' ') || 'no inputs'}, ${usage.input + usage.output} tokens`;
}

function halts(thing: Readonly<Record<string, unknown>> | object): string[] {
  return ['hold', 'trouble', 'parked', 'exhausted'].filter(
    (halt) => (thing as Record<string, unknown>)[halt] !== undefined,
  );
}

function line(...terms: readonly string[]): string {
  return terms.join(' · ');
}
