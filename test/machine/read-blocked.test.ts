import assert from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {type TestContext, test} from 'node:test';
import {
  type Blocked,
  findProgram,
  readBlocked,
  type Sample,
  signalProcess,
} from '../../source/machine/index.ts';
import {eventually} from '../support/eventually.ts';
import {temporaryDirectory} from './fixtures.ts';
import {corpus, type Specimen} from './support/corpus.ts';
import {kernel, processAt, takeSample} from './support/here.ts';
import {type Actor, createActor} from './support/stage.ts';
import {createYard} from './support/yard.ts';

type Subject = {
  readonly specimen: Specimen;
  readonly actor: Actor;
  readonly seen: Blocked[];
  /** The look that was as expected and settled it. */
  verdict?: Blocked;
};

/** A silence in which a wrong inference would have come. */
const longSilenceMs = 3500;

const isInstalled = (name: string): boolean =>
  findProgram(name, {path: process.env['PATH'] ?? ''}).file !== undefined;
const present = corpus.filter(({needs}) => needs.every(isInstalled));

test(`${present.length} real programs on real terminals: what is called proven is never wrong`, async (t) => {
  assert.deepEqual(
    ['bash', 'cat', 'node', 'sleep'].filter((name) => !isInstalled(name)),
    [],
    'without these there is nothing to show',
  );
  const subjects = await Promise.all(
    present.map((specimen, index) => createSubject(t, specimen, index)),
  );
  const samples: Sample[] = [];
  await eventually(
    'every program is seen as expected',
    async () => {
      const sample = await takeSample();
      samples.push(sample);
      const earlier = samples.findLast(({at}) => sample.at - at >= 1000);
      for (const subject of subjects.filter(({verdict}) => verdict === undefined))
        await look(subject, sample, earlier);
      return subjects.every(({verdict}) => verdict !== undefined);
    },
    120_000,
  ).catch((error: unknown) => {
    const missing = subjects
      .filter(({verdict}) => verdict === undefined)
      .map(({specimen, seen}) => ({...specimen, last: seen.at(-1)}));
    assert.fail(`${String(error)}\n${JSON.stringify(missing, undefined, 2)}`);
  });

  const wrong = subjects.flatMap(({specimen, seen}) =>
    seen
      .filter(({proof}) => proof === 'proven' && !specimen.proof.includes(proof))
      .map((blocked) => ({title: specimen.title, blocked})),
  );
  assert.deepEqual(wrong, []);
  const alarms = subjects.flatMap(({specimen, seen}) =>
    seen
      .filter(({verdict}) => verdict === 'blocked' && !specimen.expected.includes(verdict))
      .map((blocked) => ({title: specimen.title, blocked})),
  );
  assert.deepEqual(alarms, []);
  for (const {specimen, actor} of subjects) {
    if (specimen.answer === undefined) continue;
    actor.type(specimen.answer);
    await eventually(`${specimen.title} ends when it is answered`, () => actor.hasExited());
  }

  t.diagnostic(
    `${subjects.reduce((sum, {seen}) => sum + seen.length, 0)} looks, ${wrong.length} wrongly proven, ${alarms.length} false alarms`,
  );
  if (process.env['UPDATE_TABLE'] === '1')
    writeFileSync(
      path.join(import.meta.dirname, '../../docs/blocked-on-input.md'),
      documentOf(subjects),
    );
});

test('where system calls are not shown, as on macOS, a hidden answer is inferred and a plain one is unknown', async (t) => {
  const macos = {...kernel, platform: 'darwin'};
  for (const [script, expected] of [
    ['read -s x', ['blocked', 'inferred', true]],
    ['read x', ['unknown', 'none', false]],
  ] as const) {
    const {root} = await createActor(t, ['bash', '-c', script], {cwd: temporaryDirectory(t)});
    await eventually(
      'it reads',
      async () =>
        (await readBlocked({root: root.identity, sample: await takeSample()}, kernel)).proof ===
        'proven',
    );
    const {verdict, proof, secret} = await readBlocked(
      {root: root.identity, sample: await takeSample()},
      macos,
    );
    assert.deepEqual([verdict, proof, secret], expected);
  }
});

async function createSubject(t: TestContext, specimen: Specimen, index: number): Promise<Subject> {
  // First, so that all have ended when their directory goes.
  const cookie = createYard(t).cookie(`corpus-${index}`);
  const cwd = path.join(temporaryDirectory(t), 'here');
  mkdirSync(cwd);
  const actor = await createActor(t, specimen.argv, {cwd, cookie});
  if (specimen.types !== undefined) actor.type(specimen.types);
  if (specimen.isHeldUp === true) actor.holdUp();
  if (specimen.isStopped === true) {
    await eventually(
      `${specimen.title}: it is stopped`,
      async () => {
        await signalProcess({identity: actor.root.identity}, 'SIGSTOP', kernel);
        return (await processAt(actor.root.identity.pid))?.state === 'T';
      },
      120_000,
    );
  }

  return {specimen, actor, seen: []};
}

async function look(subject: Subject, sample: Sample, earlier: Sample | undefined): Promise<void> {
  const {specimen, actor, seen} = subject;
  const silentMs = actor.silentMs();
  const blocked = await readBlocked(
    {root: actor.root.identity, sample, earlier, silentMs, promptLine: actor.promptLine()},
    kernel,
  );
  seen.push(blocked);
  const isExpected =
    specimen.expected.includes(blocked.verdict) &&
    specimen.proof.includes(blocked.proof) &&
    blocked.secret === (specimen.secret ?? false);
  const isLongEnough =
    blocked.verdict === 'blocked' ||
    (earlier !== undefined && (specimen.isLoud === true || silentMs > longSilenceMs));
  if (isExpected && isLongEnough) subject.verdict = blocked;
}

function documentOf(subjects: readonly Subject[]): string {
  const rows = corpus.map((specimen) => {
    const verdict = subjects.find((subject) => subject.specimen === specimen)?.verdict;
    if (verdict === undefined) return `| ${cell(specimen.title)} | *absent here* | | | |`;
    const proofs = verdict.why.map(({text}) => text.replaceAll(/\/dev\/pts\/\d+/g, 'the terminal'));
    return `| ${cell(specimen.title)} | ${verdict.verdict} | ${verdict.proof === 'none' ? '' : verdict.proof} | ${verdict.secret ? 'yes' : ''} | ${cell(proofs.join(' · '))} |`;
  });
  return `${head}\n${rows.join('\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}

const head = `# Who waits for input

Written by \`UPDATE_TABLE=1 npm run unit -- test/machine/read-blocked.test.ts\`: every program below ran on a real terminal,
was looked at until the verdict had come, and where it is *blocked* was then answered, of which it had to end. *Proven* is
the kernel's word alone. *Inferred* adds what the screen shows, how long it has been silent, and that no processor was used.

| program | verdict | proof | secret | what was read |
|---|---|---|---|---|`;
