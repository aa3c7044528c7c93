import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {createRecall, parseSummary, recallWithin} from '../../source/knowledge/index.ts';
import {countTokens} from '../../source/shared/index.ts';
import {type LabelledPrompt, readLabelled, readRecorded} from './labelled/read-labelled.ts';

/** The share of a prompt that recalled summaries may take. */
const budget = 1500;

type Select = (prompt: LabelledPrompt) => readonly {readonly path: string; readonly text: string}[];

/** Words and files, whole summaries while they fit, and no threshold. */
const selectUnfiltered =
  (repository: string): Select =>
  ({objective, title = '', files = []}) => {
    const recall = createRecall(readRecorded(repository));
    return recallWithin(
      [
        ...(files.length === 0 ? [] : recall.byFiles(files)),
        ...recall.search(`${objective} ${title}`),
      ],
      budget,
    ).pieces;
  };

const selectForPrompt =
  (repository: string): Select =>
  ({objective, title = '', brief = '', files = []}) => {
    const {history} = readLabelled(repository);
    return createRecall(readRecorded(repository)).forPrompt(
      {
        text: `${objective}\n${title}\n${brief}`,
        files,
        discarded: history.flatMap(({end, objective: first, tasks}, index) =>
          end === 'discard'
            ? [{run: `r${index + 1}`, titles: [first, ...tasks.map((task) => task.title)]}]
            : [],
        ),
      },
      budget,
    );
  };

type Measured = {
  readonly pairs: number;
  readonly useful: number;
  readonly precision: number;
  readonly recall: number;
  /** The useful ones of which at least half of the decisions, or the failure, was recalled. */
  readonly whole: number;
  readonly tokens: number;
};

/** Every summary beside every prompt is a pair; only the latest summary of a task is useful. */
function measure(repository: string, select: Select): Measured {
  const summaries = readRecorded(repository).map(({path, text}) => ({
    path,
    task: parseSummary(text).value.task,
    findings: findingsOf(text),
  }));
  const latest = new Map(
    summaries.flatMap(({path, task}) => (task === undefined ? [] : [[task, path]])),
  );
  const counts = {pairs: 0, useful: 0, found: 0, right: 0, whole: 0, tokens: 0};
  for (const prompt of readLabelled(repository).prompts) {
    const pieces = select(prompt);
    counts.tokens += pieces.reduce((sum, {text}) => sum + countTokens(text), 0);
    for (const {path, task = '', findings} of summaries) {
      if (prompt.either?.includes(task) === true) continue;
      const isUseful = prompt.useful.includes(task) && latest.get(task) === path;
      const piece = pieces.find((one) => one.path === path);
      const isFound = piece !== undefined;
      const found = findings.filter((line) => piece?.text.includes(line) === true).length;
      counts.pairs += 1;
      counts.useful += Number(isUseful);
      counts.found += Number(isFound);
      counts.right += Number(isUseful && isFound);
      counts.whole += Number(isUseful && found > 0 && 2 * found >= findings.length);
    }
  }

  return {
    pairs: counts.pairs,
    useful: counts.useful,
    precision: counts.right / Math.max(1, counts.found),
    recall: counts.right / counts.useful,
    whole: counts.whole / counts.useful,
    tokens: Math.round(counts.tokens / readLabelled(repository).prompts.length),
  };
}

function findingsOf(text: string): string[] {
  const body = /\n## (?:Decisions|Why it failed)\n((?:- .*\n)+)/.exec(text)?.[1] ?? '';
  const lines = body.split('\n').map((line) => line.replace(/^- /, ''));
  // Failures repeat: the first one is enough.
  return lines.filter((line) => line !== '' && !/^(?:try [2-9]|stopped)/.test(line));
}

const floors = {precision: 0.9, recall: 0.9};

for (const repository of ['shop', 'pipes'])
  describe(`summaries of ${repository}, labelled by hand`, () => {
    const before = measure(repository, selectUnfiltered(repository));
    const after = measure(repository, selectForPrompt(repository));

    test('there are enough pairs to count', () => {
      assert.ok(after.pairs >= 60 && after.useful >= 10, JSON.stringify(after));
    });

    test('most of what is recalled is useful, and most of what is useful is recalled', (t) => {
      t.diagnostic(`without a threshold ${JSON.stringify(before)}`);
      t.diagnostic(`for a prompt ${JSON.stringify(after)}`);
      assert.ok(after.precision >= floors.precision, `precision ${after.precision}`);
      assert.ok(after.recall >= floors.recall, `recall ${after.recall}`);
      assert.ok(after.whole >= floors.recall, `whole ${after.whole}`);
      assert.ok(after.precision >= 3 * before.precision, `before ${before.precision}`);
      assert.ok(
        after.tokens * 4 <= before.tokens,
        `${after.tokens} tokens, before ${before.tokens}`,
      );
    });

    for (const prompt of readLabelled(repository).prompts)
      if (prompt.useful.length === 0)
        test(`nothing for "${prompt.objective}"`, () => {
          const noise = selectForPrompt(repository)(prompt).filter(
            ({path}) =>
              !(prompt.either ?? []).some((task) => path.endsWith(`${task.replace('.', '-')}.md`)),
          );
          assert.deepEqual(noise, []);
        });
  });
