// Does one thing to a workspace, as a daemon does it, so that it can be killed on the way: `node
// call-runner.ts '{"home": …, "root": …, "call": …}'`.
import process from 'node:process';
import {ensureWorktree, prepareWorktrees, removeWorktree} from '../../../source/git/index.ts';
import type {Call} from './killed-call.ts';
import {reopen} from './repository.ts';

const {home, root, call} = JSON.parse(process.argv[2] ?? '{}') as {
  readonly home: string;
  readonly root: string;
  readonly call: Call;
};
const workspace = reopen(home, root);
process.stdout.write('go\n');
if (call.do === 'ensure') await ensureWorktree(workspace, call.options);
if (call.do === 'prepare') await prepareWorktrees(workspace, call.commands);
if (call.do === 'remove') await removeWorktree(workspace, call.options);
process.stdout.write('done\n');
