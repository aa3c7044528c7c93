import {errorText} from '../../shared/index.ts';
import {
  type Command,
  decide,
  type Decision,
  type Effect,
  type Event,
  evolve,
  type Observation,
  type State,
  toEvent,
  toEventParts,
  wanted,
} from '../../domain/index.ts';
import {type Entry, type Journal, JournalUnavailable} from '../../journal/index.ts';

/**
 * Runs one effect and reports what it observed. It ends when the signal is aborted, and may be
 * started again at any time.
 */
export type EffectHandler = (
  effect: Effect,
  report: (saw: Observation, isNamed?: boolean) => Promise<Decision>,
  signal: AbortSignal,
) => Promise<void>;

export type Conductor = {
  readonly state: () => State;
  /**
   * Decides, journals the events, then reconciles the effects. `prepare` runs before the events are
   * journaled.
   */
  readonly submit: (
    command: Command,
    prepare?: (events: readonly Event[]) => void,
  ) => Promise<Decision>;
  /** Applies an entry that the journal wrote by itself. */
  readonly take: (entry: Entry) => void;
  /** Starts the wanted effects. None is started before this call. */
  readonly begin: () => void;
  /**
   * Starts wanted effects and aborts the others; aborts all of them when the journal is read-only.
   */
  readonly reconcile: () => void;
  /** Aborts every effect in flight; sessions continue. */
  readonly close: () => Promise<void>;
};

export type ConductorOptions = {
  readonly state: State;
  readonly journal: Journal;
  readonly now: () => number;
  readonly perform: EffectHandler;
  readonly onEvents: (seq: number, event: Event) => void;
  /** Called at named points, so that tests can end the daemon there. */
  readonly hitFailpoint?: (point: string) => void;
  /** The growing pause before a failed effect is retried. */
  readonly pause: (failures: number, signal: AbortSignal) => Promise<void>;
};

/**
 * The engine: command → `decide` → journal → `evolve` → `wanted` → effects. See ARCHITECTURE.md.
 */
export function createConductor(options: ConductorOptions): Conductor {
  const {journal, now, perform, onEvents, pause, hitFailpoint = () => undefined} = options;
  const inFlight = new Map<
    string,
    {readonly abort: AbortController; readonly over: Promise<void>}
  >();
  const failures = new Map<string, number>();
  let state = options.state;
  let hasBegun = false;
  let turn: Promise<unknown> = Promise.resolve();

  const fold = (event: Event): void => {
    state = evolve(state, event);
    onEvents(state.seq, event);
  };

  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const mine = turn.then(act, act);
    turn = mine.catch(() => undefined);
    return mine;
  };

  const submit: Conductor['submit'] = (command, prepare) =>
    inTurn(async () => {
      const decision = decide(state, command);
      if (decision.events.length === 0) return decision;
      // Before the journal is written, so that a daemon that continues after a crash finds what was
      // prepared.
      prepare?.(decision.events);
      const entries = await journal.append(decision.events.map(toEventParts), command.at);
      for (const entry of entries) fold(toEvent(entry));
      reconcile();
      return decision;
    });

  /** Retries while the disk is full, so that no observation is lost. */
  const submitWithRetry = async (command: Command, signal: AbortSignal): Promise<Decision> => {
    for (let tries = 1; ; tries++) {
      try {
        return await submit(command);
      } catch (error) {
        if (!(error instanceof JournalUnavailable) || signal.aborted) throw error;
        await pause(tries, signal);
      }
    }
  };

  const reconcile = (): void => {
    if (!hasBegun) return;
    if (journal.status().mode === 'read-only') {
      // Nothing could be journaled any more; the next daemon observes and continues.
      for (const {abort} of inFlight.values()) abort.abort();
      return;
    }

    const effects = new Map(wanted(state).map((effect) => [effect.key, effect]));
    for (const [key, {abort}] of inFlight) {
      if (!effects.has(key)) abort.abort();
    }

    for (const [key, effect] of effects) {
      if (!inFlight.has(key)) launch(effect);
    }
  };

  const launch = (effect: Effect): void => {
    const {key} = effect;
    const abort = new AbortController();
    const report = async (saw: Observation, isNamed = true): Promise<Decision> => {
      hitFailpoint(`${effect.do}.before-report`);
      const decision = await submitWithRetry(
        {type: 'report', at: now(), saw, ...(isNamed ? {effect: key} : {})},
        abort.signal,
      );
      hitFailpoint(`${effect.do}.after-report`);
      return decision;
    };

    const over = runEffect(effect, report, abort.signal).finally(() => {
      inFlight.delete(key);
      if (!abort.signal.aborted || isWanted(key)) queueMicrotask(reconcile);
    });
    inFlight.set(key, {abort, over});
  };

  /**
   * Journals the start of an effect, since it may crash the daemon. After three such starts its run
   * is parked.
   */
  const beginEffect = async ({key, do: kind}: Effect, signal: AbortSignal): Promise<void> => {
    hitFailpoint(`${kind}.before-intent`);
    await submitWithRetry(
      {type: 'report', at: now(), saw: {type: 'effect-begun', effect: key}},
      signal,
    );
    hitFailpoint(`${kind}.after-intent`);
  };

  const isWanted = (key: string): boolean => wanted(state).some((other) => other.key === key);

  /**
   * The one place where an error of an effect becomes a report. An effect that ends and is still
   * wanted is retried with pauses, and not for ever: it may have reported nothing, or its report
   * may have been rejected.
   */
  const runEffect = async (
    effect: Effect,
    report: (saw: Observation) => Promise<Decision>,
    signal: AbortSignal,
  ): Promise<void> => {
    try {
      // No await where nothing is journaled: a requested session must exist when the client gets
      // its answer.
      if (
        effect.run !== undefined &&
        !lastingEffects.has(effect.do) &&
        !state.begun.includes(effect.key)
      )
        await beginEffect(effect, signal);
      hitFailpoint(`${effect.do}.before`);
      await perform(effect, report, signal);
      if (signal.aborted || !isWanted(effect.key)) failures.delete(effect.key);
      else
        await countFailure(
          effect,
          report,
          signal,
          'the effect ended but is still needed: its report was rejected, or it reported nothing',
        );
    } catch (error) {
      if (signal.aborted || !hasBegun) return;
      if (retriedEffects.has(effect.do))
        await countFailure(effect, report, signal, errorText(error));
      else if ((await giveUp(report, errorText(error))) !== undefined)
        await countFailure(effect, report, signal, errorText(error));
    }
  };

  /** Reports the failure. Returns why the report was rejected, if it was. */
  const giveUp = async (
    report: (saw: Observation) => Promise<Decision>,
    text: string,
  ): Promise<string | undefined> =>
    (
      await report({type: 'effect-failed', words: text}).catch(() => ({
        refused: 'the journal is closed',
      }))
    ).refused;

  /**
   * Reports a failure after `maxFailedTries`. An effect that is wanted even then is retried with
   * the longest pause.
   */
  const countFailure = async (
    effect: Effect,
    report: (saw: Observation) => Promise<Decision>,
    signal: AbortSignal,
    text: string,
  ): Promise<void> => {
    const times = (failures.get(effect.key) ?? 0) + 1;
    failures.set(effect.key, times);
    if (times >= maxFailedTries) await giveUp(report, text);
    if (isWanted(effect.key)) await pause(times, signal);
    else failures.delete(effect.key);
  };

  return {
    state: () => state,
    submit,
    take: (entry) => {
      fold(toEvent(entry));
    },
    reconcile,
    begin: () => {
      hasBegun = true;
      reconcile();
    },
    close: async () => {
      hasBegun = false;
      for (const {abort} of inFlight.values()) abort.abort();
      await Promise.allSettled([...inFlight.values()].map(({over}) => over));
      await turn;
    },
  };
}

/**
 * Effects that run for as long as they are wanted: a daemon that dies meanwhile did not die of
 * them.
 */
const lastingEffects: ReadonlySet<Effect['do']> = new Set([
  'run-session',
  'stop-session',
  'type-input',
  'type-prompt',
  'deliver-message',
  'watch-service',
  'wait',
  'prepare-worktrees',
]);

/**
 * Effects that nobody requested and that may well succeed a moment later: they are retried before a
 * person is notified.
 */
const retriedEffects: ReadonlySet<Effect['do']> = new Set(['stop-session', 'watch-service']);

/** Tries of one effect before a person is notified: about 15 s with the pauses between them. */
const maxFailedTries = 5;
