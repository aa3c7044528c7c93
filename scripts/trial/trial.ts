import path from 'node:path';
import {writeFileSync} from 'node:fs';
import type {Event} from '../../source/domain/index.ts';
import {
  getPlan,
  type LoopFixture,
  openStage,
  type StagedTask,
} from '../../test/e2e/loop/support/loop-fixture.ts';
import type {Outcome} from '../../test/daemon/support/daemon-fixture.ts';
import {type Made, makeRepository} from './make-repository.ts';
import type {Sizes} from './sizes.ts';

/**
 * What every item of the trial gets: one repository of realistic size, one daemon, pretend agents.
 */
export type Trial = {
  readonly stage: LoopFixture;
  readonly made: Made;
  readonly sizes: Sizes;
  /**
   * Lays out what the planner proposes and what each worker does (a script for sh; without one it
   * succeeds).
   */
  readonly layOut: (tasks: readonly StagedTask[], acts?: Readonly<Record<string, string>>) => void;
  /** Runs to its halt; gives the run's id and what came of it. */
  readonly run: (...options: readonly string[]) => Promise<Outcome & {readonly run: `r${number}`}>;
  /** What happened in one run. */
  readonly eventsIn: <T extends Event['type']>(
    type: T,
    run: string,
  ) => readonly Extract<Event, {readonly type: T}>[];
  /**
   * Commits files on the person's branch for as long as `use` takes; afterwards the branch is where
   * it was.
   */
  readonly onBase: <T>(
    files: Readonly<Record<string, string>>,
    use: () => Promise<T>,
  ) => Promise<T>;
};

export function openTrial(sizes: Sizes): Trial {
  const fixture = openStage({project: 'limits: {workers: 3, runs: 2}\n', hasBaseline: true});
  const made = makeRepository(fixture, sizes);
  const eventsIn: Trial['eventsIn'] = (type, run) =>
    fixture.eventsOf(type).filter((event) => JSON.stringify(event).includes(`"${run}`));
  return {
    stage: fixture,
    made,
    sizes,
    eventsIn,
    layOut(tasks, acts = {}) {
      writeFileSync(path.join(fixture.home, 'plan.json'), JSON.stringify(getPlan(tasks)));
      for (const {id} of tasks) fixture.act(id, acts[id] ?? 'exec sh "$PRETEND/succeed.sh" "$@"');
    },
    async run(...options) {
      await fixture.state();
      const before = fixture.eventsOf('run-created').length;
      const outcome = await fixture.objective(...options);
      const created = fixture.eventsOf('run-created')[before];
      if (created === undefined)
        throw new Error(
          `expected a run, got exit ${outcome.code ?? 'unknown'}: ${outcome.err}${outcome.out}`,
        );
      return {...outcome, run: created.run};
    },
    async onBase(files, use) {
      const start = fixture.git('rev-parse', 'HEAD').trim();
      for (const [file, text] of Object.entries(files)) fixture.write(file, text);
      fixture.git('add', '--', ...Object.keys(files));
      fixture.git('commit', '--quiet', '--message', 'For one item of the trial');
      try {
        return await use();
      } finally {
        fixture.git('reset', '--quiet', '--hard', start);
      }
    },
  };
}
