import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectRun, type State} from '../../../source/domain/index.ts';
import {handleRunRequest} from '../../../source/daemon/server/run-requests.ts';
import {questionSchemas} from '../../../source/daemon/server/schemas/client-messages.ts';
import {withLedgerEntry} from '../../../source/shared/index.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {working} from '../../domain/support/stages.ts';
import {type TestRepository, withRepository} from '../../git/support/repository.ts';

const lines = Array.from({length: 41}, (_, index) => `line ${index + 1}`);
const toText = (middle: string): string =>
  `${lines.map((line, index) => (index === 20 ? middle : line)).join('\n')}\n`;

test(
  'the diff of a run has three unchanged lines around a change, or as many as are asked for',
  withRepository({'a.txt': toText('old')}, async (repository) => {
    const base = repository.head();
    repository.write('a.txt', toText('new'));
    repository.git('commit', '-qam', 'a change');
    const context = makeContext(repository, base);
    const countContext = async (own: {readonly context?: number}): Promise<number> => {
      const {text} = (await handleRunRequest(
        context,
        {about: 'diff', of: 'r1', ...own},
        () => Promise.resolve(true),
        () => undefined,
      )) as {readonly text: string};
      return text.split('\n').filter((row) => row.startsWith(' ')).length;
    };

    assert.deepEqual(
      [
        await countContext({}),
        await countContext({context: 0}),
        await countContext({context: 10}),
        await countContext({context: 100_000}),
      ],
      [6, 0, 20, 40],
    );
  }),
);

type Context = Parameters<typeof handleRunRequest>[0];

/** The little of a daemon that a diff needs: a run whose base and head are in the repository. */
function makeContext({workspace, head}: TestRepository, base: string): Context {
  const {state} = working([plannedTask('t1')]);
  const run = selectRun(state, 'r1');
  assert.ok(run !== undefined && 'ground' in run.stage);
  const stage = {...run.stage, ground: {...run.stage.ground, base}};
  const own: State = {
    ...state,
    runs: withLedgerEntry(state.runs, 1, {...run, stage, head: head()}),
  };
  return {
    state: () => own,
    workspace: () => workspace,
    eventsOf: () => [],
  } as Partial<Context> as Context;
}

test('the number of unchanged lines is a whole number within its limit', () => {
  const accepts = (context: unknown): boolean =>
    questionSchemas['diff']?.safeParse({about: 'diff', of: 'r1', context}).success === true;
  assert.deepEqual([undefined, 0, 200, 100_000, -1, 1.5, 100_001, '3', null].map(accepts), [
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
