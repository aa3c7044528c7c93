import assert from 'node:assert/strict';
import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import type {Attack} from '../../../workspace/guard/attacks.ts';
import {openStage, type Stage} from './stage.ts';

/** What the person has, as it was: nothing of it may be another afterwards. */
type Belongings = Readonly<Record<string, string>>;

const places = [
  '.git/config',
  '.git/hooks/post-checkout',
  '.git/info/attributes',
  '.git/info/exclude',
  '.git/info/grafts',
  '.git/objects/info/alternates',
  '.git/HEAD',
  'source.txt',
  'readme.md',
  'planted',
  '../.bashrc',
  '../.gitconfig',
];

/**
 * An agent attacks in the middle of its attempt. Without a sandbox it is named, with the path, in what needs the person,
 * and nothing of it is merged; in one it achieves nothing.
 */
export async function playAttack(attack: Attack, sandbox: 'off' | 'required'): Promise<void> {
  const hasSibling = attack.script.includes('SIBLING') || attack.script.includes('r1-t2');
  const stage = openStage({
    project: `sandbox: ${sandbox}\n`,
    files: {'readme.md': 'hello\n', 'source.txt': 'same\n'},
    tasks: [
      {id: 't1', files: hasSibling ? ['t1.txt'] : ['**']},
      ...(hasSibling ? [{id: 't2', after: ['t1'], files: ['**']}] : []),
    ],
    acts: {[hasSibling ? 't2' : 't1']: act},
  });
  try {
    const proof = path.join(stage.home, 'ran');
    prepare(stage, attack, hasSibling, proof);
    const before = belongingsOf(stage);
    const {code, out} = await stage.objective('--approve');
    assert.equal(
      existsSync(proof),
      false,
      `something of the agent ran in our hands: ${existsSync(proof) ? readFileSync(proof, 'utf8') : ''}`,
    );
    if (sandbox === 'required') assertUntouched(stage, before);
    else if (attack.by !== 'nobody') assertNamed(stage, attack, hasSibling, {code, out});
    if (attack.by !== 'branches' || sandbox === 'required')
      assert.equal(mainOf(stage.root), before['main']);
  } finally {
    await stage.close();
  }
}

/** The second attempt is an honest one. What the agent itself runs does not count. */
const act = `PAYLOAD=$HOME/payload MAIN=$(cat "$HOME/main") SIBLING=$(cat "$HOME/sibling"); export PAYLOAD MAIN SIBLING
if ! grep -qi repair "$1"; then sh "$HOME/attack.sh" < /dev/null > /dev/null 2>&1; fi
rm -f "$HOME/ran" 2>/dev/null; echo done > "\${ORCHESTRA_OWNER##*.}.txt"; exit 0`;

function prepare(stage: Stage, {script}: Attack, hasSibling: boolean, proof: string): void {
  const files = {
    main: stage.root,
    sibling: stage.worktree('r1.t1'),
    'attack.sh': hasSibling ? swapped(script) : script,
    payload: `#!/bin/sh\necho "$0 $*" >> '${proof}'\ncat\n`,
  };
  for (const [name, text] of Object.entries(files))
    writeFileSync(path.join(stage.home, name), text);
  chmodSync(path.join(stage.home, 'payload'), 0o755);
  stage.git('branch', 'feature');
  stage.write('readme.md', 'an edit of the person\n');
}

function assertNamed(
  stage: Stage,
  {names}: Attack,
  hasSibling: boolean,
  {code, out}: {readonly code: number | null; readonly out: string},
): void {
  assert.equal(code, 3, out);
  const halts = [...stage.eventsOf('run-parked'), ...stage.eventsOf('trouble-met')];
  const named = halts
    .map(({why}) =>
      why.kind === 'tampering' ? why.paths.join('\n') : why.kind === 'effect' ? why.words : '',
    )
    .join('\n');
  const source = (names?.source ?? '')
    .replaceAll('project', 'repository')
    .replaceAll(/^\^|\$$/g, '');
  assert.match(named, new RegExp(hasSibling ? swapped(source) : source));
  const needs = stage.run('needs');
  assert.equal(needs.code, 3);
  assert.match(needs.out, /tamper|outside|changed/i);
  assert.deepEqual(
    stage.eventsOf('task-merged').map(({task}) => task),
    hasSibling ? ['r1.t1'] : [],
  );
}

function assertUntouched(stage: Stage, before: Belongings): void {
  assert.deepEqual(belongingsOf(stage), before);
  assert.deepEqual([stage.eventsOf('run-parked'), stage.eventsOf('trouble-met')], [[], []]);
}

function belongingsOf(stage: Stage): Belongings {
  const text = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : 'absent');
  return {
    main: mainOf(stage.root),
    feature: stage.git('rev-parse', 'feature'),
    replaced: stage.git('for-each-ref', 'refs/replace'),
    ...Object.fromEntries(places.map((file) => [file, text(path.join(stage.root, file))])),
  };
}

/** There the agent is r1.t1 and its sibling r1.t2; here the sibling was merged before. */
function swapped(text: string): string {
  return text.replaceAll(/r1-t[12]/g, (name) => (name === 'r1-t1' ? 'r1-t2' : 'r1-t1'));
}

/** Without git: its configuration may be the attack. */
function mainOf(root: string): string {
  const [loose, packed] = [
    path.join(root, '.git', 'refs', 'heads', 'main'),
    path.join(root, '.git', 'packed-refs'),
  ];
  if (existsSync(loose)) return readFileSync(loose, 'utf8').trim();
  return (
    /^(?<commit>[0-9a-f]{40}) refs\/heads\/main$/m.exec(
      existsSync(packed) ? readFileSync(packed, 'utf8') : '',
    )?.groups?.['commit'] ?? 'gone'
  );
}
