import {
  decide,
  eventOf,
  evolve,
  partsOf,
  wanted,
  type Command,
  type Decision,
  type Effect,
  type Event,
  type Observation,
  type State,
} from '../domain/index.ts';
import {JournalUnavailable, type Entry, type Journal} from '../journal/index.ts';

/** Brings one effect about and reports what it saw. It ends when told so, and may be started again at any time. */
export type Perform = (
  effect: Effect,
  report: (saw: Observation, isNamed?: boolean) => Promise<Decision>,
  signal: AbortSignal,
) => Promise<void>;

export type Conductor = {
  readonly state: () => State;
  /** Decides, journals, and only then lets anything happen. `prepare` runs between the journal and the effects. */
  readonly submit: (
    command: Command,
    prepare?: (events: readonly Event[]) => void,
  ) => Promise<Decision>;
  /** Folds in what the journal wrote by itself. */
  readonly take: (entry: Entry) => void;
  /** Starts what is wanted. Nothing is started before this is called. */
  readonly begin: () => void;
  /** Starts what is wanted and ends what is not; ends everything when the journal takes nothing any more for good. */
  readonly reconcile: () => void;
  /** Ends every effect in flight; sessions go on. */
  readonly close: () => Promise<void>;
};

export type ConductorOptions = {
  readonly state: State;
  readonly journal: Journal;
  readonly now: () => number;
  readonly perform: Perform;
  readonly heard: (seq: number, event: Event) => void;
  /** Called at named points, so that tests can end the daemon there. */
  readonly reach?: (point: string) => void;
  /** A pause that grows: an effect that fails is not tried again at once. */
  readonly pause: (failures: number, signal: AbortSignal) => Promise<void>;
};

/** One idea runs the house: see ARCHITECTURE.md. */
export function createConductor(options: ConductorOptions): Conductor {
  const {journal, now, perform, heard, pause, reach = () => undefined} = options;
  const flights = new Map<
    string,
    {readonly abort: AbortController; readonly over: Promise<void>}
  >();
  const failures = new Map<string, number>();
  let state = options.state;
  let hasBegun = false;
  let turn: Promise<unknown> = Promise.resolve();

  const fold = (event: Event): void => {
    state = evolve(state, event);
    heard(state.seq, event);
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
      // Before it is written down: whoever takes it up after a crash finds what was prepared.
      prepare?.(decision.events);
      const entries = await journal.append(decision.events.map(partsOf), command.at);
      for (const entry of entries) fold(eventOf(entry));
      reconcile();
      return decision;
    });

  /** What the world showed is not lost because the disk is full: it is told again until it can be written. */
  const insist = async (command: Command, signal: AbortSignal): Promise<Decision> => {
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
      // What it would do could not be written down; the next daemon observes and goes on.
      for (const {abort} of flights.values()) abort.abort();
      return;
    }

    const effects = new Map(wanted(state).map((effect) => [effect.key, effect]));
    for (const [key, {abort}] of flights) {
      if (!effects.has(key)) abort.abort();
    }

    for (const [key, effect] of effects) {
      if (!flights.has(key)) launch(effect);
    }
  };

  const launch = (effect: Effect): void => {
    const {key} = effect;
    const abort = new AbortController();
    const report = async (saw: Observation, isNamed = true): Promise<Decision> => {
      reach(`${effect.do}.before-report`);
      const decision = await insist(
        {type: 'report', at: now(), saw, ...(isNamed ? {effect: key} : {})},
        abort.signal,
      );
      reach(`${effect.do}.after-report`);
      return decision;
    };

    const over = fly(effect, report, abort.signal).finally(() => {
      flights.delete(key);
      if (!abort.signal.aborted || isWanted(key)) queueMicrotask(reconcile);
    });
    flights.set(key, {abort, over});
  };

  /** What may end the daemon is written down before it is begun: three times, and its run is set aside. */
  const beginEffect = async ({key, do: kind}: Effect, signal: AbortSignal): Promise<void> => {
    reach(`${kind}.before-intent`);
    await insist({type: 'report', at: now(), saw: {type: 'effect-begun', effect: key}}, signal);
    reach(`${kind}.after-intent`);
  };

  const isWanted = (key: string): boolean => wanted(state).some((other) => other.key === key);

  /**
   * The one place where what a performer throws becomes a report. One that ends and is wanted all the same is not begun again at once, and not
   * for ever: a performer may come back without having told anything, or with what was refused.
   */
  const fly = async (
    effect: Effect,
    report: (saw: Observation) => Promise<Decision>,
    signal: AbortSignal,
  ): Promise<void> => {
    try {
      // Without a wait where there is nothing to write: whoever asked for a session finds it when the answer is there.
      if (effect.run !== undefined && !lasting.has(effect.do) && !state.begun.includes(effect.key))
        await beginEffect(effect, signal);
      reach(`${effect.do}.before`);
      await perform(effect, report, signal);
      if (signal.aborted || !isWanted(effect.key)) failures.delete(effect.key);
      else
        await countFruitless(
          effect,
          report,
          signal,
          'it was done and is to be done all the same: what came of it was refused, or nothing was told',
        );
    } catch (error) {
      if (signal.aborted || !hasBegun) return;
      if (patient.has(effect.do)) await countFruitless(effect, report, signal, wordsOf(error));
      else if ((await giveUp(report, wordsOf(error))) !== undefined)
        await countFruitless(effect, report, signal, wordsOf(error));
    }
  };

  /** Why it is not given up; nothing when it is. */
  const giveUp = async (
    report: (saw: Observation) => Promise<Decision>,
    words: string,
  ): Promise<string | undefined> =>
    (await report({type: 'effect-failed', words}).catch(() => ({refused: 'the journal is closed'})))
      .refused;

  /** After so many tries somebody is told; whatever is wanted even then is tried further, with the longest pause. */
  const countFruitless = async (
    effect: Effect,
    report: (saw: Observation) => Promise<Decision>,
    signal: AbortSignal,
    words: string,
  ): Promise<void> => {
    const times = (failures.get(effect.key) ?? 0) + 1;
    failures.set(effect.key, times);
    if (times >= mostFruitless) await giveUp(report, words);
    if (isWanted(effect.key)) await pause(times, signal);
    else failures.delete(effect.key);
  };

  return {
    state: () => state,
    submit,
    take: (entry) => {
      fold(eventOf(entry));
    },
    reconcile,
    begin: () => {
      hasBegun = true;
      reconcile();
    },
    close: async () => {
      hasBegun = false;
      for (const {abort} of flights.values()) abort.abort();
      await Promise.allSettled([...flights.values()].map(({over}) => over));
      await turn;
    },
  };
}

/** They go on for as long as they are wanted; a daemon that dies meanwhile did not die of them. */
const lasting: ReadonlySet<Effect['do']> = new Set([
  'run-session',
  'stop-session',
  'type-input',
  'type-prompt',
  'watch-service',
  'wait',
  'prepare-worktrees',
]);

/** What is looked at or ended without anybody's asking may well succeed a moment later: it is tried some times before a person is told. */
const patient: ReadonlySet<Effect['do']> = new Set(['stop-session', 'watch-service']);

/** Tries of one effect before a person is told, about a quarter of a minute with the pauses between them. */
const mostFruitless = 5;

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
