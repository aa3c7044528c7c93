// What the sandbox costs: from approval to eight workers, the capture of 20,000 files, `npm ci` in
// a second worker, the start of
// a check. All in the sandbox; run it in two checkouts to compare two versions.
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {execFileSync, spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {type LoopFixture, openStage} from '../../test/e2e/loop/support/loop-fixture.ts';
import {plainly, timeApproval} from './loop.ts';
import {getTable, median, show} from './sessions/figures.ts';

const workers = 8;
const rounds = Number(process.env['ORCHESTRA_ROUNDS'] ?? 3);
const files = 20_000;
const packages = ['yaml', 'zod', 'picomatch', 'commander', 'minisearch'];

type Row = readonly [what: string, ms: number, beside: number, note?: string];

export async function benchConfinement(): Promise<string> {
  const rows: Row[] = [];
  for (const bench of [approval, captured, checks, secondInstall])
    if ((process.env['ORCHESTRA_ONLY'] ?? bench.name).includes(bench.name))
      rows.push(await bench());
  return [
    `In the sandbox, ${rounds} rounds; load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0] ?? ''}.`,
    '',
    ...getTable(
      ['what', 'ms', 'beside (ms)', 'ratio', ''],
      rows.map(([what, ms, beside, note = '']) => [
        what,
        show(ms),
        show(beside),
        show(ms / beside),
        note,
      ]),
    ),
    '',
  ].join('\n');
}

/** Beside: eight processes in eight plain worktrees. */
async function approval(): Promise<Row> {
  const [ours, plain]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const tasks = Array.from({length: workers}, (_, index) => ({id: `t${index + 1}`}));
    await withStage(
      {
        tasks,
        files: getTree(2000),
        project: `sandbox: required\nlimits:\n  workers: ${workers}\n`,
        acts: Object.fromEntries(tasks.map(({id}) => [id, 'exec sleep 600'])),
      },
      async (fixture) => {
        plain.push(plainly(fixture, workers));
        ours.push(await timeApproval(fixture, workers));
      },
    );
  }

  return [
    `approval to ${workers} workers running`,
    median(ours),
    median(plain),
    'plain git worktree add and spawn',
  ];
}

/** From the end of the agent to the captured change; beside: `git add -A && git write-tree`. */
async function captured(): Promise<Row> {
  const [ours, plain]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    await withStage(
      {
        tasks: [{id: 't1', files: ['**']}],
        project: 'sandbox: required\n',
        acts: {
          t1: `mkdir many; i=0; while [ $i -lt ${files} ]; do echo $i > many/$i.txt; i=$((i + 1)); done; exit 0`,
        },
      },
      async (fixture) => {
        await fixture.objective('--approve');
        const records = getRecords(fixture);
        const attempt = records.find(
          ({type, data}) => type === 'session-asked' && data.purpose?.for === 'attempt',
        );
        const ended = getMoment(records, 'session-exited', attempt?.data.session);
        ours.push((records.find(({type}) => type === 'change-captured')?.at ?? Number.NaN) - ended);
        const copy = mkdtempSync(path.join(os.tmpdir(), 'orchestra-bench-'));
        execFileSync('cp', ['-r', path.join(fixture.worktree('r1.t1'), 'many'), copy]);
        execFileSync('git', ['init', '-q'], {cwd: copy});
        const begun = performance.now();
        execFileSync('sh', ['-c', 'git add -A && git write-tree'], {cwd: copy, stdio: 'ignore'});
        plain.push(performance.now() - begun);
        rmSync(copy, {recursive: true, force: true});
      },
    );
  }

  return [
    `capture of ${files} new files`,
    median(ours),
    median(plain),
    'git add -A && git write-tree',
  ];
}

/** From being asked to running, of each check of a run; beside: bubblewrap that starts a shell. */
async function checks(): Promise<Row> {
  const ours: number[] = [];
  const rules = `# 1. Validation\n${Array.from({length: 8}, (_, index) => `${index + 1}. Nothing is red. \`c${index}: true\``).join('\n')}\n`;
  for (let round = 0; round < rounds; round++) {
    await withStage(
      {tasks: [{id: 't1'}], project: 'sandbox: required\n', rules, files: getTree(2000)},
      async (fixture) => {
        await fixture.objective('--approve');
        const records = getRecords(fixture);
        for (const {type, at, data} of records) {
          if (type === 'session-asked' && data.purpose?.for === 'check')
            ours.push(getMoment(records, 'session-running', data.session) - at);
        }
      },
    );
  }

  const plain = Array.from({length: 11}, () => {
    const begun = performance.now();
    execFileSync('bwrap', ['--unshare-user', '--ro-bind', '/', '/', '--dev', '/dev', 'true']);
    return performance.now() - begun;
  });
  return [`start of a check (${ours.length} of them)`, median(ours), median(plain), 'bare bwrap'];
}

/**
 * `npm ci` in the setup of the second worker, from a registry on loopback that counts what is
 * fetched; beside: the same in a plain directory with a warm cache.
 */
async function secondInstall(): Promise<Row> {
  const place = mkdtempSync(path.join(os.tmpdir(), 'orchestra-bench-'));
  const served: string[] = [];
  const server = createServer((request, response) => {
    served.push(request.url ?? '');
    response.end(readFileSync(path.join(place, path.basename(request.url ?? ''))));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const manifest = pack(place, (server.address() as AddressInfo).port);
    let [first, second, fetchedFirst, fetchedSecond, plain] = [0, 0, 0, 0, 0];
    await withStage(
      {
        tasks: [{id: 't1'}, {id: 't2', after: ['t1']}],
        project: `sandbox: required\nsetup: ${JSON.stringify(`${process.execPath} ${getNpm()} ci --no-audit --no-fund --offline=false`)}\n`,
        files: {...manifest, '.gitignore': 'node_modules/\n.orchestra/knowledge/\n'},
      },
      async (fixture) => {
        mkdirSync(path.join(fixture.home, '.npm'), {recursive: true});
        await fixture.objective('--approve');
        const records = getRecords(fixture);
        const times = records
          .filter(({type, data}) => type === 'session-asked' && data.purpose?.for === 'setup')
          .map(
            ({data}) =>
              getMoment(records, 'session-exited', data.session) -
              getMoment(records, 'session-running', data.session),
          );
        [first, second] = [times[0] ?? Number.NaN, times[1] ?? Number.NaN];
        fetchedFirst = new Set(served).size;
        fetchedSecond = served.length - fetchedFirst;
        plain = await warmInstall(place, manifest);
      },
    );
    return [
      'npm ci in a second worker',
      second,
      plain,
      `the same with a warm cache of its own; first worker ${show(first)} ms; fetched by the first ${fetchedFirst}, by the second ${fetchedSecond}`,
    ];
  } finally {
    server.close();
    rmSync(place, {recursive: true, force: true});
  }
}

function getNpm(): string {
  return execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], {encoding: 'utf8'}).trim();
}

function pack(place: string, port: number): Readonly<Record<string, string>> {
  const root = path.join(import.meta.dirname, '..', '..', 'node_modules');
  const entries = packages.map((name) => {
    const {version} = JSON.parse(readFileSync(path.join(root, name, 'package.json'), 'utf8')) as {
      readonly version: string;
    };
    const file =
      execFileSync(
        'npm',
        [
          'pack',
          path.join(root, name),
          '--pack-destination',
          place,
          '--silent',
          '--ignore-scripts',
        ],
        {encoding: 'utf8', cwd: place},
      )
        .trim()
        .split('\n')
        .at(-1) ?? '';
    const integrity = `sha512-${createHash('sha512')
      .update(readFileSync(path.join(place, file)))
      .digest('base64')}`;
    return {name, version, resolved: `http://127.0.0.1:${port}/${file}`, integrity};
  });
  const dependencies = Object.fromEntries(entries.map(({name, version}) => [name, version]));
  const lock = {
    name: 'x',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': {name: 'x', version: '1.0.0', dependencies},
      ...Object.fromEntries(entries.map(({name, ...rest}) => [`node_modules/${name}`, rest])),
    },
  };
  return {
    'package.json': JSON.stringify({name: 'x', version: '1.0.0', dependencies}),
    'package-lock.json': JSON.stringify(lock),
  };
}

async function warmInstall(
  place: string,
  manifest: Readonly<Record<string, string>>,
): Promise<number> {
  const directory = path.join(place, 'warm');
  mkdirSync(directory);
  for (const [file, text] of Object.entries(manifest))
    writeFileSync(path.join(directory, file), text);
  const install = async (): Promise<void> => {
    await once(
      spawn(
        process.execPath,
        [getNpm(), 'ci', '--no-audit', '--no-fund', '--cache', path.join(place, 'cache')],
        {cwd: directory, stdio: 'ignore'},
      ),
      'exit',
    );
  };
  await install();
  rmSync(path.join(directory, 'node_modules'), {recursive: true});
  const begun = performance.now();
  await install();
  return performance.now() - begun;
}

async function withStage(
  options: Parameters<typeof openStage>[0],
  act: (fixture: LoopFixture) => Promise<void>,
): Promise<void> {
  const loopFixture = openStage(options);
  try {
    await act(loopFixture);
  } finally {
    await loopFixture.close();
  }
}

type JournalRecord = {
  readonly type: string;
  readonly at: number;
  readonly data: {readonly session?: string; readonly purpose?: {readonly for: string}};
};

/** With their moments, from the journal itself. */
function getRecords(fixture: LoopFixture): readonly JournalRecord[] {
  return readFileSync(path.join(fixture.current().stateDirectory, 'journal.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line.slice(0, line.lastIndexOf('\t'))) as JournalRecord);
}

function getMoment(
  records: readonly JournalRecord[],
  type: string,
  session: string | undefined,
): number {
  return (
    records.find((record) => record.type === type && record.data.session === session)?.at ??
    Number.NaN
  );
}

function getTree(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({length: count}, (_, index) => [`files/${index % 50}/${index}.txt`, `${index}\n`]),
  );
}
