// Does one step, as a daemon does it, so that it can be killed on the way: `node --import tsx
// step-runner.ts '{"home": …, "root": …, "step": …}'`.
import process from 'node:process';
import {reopen} from './repository.ts';
import type {Step} from './killed-step.ts';
import {takeStep} from './take-step.ts';

const {home, root, step} = JSON.parse(process.argv[2] ?? '{}') as {
  readonly home: string;
  readonly root: string;
  readonly step: Step;
};
const workspace = reopen(home, root);
process.stdout.write('go\n');
process.stdout.write(`${JSON.stringify(await takeStep(workspace, step))}\n`);
