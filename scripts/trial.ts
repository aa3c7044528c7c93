// `npm run trial`: a working day on a repository of realistic size, headless, with pretend agents.
// Builds first (npm runs `pretrial`).
// Prints for each promise whether it is kept, and times as ratios; ends with 1 if one is not.
// ORCHESTRA_TRIAL_FILES,
// ORCHESTRA_TRIAL_MODULES_MB and ORCHESTRA_TRIAL_VENV=0 make it quicker; numbers as arguments try
// those items alone.
import process from 'node:process';
import {type Result, tryItem} from './trial/item.ts';
import {items} from './trial/items.ts';
import {readSizes} from './trial/sizes.ts';
import {formatTimes, measure} from './trial/times.ts';
import {openTrial} from './trial/trial.ts';

const wanted = process.argv.slice(2).map(Number);
const chosen = items.filter(({number}) => wanted.length === 0 || wanted.includes(number));
const sizes = readSizes(process.env);
const trial = openTrial(sizes);
try {
  const {files, modules, hasVirtualenv} = trial.made;
  console.log(
    `${files} files, ${modules} files of dependencies (${sizes.modulesMb} MB), ${hasVirtualenv ? 'a' : 'no'} virtualenv\n`,
  );
  // First: what earlier runs left makes a look at everything outside of a worktree slower, where
  // there is no sandbox.
  const times = formatTimes(await measure(trial));
  const results: Result[] = [];
  for (const item of chosen) {
    const result = await tryItem(item, trial);
    results.push(result);
    console.log(
      `${result.at.padEnd(5)} ${String(item.number).padStart(2)}  ${item.title}${result.ms === 0 ? '' : `  (${(result.ms / 1000).toFixed(1)} s)`}${result.text === '' ? '' : `\n          ${result.text}`}`,
    );
  }

  console.log(`\n${times}`);
  const failed = results.filter(({at}) => at === 'FAIL').length;
  console.log(
    `\n${results.filter(({at}) => at === 'PASS').length} kept, ${failed} not kept, ${results.filter(({at}) => at === 'TESTS').length} seen by tests only`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await trial.stage.close();
}
