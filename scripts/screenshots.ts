// `npm run screenshots`: runs the demo in the app and writes pictures into docs/pictures. Builds
// first; ORCHESTRA_DIST names another build.
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {rowText} from '../source/terminal/index.ts';
import {drawSvg} from './screenshots/draw-svg.ts';
import {type DemoScreen, openDemo} from './screenshots/open-demo.ts';

const root = path.join(import.meta.dirname, '..');
const launcher = path.join(
  path.resolve(process.env['ORCHESTRA_DIST'] ?? path.join(root, 'dist')),
  'orchestra.js',
);
const pictures = path.join(root, 'docs', 'pictures');
const size = {columns: 100, rows: 28};

/** A playbook that fails twice: the repair does not help, so the task stops and explains. */
const wrongTwice = `plan:
  problem: Customers complain about half a cent.
  rootCause: Totals are rounded to the nearest cent.
  assumptions: [Prices are whole cents.]
  invariants: [test/total.test.js stays as it is and passes.]
  risks: [A test may say otherwise.]
  rejected: [{alternative: Round every line of the receipt., reason: The errors add up.}]
  tasks:
    - {id: t1, title: Round totals down, brief: Half a cent is the customer's., files: [src/total.js], after: []}
  validation: []
tasks:
  t1:
    - print: Reading src/total.js
    - replace: {path: src/total.js, find: Math.round, with: Math.floor}
repairs:
  t1:
    - print: Less is more
    - replace: {path: src/total.js, find: Math.floor, with: Math.trunc}
`;

mkdirSync(pictures, {recursive: true});
const demo = openDemo(launcher, size);
try {
  await demo.shows(/You are back\.[^]*the plan of r1 waits for your approval/);
  take(demo, 'brief', 'The brief: what needs you, what runs, what happened');
  demo.press('p');
  await demo.shows(/Plan of r1[^]*The planner changed nothing/);
  take(demo, 'plan', 'The plan, to be approved, edited, commented or rejected');
  await demo.pressUntil('A', /at work, \d of 4/);
  await demo.shows(/t1 .*\n +the agent|t1 .*\n +check/);
  await demo.shows(/1 needs you {2}r1\.t2 asks: Which sign/);
  demo.press('w');
  await demo.shows(/r1 Charge/);
  await demo.pressUntil('j', /^▸. t2 /m);
  await demo.shows(/▸.*t2 Write prices[^]*1\) EUR[^]*Which sign shall stand behind a price\?/);
  take(demo, 'panes', 'Workers in their panes; one of them asks');
  demo.press('n');
  await demo.shows(
    /A question from r1\.t2[^]*Enter write[^]*1\) EUR|A question from r1\.t2[^]*1\) EUR/,
  );
  take(demo, 'question', 'A question, with the pane that asks it');
  demo.press('\r');
  await demo.shows(/Answer:/);
  demo.press('EUR\r');
  await demo.shows(/r1 is done and validated/);
  demo.press('t');
  await demo.shows(/attempt 1 is red[^]*r1\.t4 is (?:green|merged)/);
  take(demo, 'timeline', 'The timeline, with the one retry');
  demo.resize(140, size.rows);
  demo.press('r');
  await demo.shows(/5 files[^]*README\.md/);
  await demo.pressUntil(']', /▸. src\/format\.js/);
  take(demo, 'review', 'The review: files, the diff side by side, and what was proven');
  await demo.pressUntil('A', /Bring r1 into main\?/);
  await demo.pressUntil('y', /1 run is over/);
  demo.resize(size.columns, size.rows);
  demo.start('Round down in favour of the customer', wrongTwice);
  await demo.shows(/the plan of r2 waits for your approval/);
  demo.press('n');
  await demo.shows(/A plan to approve/);
  demo.press('\r');
  await demo.shows(/Plan of r2/);
  await demo.pressUntil('A', /at work, \d of 1/);
  await demo.shows(/r2\.t1 stopped: TEST_FAILURE/);
  demo.press('n');
  await demo.shows(/Three ways on[^]*What test said first[^]*What was tried/);
  take(
    demo,
    'stopped',
    'A task that failed twice stopped: what failed first, what was tried, and three ways on',
  );
} finally {
  await demo.close();
}

/** Saves the screen as a picture. Throws if it shows anything of this machine. */
function take({cells}: DemoScreen, name: string, title: string): void {
  const shown = cells();
  const text = Array.from({length: shown.rows}, (_, row) => rowText(shown, row)).join('\n');
  const leak = [os.tmpdir(), os.homedir(), os.hostname(), 'orchestra-pictures-'].find(
    (secret) => secret.length > 1 && text.includes(secret),
  );
  if (leak !== undefined)
    throw new Error(
      `expected a picture without names of this machine, got ${JSON.stringify(leak)} on ${name}:\n${text}`,
    );
  const svg = drawSvg(shown, title);
  writeFileSync(path.join(pictures, `${name}.svg`), svg);
  process.stdout.write(`docs/pictures/${name}.svg  ${(svg.length / 1024).toFixed(1)} kB\n`);
}
