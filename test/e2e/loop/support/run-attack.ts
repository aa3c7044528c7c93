import assert from 'node:assert/strict';
import path from 'node:path';
import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import type {Attack} from '../../../git/guard/attacks.ts';
import {type LoopFixture, openStage} from './loop-fixture.ts';

/** The person's files before the attack; none may change. */
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
 * An agent attacks during its attempt. Without a sandbox the need names the agent and the path, and
 * nothing is merged; with a sandbox the attack has no effect.
 */
export async function runAttack(attack: Attack, sandbox: 'off' | 'required'): Promise<void> {
  const hasSibling = attack.script.includes('SIBLING') || attack.script.includes('r1-t2');
  const fixture = openStage({
    project: `sandbox: ${sandbox}\n`,
    files: {'readme.md': 'hello\n', 'source.txt': 'same\n'},
    tasks: [
      {id: 't1', files: hasSibling ? ['t1.txt'] : ['**']},
      ...(hasSibling ? [{id: 't2', after: ['t1'], files: ['**']}] : []),
    ],
    acts: {[hasSibling ? 't2' : 't1']: act},
  });
  try {
    const proof = path.join(fixture.home, 'ran');
    prepare(fixture, attack, hasSibling, proof);
    const before = getBelongings(fixture);
    const {code, out} = await fixture.objective('--approve');
    assert.equal(
      existsSync(proof),
      false,
      `something of the agent ran in our hands: ${existsSync(proof) ? readFileSync(proof, 'utf8') : ''}`,
    );
    if (sandbox === 'required') assertUntouched(fixture, before);
    else if (attack.by !== 'nobody') assertNamed(fixture, attack, hasSibling, {code, out});
    if (attack.by !== 'branches' || sandbox === 'required')
      assert.equal(getMain(fixture.root), before['main']);
  } finally {
    await fixture.close();
  }
}

/** The second attempt is honest. Programs that the agent itself runs do not count. */
const act = `PAYLOAD=$HOME/payload MAIN=$(cat "$HOME/main") SIBLING=$(cat "$HOME/sibling"); export PAYLOAD MAIN SIBLING
if ! grep -qi repair "$1"; then sh "$HOME/attack.sh" < /dev/null > /dev/null 2>&1; fi
rm -f "$HOME/ran" 2>/dev/null; echo done > "\${ORCHESTRA_OWNER##*.}.txt"; exit 0`;

function prepare(fixture: LoopFixture, {script}: Attack, hasSibling: boolean, proof: string): void {
  const files = {
    main: fixture.root,
    sibling: fixture.worktree('r1.t1'),
    'attack.sh': hasSibling ? swapped(script) : script,
    payload: `#!/bin/sh\necho "$0 $*" >> '${proof}'\ncat\n`,
  };
  for (const [name, text] of Object.entries(files))
    writeFileSync(path.join(fixture.home, name), text);
  chmodSync(path.join(fixture.home, 'payload'), 0o755);
  fixture.git('branch', 'feature');
  fixture.write('readme.md', 'an edit of the person\n');
}

function assertNamed(
  fixture: LoopFixture,
  {names}: Attack,
  hasSibling: boolean,
  {code, out}: {readonly code: number | null; readonly out: string},
): void {
  assert.equal(code, 3, out);
  const halts = [...fixture.eventsOf('run-parked'), ...fixture.eventsOf('trouble-met')];
  const named = halts
    .map(({why}) => {
      if (why.kind === 'tampering') return why.paths.join('\n');
      return why.kind === 'effect' ? why.words : '';
    })
    .join('\n');
  const source = (names?.source ?? '')
    .replaceAll('project', 'repository')
    .replaceAll(/^\^|\$$/g, '');
  assert.match(named, new RegExp(hasSibling ? swapped(source) : source));
  const needs = fixture.run('needs');
  assert.equal(needs.code, 3);
  assert.match(needs.out, /tamper|outside|changed/i);
  assert.deepEqual(
    fixture.eventsOf('task-merged').map(({task}) => task),
    hasSibling ? ['r1.t1'] : [],
  );
}

function assertUntouched(fixture: LoopFixture, before: Belongings): void {
  assert.deepEqual(getBelongings(fixture), before);
  assert.deepEqual([fixture.eventsOf('run-parked'), fixture.eventsOf('trouble-met')], [[], []]);
}

function getBelongings(fixture: LoopFixture): Belongings {
  const text = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : 'absent');
  return {
    main: getMain(fixture.root),
    feature: fixture.git('rev-parse', 'feature'),
    replaced: fixture.git('for-each-ref', 'refs/replace'),
    ...Object.fromEntries(places.map((file) => [file, text(path.join(fixture.root, file))])),
  };
}

/**
 * In the attack scripts the agent is r1.t1 and its sibling r1.t2; here the sibling was merged
 * before.
 */
function swapped(text: string): string {
  return text.replaceAll(/r1-t[12]/g, (name) => (name === 'r1-t1' ? 'r1-t2' : 'r1-t1'));
}

/** Reads without git, since its configuration may be the attack. */
function getMain(root: string): string {
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
