// Compares what parseFirstFailure reads with the truths beside the logs.
//
//   node --import tsx scripts/failure-goldens/measure.ts [goldens|held-out] [--misses] [--tools]
import process from 'node:process';
import {parseFirstFailure} from '../../source/failures/index.ts';
import {type Half, judgeReading, truthLogs} from '../../test/failures/truth-logs.ts';

const wanted = process.argv.slice(2);
const halves = (['goldens', 'held-out'] as const).filter(
  (half) => !wanted.some((word) => !word.startsWith('--')) || wanted.includes(half),
);
for (const half of halves) measure(half);

function measure(half: Half): void {
  const rows = truthLogs(half).map(({tool, name, log, truth}) => {
    const failure = parseFirstFailure(log, {root: '/project'});
    return {tool, name, truth, failure, verdict: judgeReading(truth, failure)};
  });
  const share = (count: number): string =>
    `${count}/${rows.length} (${((100 * count) / Math.max(rows.length, 1)).toFixed(0)} %)`;
  const count = (key: keyof (typeof rows)[number]['verdict']): string =>
    share(rows.filter(({verdict}) => verdict[key]).length);
  const tools = new Set(rows.map(({tool}) => tool));
  console.log(`${half}: ${rows.length} logs of ${tools.size} tools`);
  console.log(
    `  whole ${count('isWhole')}, assertion in the text ${count('hasMessage')}, test ${count('hasTest')}, place ${count('hasPlace')}`,
  );
  for (const {name, truth, failure, verdict} of rows) {
    if (!wanted.includes('--misses') || verdict.isWhole) continue;
    const place = [failure.file ?? '-', failure.line].filter((part) => part !== undefined);
    console.log(`  ${name} (read by ${failure.tool})`);
    if (!verdict.hasTest) console.log(`    test: ${truth.test} != ${failure.test ?? '-'}`);
    if (!verdict.hasMessage)
      console.log(`    message: ${truth.messages.join(' … ')} != ${failure.message.split('\n')[0]}`);
    if (!verdict.hasPlace)
      console.log(`    place: ${truth.places.join(' or ') || '-'} != ${place.join(':')}`);
  }

  if (!wanted.includes('--tools')) return;
  for (const [tool, group] of Map.groupBy(rows, (row) => row.tool))
    console.log(
      `  ${tool.padEnd(24)} ${group.filter(({verdict}) => verdict.isWhole).length}/${group.length} whole`,
    );
}
