import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {computeDiff} from '../../../source/git/index.ts';
import {type DiffFile, parseDiff} from '../../../source/app/review/parse-diff.ts';
import {makeRepository, type TestRepository} from '../../git/support/repository.ts';
import {createRandom, type Random} from '../../support/random.ts';

export type RandomDiff = {
  readonly before: string;
  readonly after: string;
  /** The same change, with git's own context and with all of it. */
  readonly short: DiffFile;
  readonly whole: DiffFile;
};

/** Changes of random files, compared by git. */
export async function makeRandomDiffs(seed: string, count: number): Promise<RandomDiff[]> {
  const random = createRandom(seed);
  const pairs = Array.from({length: count}, () => {
    const before = makeText(random);
    return {before, after: editText(random, before)};
  });
  const repository = makeRepository();
  try {
    const from = commitAll(
      repository,
      pairs.map(({before}) => before),
    );
    const to = commitAll(
      repository,
      pairs.map(({after}) => after),
    );
    const read = async (context?: number): Promise<ReadonlyMap<string, DiffFile>> => {
      const text = await computeDiff(repository.workspace, {
        from,
        to,
        ...(context !== undefined && {context}),
      });
      return new Map(parseDiff(text).map((file) => [file.path, file]));
    };

    const [short, whole] = [await read(), await read(100_000)];
    return pairs.flatMap((pair, index) => {
      const [one, other] = [short.get(toName(index)), whole.get(toName(index))];
      return one === undefined || other === undefined ? [] : [{...pair, short: one, whole: other}];
    });
  } finally {
    repository.remove();
  }
}

function toName(index: number): string {
  return `file-${index}.txt`;
}

function commitAll({root, git, head}: TestRepository, texts: readonly string[]): string {
  for (const [index, text] of texts.entries()) writeFileSync(path.join(root, toName(index)), text);
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'next');
  return head();
}

const samples = [
  '',
  '}',
  'return total;',
  '\tconst a = 1;',
  '  call(a, b);\r',
  '-- a comment of SQL',
  '++ plus',
  '@@ -1 +1 @@',
  '\\ No newline at end of file',
  'diff --git a/x b/x',
  'größe 漢字 👩‍👧',
  '\u001B[31mred',
];

function makeLine(random: Random): string {
  return random.chance(0.5) ? random.pick(samples) : `line ${random.below(50)} of many`;
}

function makeText(random: Random): string {
  const lines = Array.from({length: random.below(60)}, () => makeLine(random));
  return lines.map((line) => `${line}\n`).join('') + (random.chance(0.3) ? 'no end' : '');
}

function editText(random: Random, text: string): string {
  const lines = text.split('\n');
  for (let edits = 1 + random.below(4); edits > 0; edits--)
    lines.splice(
      random.below(lines.length + 1),
      random.below(3),
      ...Array.from({length: random.below(4)}, () => makeLine(random)),
    );
  return lines.join('\n');
}
