// `npm run bench [app|confinement|core|journal|launcher|sessions|sharing|worktrees|loop …]`: speeds
// as ratios to a named peer in the same run. Never a test: machines are noisy. `app` also takes
// `--before DIR`, a built checkout of an older version. docs/bench.md says how to read it.
import process from 'node:process';
import {parseArgs} from 'node:util';
import {benchApp} from './bench/app.ts';
import {benchConfinement} from './bench/confinement.ts';
import {benchCore} from './bench/core.ts';
import {benchJournal} from './bench/journal.ts';
import {benchLauncher} from './bench/launcher.ts';
import {benchLoop} from './bench/loop.ts';
import {benchSessions} from './bench/sessions.ts';
import {benchSharing} from './bench/sharing.ts';
import {benchWorktrees} from './bench/worktrees.ts';

const {positionals: asked, values} = parseArgs({
  allowPositionals: true,
  options: {before: {type: 'string'}},
});
const benches: Readonly<Record<string, () => Promise<string> | string>> = {
  app: () => benchApp(values),
  confinement: benchConfinement,
  core: benchCore,
  journal: benchJournal,
  launcher: benchLauncher,
  sessions: benchSessions,
  sharing: benchSharing,
  loop: benchLoop,
  worktrees: benchWorktrees,
};
const unknown = asked.find((name) => !Object.hasOwn(benches, name));
if (unknown !== undefined)
  throw new Error(`there is no bench "${unknown}"; there are ${Object.keys(benches).join(', ')}`);

for (const name of asked.length === 0 ? Object.keys(benches) : asked) {
  process.stdout.write(`\n## ${name}\n\n`);
  process.stdout.write(await benches[name]!());
}
