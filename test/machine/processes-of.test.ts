import assert from 'node:assert/strict';
import {test} from 'node:test';
import {processesOf, signalProcess, type Tree, type TreeQuestion} from '../../source/machine/index.ts';
import {eventually} from '../support/eventually.ts';
import {temporaryDirectory} from './fixtures.ts';
import {isAlive, kernel, processAt} from './support/here.ts';
import {plantedBoot, type PlantedProcess, plantProc} from './support/planted.ts';
import {createActor} from './support/stage.ts';
import {createYard, type Yard} from './support/yard.ts';

async function treeOf(question: TreeQuestion): Promise<Tree> {
  const tree = await processesOf(question, kernel);
  if ('unknown' in tree) throw new Error(tree.unknown);
  return tree.value;
}

/** command → how it was found, or why it is suspected. */
function summaryOf({members, unproven}: Tree): Record<string, string> {
  const found = members.map(({command, found}) => [command, found] as const);
  const suspected = unproven.map(({process: {name}, because}) => [`? ${name}`, because] as const);
  return Object.fromEntries([...found, ...suspected].filter(([command]) => command.includes('sleep')));
}

const sleepers = [
  'sleep 1001 &',
  'setsid sleep 1002 &',
  'nohup setsid sleep 1003 >/dev/null 2>&1 &',
  '(setsid bash -c "sleep 1004 & disown" &)',
  'env -i sleep 1005 &',
  'env -i setsid sleep 1006 &',
  '(env -i sleep 1007 &)',
  'ORCH_SESSION=of-another sleep 1008 &',
];

/** Ends what no cookie leads to, by the links that it still has. */
async function endSleepers(tree: Tree): Promise<void> {
  for (const {identity} of tree.members) await signalProcess({identity}, 'SIGKILL', kernel);
  for (const {process: {identity}} of tree.unproven) await signalProcess({identity}, 'SIGKILL', kernel);
}

async function startSleepers(yard: Yard, cookie: string, cwd: string, more: readonly string[] = []) {
  const started = await yard.start(['bash', '-c', [...sleepers, ...more, 'wait'].join('\n')], {cookie, cwd, isLeader: true});
  yard.cookie('of-another');
  return started;
}

test('every process of a session is found, with the proof: also those that left it by setsid, nohup or a double fork', async (t) => {
  const [yard, cwd] = [createYard(t), temporaryDirectory(t)];
  const cookie = yard.cookie('tree');
  const {process: root} = await startSleepers(yard, cookie, cwd);
  const question = {cookie, root: root.identity};
  const tree = await eventually('all have started', async () => {
    const now = await treeOf(question);
    return Object.keys(summaryOf(now)).length >= 7 && now;
  });
  t.after(() => endSleepers(tree));
  assert.deepEqual(summaryOf(tree), {
    'sleep 1001': 'cookie',
    'sleep 1002': 'cookie',
    'sleep 1003': 'cookie',
    'sleep 1004': 'cookie',
    'sleep 1005': 'descendant',
    'sleep 1006': 'descendant',
    'sleep 1007': 'process-session',
  });
});
