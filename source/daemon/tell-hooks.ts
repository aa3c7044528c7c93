import {needsOf, runIdIn, type Event, type Need, type RunId, type State} from '../domain/index.ts';
import {runHook, type HookName, type HookOptions} from './run-hook.ts';

export type HookTelling = Omit<HookOptions, 'env'> & {
  readonly log: (line: string) => void;
  readonly isOld: (event: Event) => boolean;
  /** What was so before this daemon: its needs were told by the one before. */
  readonly before: State;
  /** What a hook gets that is told about this run, or about none. */
  readonly envOf: (run: RunId | undefined) => HookOptions['env'];
  /** Told of each need once, beside the hook. */
  readonly notify: (need: Need, state: State) => void;
};

/** Tells the hooks that cannot say no, after the fact and in order. What they say is logged. */
export function createHookTeller(options: HookTelling): (event: Event, state: State) => void {
  let turn: Promise<unknown> = Promise.resolve();
  let told = new Set(needsOf(options.before).map(({id}) => id));
  const tell = (name: HookName, data: object, run: RunId | undefined): void => {
    turn = turn
      .then(() => runHook(name, data, {...options, env: options.envOf(run)}))
      .then(
        (end) => {
          if (end !== undefined && !end.isOk) options.log(`hook ${name}: ${end.words}`);
        },
        (error: unknown) => {
          options.log(`hook ${name}: ${String(error)}`);
        },
      );
  };

  return (event, state) => {
    const needs = needsOf(state);
    const fresh = needs.filter(({id}) => !told.has(id));
    told = new Set(needs.map(({id}) => id));
    if (options.isOld(event)) return;
    const name = nameFor(event);
    if (name !== undefined) tell(name, {event}, runIn(event));
    for (const need of fresh) {
      tell('on-need', {need}, runIn(need));
      options.notify(need, state);
    }
  };
}

/** The run that something is about, if it is about one. */
function runIn(about: Event | Need): RunId | undefined {
  if ('run' in about) return about.run;
  return 'task' in about ? runIdIn(about.task) : undefined;
}

function nameFor({type}: Event): HookName | undefined {
  switch (type) {
    case 'plan-received':
    case 'plan-edited':
      return 'after-plan';
    case 'agent-finished':
    case 'agent-gave-up':
    case 'agent-failed':
      return 'after-attempt';
    case 'change-validated':
    case 'attempt-failed':
      return 'after-validate';
    default:
      return undefined;
  }
}
