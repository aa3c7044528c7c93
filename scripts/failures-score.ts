// How much of the truth the reader of first failures finds: over all recorded logs.
//
//   npm run failures:score [-- --misses] [-- --held-out]
import process from 'node:process';
import {parseFirstFailure} from '../source/failures/index.ts';
import {countTokens} from '../source/shared/index.ts';
import {judgeReading, type Truth, truthLogs} from '../test/failures/truth-logs.ts';
import {readShapes} from '../test/failures/shape-logs.ts';
import {oldTruths} from '../test/failures/old-truths.ts';

type Row = {readonly name: string; readonly log: string; readonly truth: Truth};

const options = process.argv.slice(2);
const groups: Readonly<Record<string, readonly Row[]>> = {
  'old goldens': oldTruths(),
  'new goldens': truthLogs('goldens'),
  'written by hand': readShapes(),
  ...(options.includes('--held-out') && {'held out': truthLogs('held-out')}),
};
const only = options.find((option) => !option.startsWith('--'));

const table = Object.entries(groups).map(([group, rows]) => {
  const read = rows.map((row) => {
    const failure = parseFirstFailure(row.log, {root: '/project'});
    return {...row, failure, verdict: judgeReading(row.truth, failure)};
  });
  if (options.includes('--misses'))
    for (const {name, truth, failure, verdict} of read) {
      if (only === undefined ? verdict.isWhole : !`${group}/${name}`.includes(only)) continue;
      console.log(`\n### ${group}: ${name} (${failure.confidence})`);
      if (!verdict.hasTest) console.log(`   test: ${truth.test ?? '-'}`);
      if (!verdict.hasMessage) console.log(`   message: ${truth.messages.join(' … ')}`);
      if (!verdict.hasPlace) console.log(`   place: ${truth.places.join(' or ') || '-'}`);
      console.log(failure.text.replaceAll(/^/gm, '    | '));
    }

  const tokens = read.map(({failure}) => countTokens(failure.text)).toSorted((a, b) => a - b);
  const share = (count: number): string =>
    rows.length === 0 ? '-' : `${((100 * count) / rows.length).toFixed(1)} %`;
  const logTokens = rows.reduce((sum, {log}) => sum + countTokens(log), 0);
  const textTokens = tokens.reduce((sum, count) => sum + count, 0);
  return {
    logs: group,
    cases: rows.length,
    name: share(read.filter(({verdict}) => verdict.hasTest).length),
    assertion: share(read.filter(({verdict}) => verdict.hasMessage).length),
    place: share(read.filter(({verdict}) => verdict.hasPlace).length),
    whole: share(read.filter(({verdict}) => verdict.isWhole).length),
    'tokens (median, max)': `${tokens[Math.floor(tokens.length / 2)] ?? 0}, ${tokens.at(-1) ?? 0}`,
    'tokens of the logs': `${logTokens} -> ${textTokens}`,
  };
});
console.table(table);
