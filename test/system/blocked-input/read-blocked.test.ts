import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync, writeFileSync} from 'node:fs';
import {type TestContext, test} from 'node:test';
import {
  type Blocked,
  findProgram,
  type ProcessSample,
  readBlocked,
  signalProcess,
} from '../../../source/system/index.ts';
import {eventually} from '../../support/eventually.ts';
import {temporaryDirectory} from '../fixtures.ts';
import {interactivePrograms, type InteractiveProgram} from '../support/interactive-programs.ts';
import {kernel, processAt, takeSample} from '../support/own-kernel.ts';
import {type TerminalProgram, startInTerminal} from '../support/terminal-program.ts';
import {createTestProcesses} from '../support/test-processes.ts';

type Subject = {
  readonly program: InteractiveProgram;
  readonly running: TerminalProgram;
  readonly seen: Blocked[];
  /** The look that was as expected and settled it. */
  verdict?: Blocked;
};

/** A silence in which a wrong inference would have come. */
const longSilenceMs = 3500;

const isInstalled = (name: string): boolean =>
  findProgram(name, {path: process.env['PATH'] ?? ''}).file !== undefined;
const present = interactivePrograms.filter(({needs}) => needs.every(isInstalled));

test(`${present.length} real programs on real terminals: what is called proven is never wrong`, async (t) => {
  assert.deepEqual(
    ['bash', 'cat', 'node', 'sleep'].filter((name) => !isInstalled(name)),
    [],
    'without these there is nothing to show',
  );
  const subjects = await Promise.all(
    present.map((program, index) => createSubject(t, program, index)),
  );
  const samples: ProcessSample[] = [];
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
      .map(({program, seen}) => ({...program, last: seen.at(-1)}));
    assert.fail(`${String(error)}\n${JSON.stringify(missing, undefined, 2)}`);
  });

  const wrong = subjects.flatMap(({program, seen}) =>
    seen
      .filter(({proof}) => proof === 'proven' && !program.proof.includes(proof))
      .map((blocked) => ({title: program.title, blocked})),
  );
  assert.deepEqual(wrong, []);
  const alarms = subjects.flatMap(({program, seen}) =>
    seen
      .filter(({verdict}) => verdict === 'blocked' && !program.expected.includes(verdict))
      .map((blocked) => ({title: program.title, blocked})),
  );
  assert.deepEqual(alarms, []);
  for (const {program, running} of subjects) {
    if (program.answer === undefined) continue;
    running.type(program.answer);
    await eventually(`${program.title} ends when it is answered`, () => running.hasExited());
  }

  t.diagnostic(
    `${subjects.reduce((sum, {seen}) => sum + seen.length, 0)} looks, ${wrong.length} wrongly proven, ${alarms.length} false alarms`,
  );
  if (process.env['UPDATE_TABLE'] === '1')
    writeFileSync(
      path.join(import.meta.dirname, '../../../docs/blocked-on-input.md'),
      getDocument(subjects),
    );
});

test('where system calls are not shown, as on macOS, a hidden answer is inferred and a plain one is unknown', async (t) => {
  const macos = {...kernel, platform: 'darwin'};
  for (const [script, expected] of [
    ['read -s x', ['blocked', 'inferred', true]],
    ['read x', ['unknown', 'none', false]],
  ] as const) {
    const {root} = await startInTerminal(t, ['bash', '-c', script], {cwd: temporaryDirectory(t)});
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

async function createSubject(
  t: TestContext,
  program: InteractiveProgram,
  index: number,
): Promise<Subject> {
  // First, so that all have ended when their directory goes.
  const cookie = createTestProcesses(t).cookie(`interactivePrograms-${index}`);
  const cwd = path.join(temporaryDirectory(t), 'here');
  mkdirSync(cwd);
  const running = await startInTerminal(t, program.argv, {cwd, cookie});
  if (program.types !== undefined) running.type(program.types);
  if (program.isHeldUp === true) running.holdUp();
  if (program.isStopped === true) {
    await eventually(
      `${program.title}: it is stopped`,
      async () => {
        await signalProcess({identity: running.root.identity}, 'SIGSTOP', kernel);
        return (await processAt(running.root.identity.pid))?.state === 'T';
      },
      120_000,
    );
  }

  return {program, running, seen: []};
}

async function look(
  subject: Subject,
  sample: ProcessSample,
  earlier: ProcessSample | undefined,
): Promise<void> {
  const {program, running, seen} = subject;
  const silentMs = running.silentMs();
  const blocked = await readBlocked(
    {root: running.root.identity, sample, earlier, silentMs, promptLine: running.promptLine()},
    kernel,
  );
  seen.push(blocked);
  const isExpected =
    program.expected.includes(blocked.verdict) &&
    program.proof.includes(blocked.proof) &&
    blocked.secret === (program.secret ?? false);
  const isLongEnough =
    blocked.verdict === 'blocked' ||
    (earlier !== undefined && (program.isLoud === true || silentMs > longSilenceMs));
  if (isExpected && isLongEnough) subject.verdict = blocked;
}

function getDocument(subjects: readonly Subject[]): string {
  const rows = interactivePrograms.map((program) => {
    const verdict = subjects.find((subject) => subject.program === program)?.verdict;
    if (verdict === undefined) return `| ${cell(program.title)} | *absent here* | | | |`;
    const proofs = verdict.why.map(({text}) => text.replaceAll(/\/dev\/pts\/\d+/g, 'the terminal'));
    return `| ${cell(program.title)} | ${verdict.verdict} | ${verdict.proof === 'none' ? '' : verdict.proof} | ${verdict.secret ? 'yes' : ''} | ${cell(proofs.join(' · '))} |`;
  });
  return `${head}\n${rows.join('\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}

const head = `# Which programs wait for input

\`UPDATE_TABLE=1 npm run unit -- test/system/blocked-input/read-blocked.test.ts\` writes this page. The test runs every program below in a real terminal and samples it until there is a verdict. It then answers each program that is *blocked*, and requires that the program exits.

- *Proven*: the kernel alone shows that the program reads from its terminal.
- *Inferred*: the verdict also relies on the screen, on how long the program was silent, and on the fact that it used no CPU time.

| program | verdict | proof | secret | what was read |
|---|---|---|---|---|`;
