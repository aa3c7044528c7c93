// Plays the histories in test/knowledge/labelled with the built-in agent, and saves the summaries
// that orchestra writes.
import path from 'node:path';
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {stringify} from 'yaml';
import {wanted} from '../../source/domain/index.ts';
import {type LoopFixture, openStage} from '../../test/e2e/loop/support/loop-fixture.ts';
import {
  labelledDirectory,
  type PlayedRun,
  type PlayedTask,
  readLabelled,
} from '../../test/knowledge/labelled/read-labelled.ts';

export async function recordKnowledge(repository: string): Promise<number> {
  const {history} = readLabelled(repository);
  const fixture = openStage({
    rules: '# 1. Validation\n1. Nothing fails. `test: sh check.sh`\n',
    files: {
      'check.sh': 'grep -rh --exclude=check.sh --exclude-dir=.git "^FAIL " . && exit 1\nexit 0\n',
    },
  });
  const saved = new Map<string, string>();
  try {
    for (const [index, run] of history.entries()) await playRun(fixture, run, index + 1, saved);
  } finally {
    await fixture.close();
  }

  const directory = path.join(labelledDirectory, repository);
  rmSync(directory, {recursive: true, force: true});
  mkdirSync(directory, {recursive: true});
  for (const [name, text] of saved) writeFileSync(path.join(directory, name), text);
  return saved.size;
}

async function playRun(
  fixture: LoopFixture,
  run: PlayedRun,
  number: number,
  saved: Map<string, string>,
): Promise<void> {
  const id = `r${number}`;
  const file = path.join(fixture.home, `${id}.yaml`);
  writeFileSync(file, toPlaybook(run, false));
  const agents = ['--agent', 'playbook', '--planner', 'playbook', '--playbook', file];
  const {out, err} = await fixture.launch('run', run.objective, ...agents, '--approve');
  if (fixture.eventsOf('summary-written').every((event) => event.run !== id))
    throw new Error(`${id} left no summary: ${out}${err}`);
  save(fixture, run.date, id, saved);
  for (const [index, {granted}] of run.tasks.entries()) {
    if (granted === undefined) continue;
    // The summary of the next day is another file, as in real use.
    writeFileSync(file, toPlaybook(run, true));
    expectSuccess(fixture.run('grant', `${id}.t${index + 1}`, '--hint', granted.hint));
    await fixture.until(`${id} is merged`, () =>
      fixture.eventsOf('task-merged').some(({task}) => task === `${id}.t${index + 1}`),
    );
  }

  if (run.end === 'accept') expectSuccess(await fixture.launch('accept', id));
  if (run.end === 'discard') expectSuccess(await fixture.launch('discard', id));
  await fixture.until(
    `every summary of ${id} is written`,
    (state) => !wanted(state).some((effect) => effect.do === 'write-summary'),
  );
  const last = run.tasks.findLast(({granted}) => granted !== undefined)?.granted;
  save(fixture, last?.date ?? run.date, id, saved);
}

/** The summaries of the run that are new or changed, under the date of the history. */
function save({root}: LoopFixture, date: string, run: string, saved: Map<string, string>): void {
  const directory = path.join(root, '.orchestra', 'knowledge');
  for (const name of readdirSync(directory)) {
    const today = name.slice(0, 10);
    if (!new RegExp(`^${today}-${run}(?:-t\\d+)?(?:-\\d+)?\\.md$`).test(name)) continue;
    const source = readFileSync(path.join(directory, name), 'utf8');
    const text = source.replaceAll(today, date);
    // The second summary of one day has a number, which it would not have on the next day.
    const plain = `-${run}${/-t\d+/.exec(name)?.[0] ?? ''}.md`;
    const isKnown = [...saved].some(
      ([other, earlier]) =>
        other.slice(10) === plain && withoutDates(earlier) === withoutDates(text),
    );
    if (!isKnown) saved.set(`${date}${plain}`, text);
  }
}

function withoutDates(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\d/g, '');
}

function expectSuccess({code, out, err}: ReturnType<LoopFixture['run']>): void {
  if (code !== 0) throw new Error(`expected exit code 0, got ${code}: ${out}${err}`);
}

function toPlaybook({rootCause, tasks}: PlayedRun, isGranted: boolean): string {
  const named = tasks.map((task, index) => [`t${index + 1}`, task] as const);
  return stringify(
    {
      plan: {
        problem: rootCause,
        rootCause,
        tasks: named.map(([id, {title, files}]) => ({id, title, brief: `${title}.`, files})),
        validation: [{name: 'test', command: 'sh check.sh'}],
      },
      tasks: Object.fromEntries(
        named.map(([id, task]) => [id, toSteps(task, task.fails, task.report)]),
      ),
      repairs: Object.fromEntries(
        named.flatMap(([id, task]) => {
          const {fails, failsAgain, report, granted} = task;
          if (fails === undefined) return [];
          return [
            [
              id,
              isGranted
                ? toSteps(task, undefined, granted?.report)
                : toSteps(task, failsAgain, report),
            ],
          ];
        }),
      ),
    },
    {aliasDuplicateObjects: false},
  );
}

function toSteps(
  {title, files}: PlayedTask,
  failure: string | undefined,
  report: object | undefined,
): readonly object[] {
  const text = failure === undefined ? `${title}\n` : `FAIL ${failure}\n`;
  return [
    ...files.map((file) => ({write: {path: file, text}})),
    {use: {input: 12_000, output: 900}},
    ...(report === undefined ? [] : [{report}]),
  ];
}
