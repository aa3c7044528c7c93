import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {
  buildDoctorReport,
  type DoctorFacts,
  type Finding,
  formatDoctorJson,
  formatDoctorReport,
} from '../../../source/reports/index.ts';

const missing = {at: 'missing', ignored: []} as const;
const local = {name: 'local', isNetwork: 'no'} as const;

/** A machine on which nothing is wrong. */
const healthy: DoctorFacts = {
  node: {version: '24.21.0', file: '/usr/bin/node'},
  system: {platform: 'linux', arch: 'x64', kernel: '6.18.44'},
  git: {at: 'works', file: '/usr/bin/git', version: '2.39.5'},
  repository: {
    at: 'repository',
    commonDirectory: '/code/app/.git',
    topLevel: '/code/app',
    isBare: false,
    isShallow: false,
    hasCommit: true,
    hasSubmodules: false,
  },
  terminal: {
    isTerminal: true,
    columns: 120,
    rows: 40,
    term: 'xterm-256color',
    locale: 'en_US.UTF-8',
    colour: 'full',
    inside: ['tmux', 'ssh'],
  },
  state: {path: '/h/ada/.local/state/orchestra', exists: true, fileSystem: local},
  runtime: {path: '/run/user/1000/orchestra', exists: false, fileSystem: local, tooLong: []},
  disks: [
    {path: '/code', free: 80e9, total: 250e9},
    {path: '/h/ada', free: 90e9, total: 100e9},
  ],
  agents: [
    {
      name: 'claude',
      npmPackage: '@anthropic-ai/claude-code',
      at: 'works',
      file: '/usr/local/bin/claude',
      version: '2.1.325',
    },
    {name: 'codex', npmPackage: '@openai/codex', ...missing},
  ],
  defaultAgent: 'claude',
  sandbox: {
    at: 'works',
    name: 'bubblewrap',
    file: '/usr/bin/bwrap',
    isVerified: true,
    network: {at: 'works'},
  },
  approval: {file: '/usr/bin/ss'},
  logout: {hasSystemd: true, killsProcesses: false, lingers: false},
  gh: {at: 'works', file: '/usr/bin/gh', version: '2.62.0'},
};

function getFinding(name: string, change: Partial<DoctorFacts>): Finding {
  const found = buildDoctorReport({...healthy, ...change}).findings.find(
    (finding) => finding.name === name,
  );
  assert.ok(found, `there is a finding called ${name}`);
  return found;
}

test('a healthy machine is reported in a fixed order, one finding a line', () => {
  assert.equal(
    formatDoctorReport(buildDoctorReport(healthy)),
    `\
ok       node       24.21.0 (/usr/bin/node)
ok       platform   Linux 6.18.44 (x64)
ok       git        2.39.5 (/usr/bin/git)
ok       repository /code/app
ok       terminal   xterm-256color, 120x40, true colour, inside tmux, inside ssh
ok       state      /h/ada/.local/state/orchestra (private)
ok       runtime    /run/user/1000/orchestra (new)
ok       disk       80.0 GB free of 250.0 GB (at /code)
ok       agents     claude 2.1.325 (/usr/local/bin/claude), the default
                    not found: codex
ok       sandbox    bubblewrap (/usr/bin/bwrap)
ok       approval   the kernel shows which process sends a request (/usr/bin/ss)
ok       network    all (the default): agents and checks can reach every host
                    that you can, and every service on this machine
                    "network:" under "sandbox:" in .orchestra/project.yaml
                    restricts it
ok       logout     sessions keep running after logout (KillUserProcesses=no)
ok       gh         2.62.0 (/usr/bin/gh)

Everything is fine.
`,
  );
});

test('warnings leave it ok, an error does not, and the last line counts both', () => {
  const warned = buildDoctorReport({...healthy, sandbox: {at: 'none'}});
  assert.equal(warned.ok, true);
  assert.match(formatDoctorReport(warned), /\n\nNo errors, 1 warning: orchestra works here\.\n$/);
  const broken = buildDoctorReport({...healthy, sandbox: {at: 'none'}, git: missing, disks: []});
  assert.equal(broken.ok, false);
  assert.match(
    formatDoctorReport(broken),
    /\n\n1 error and 2 warnings: orchestra does not work here until the errors are gone\.\n$/,
  );
  assert.match(
    formatDoctorReport(buildDoctorReport({...healthy, git: missing})),
    /\n\n1 error: orchestra/,
  );
});

const state = healthy.state;
const runtime = healthy.runtime;
const checkout = {
  at: 'repository',
  commonDirectory: '/code/app/.git',
  topLevel: '/code/app',
  isBare: false,
  isShallow: false,
  hasCommit: true,
  hasSubmodules: false,
} as const;
const silent = {at: 'silent', file: '/x/git', why: {at: 'timed-out', timeoutMs: 2500}} as const;
const [claude, codex] = healthy.agents as [
  DoctorFacts['agents'][number],
  DoctorFacts['agents'][number],
];
const journal = {
  at: 'read',
  path: '/s/app-1',
  records: 3,
  ending: 'clean',
  said: '',
  blobs: 2,
  damagedBlobs: [],
} as const;
const bwrap = {name: 'bubblewrap', file: '/usr/bin/bwrap'};

describe('each finding:', () => {
  const cases: readonly [
    title: string,
    name: string,
    change: Partial<DoctorFacts>,
    level: Finding['level'],
    text: RegExp,
    advice?: RegExp,
  ][] = [
    [
      'Node is too old',
      'node',
      {node: {version: '22.11.0', file: '/n'}},
      'error',
      /^22\.11\.0 \(\/n\) is too old$/,
      /22\.12 or newer/,
    ],
    [
      'Node is just new enough',
      'node',
      {node: {version: '22.12.0', file: '/n'}},
      'ok',
      /^22\.12\.0/,
    ],
    [
      'macOS',
      'platform',
      {system: {platform: 'darwin', arch: 'arm64', kernel: '25.1.0'}},
      'ok',
      /^macOS \(Darwin 25\.1\.0, arm64\)/,
    ],
    [
      'WSL 2',
      'platform',
      {system: {platform: 'linux', arch: 'x64', kernel: '5.15', wsl: 2}},
      'ok',
      /^WSL 2 \(Linux 5\.15, x64\)$/,
    ],
    [
      'WSL 1',
      'platform',
      {system: {platform: 'linux', arch: 'x64', kernel: '4.4', wsl: 1}},
      'warning',
      /^WSL 1/,
      /WSL 2/,
    ],
    [
      'Windows',
      'platform',
      {system: {platform: 'win32', arch: 'x64', kernel: '10'}},
      'error',
      /^Windows 10/,
      /WSL 2/,
    ],
    [
      'an untried platform',
      'platform',
      {system: {platform: 'freebsd', arch: 'x64', kernel: '14'}},
      'warning',
      /never tried/,
      /Linux and macOS/,
    ],
    ['no git', 'git', {git: missing}, 'error', /^not found$/, /2\.38 or newer/],
    [
      'git only inside the repository',
      'git',
      {git: {at: 'missing', ignored: ['/code/app/git']}},
      'error',
      /outside this repository \(\/code\/app\/git is ignored\)/,
      /2\.38/,
    ],
    [
      'an old git',
      'git',
      {git: {at: 'works', file: '/g', version: '2.37.9'}},
      'error',
      /^2\.37\.9 \(\/g\) is too old/,
      /2\.38/,
    ],
    [
      'git of the next decade',
      'git',
      {git: {at: 'works', file: '/g', version: '3.0.0'}},
      'ok',
      /^3\.0\.0/,
    ],
    [
      'a git that hangs',
      'git',
      {git: silent},
      'warning',
      /^\/x\/git did not print its version within 2\.5 s$/,
      /\/x\/git --version/,
    ],
    ['outside a repository', 'repository', {repository: {at: 'none'}}, 'ok', /^none here/],
    [
      'a repository that nobody can look at',
      'repository',
      {git: missing, repository: {at: 'unknown', said: 'no git'}},
      'ok',
      /^unknown without git$/,
    ],
    [
      'git refuses the repository',
      'repository',
      {repository: {at: 'unknown', said: 'fatal: dubious'}},
      'warning',
      /^unknown: fatal: dubious$/,
      /git status/,
    ],
    [
      'a bare repository',
      'repository',
      {
        repository: {
          at: 'repository',
          commonDirectory: '/code/app.git',
          isBare: true,
          isShallow: false,
          hasCommit: true,
          hasSubmodules: false,
        },
      },
      'warning',
      /^\/code\/app\.git \(bare\)$/,
      /checkout/,
    ],
    [
      'no commit, shallow, submodules',
      'repository',
      {repository: {...checkout, hasCommit: false, isShallow: true, hasSubmodules: true}},
      'warning',
      /\(no commit yet, shallow clone, submodules\)$/,
      /first commit.*\n.*unshallow\n.*submodule update/,
    ],
    [
      'a project file that is right',
      'project',
      {project: {file: '/code/app/.orchestra/project.yaml', problems: []}},
      'ok',
      /^\/code\/app\/\.orchestra\/project\.yaml$/,
    ],
    [
      'a project file that is not',
      'project',
      {
        project: {
          file: '/p.yaml',
          problems: [
            {line: 3, text: 'expected a list\u001B[2J'},
            ...Array.from({length: 6}, () => ({line: 9, text: 'x'})),
          ],
        },
      },
      'warning',
      /^\/p\.yaml: what is not understood is ignored\nline 3: expected a list[^\u001B]*\n[^]*\nand 2 more$/,
      /project-file\.md/,
    ],
    [
      'no terminal',
      'terminal',
      {terminal: {...healthy.terminal, isTerminal: false, term: '', locale: ''}},
      'ok',
      /^none/,
    ],
    [
      'a terminal that only prints',
      'terminal',
      {terminal: {...healthy.terminal, term: 'dumb'}},
      'warning',
      /^dumb, .*the app cannot draw on it/,
      /TERM/,
    ],
    [
      'TERM not set',
      'terminal',
      {terminal: {...healthy.terminal, term: ''}},
      'warning',
      /^TERM not set, /,
      /TERM/,
    ],
    [
      'smaller than recommended',
      'terminal',
      {terminal: {...healthy.terminal, columns: 40, rows: 12}},
      'ok',
      /40x12 \(80x24 is better\)/,
    ],
    [
      'too small',
      'terminal',
      {terminal: {...healthy.terminal, columns: 39, rows: 12}},
      'warning',
      /too small for the app/,
      /40x12/,
    ],
    [
      'a terminal without a size',
      'terminal',
      {terminal: {isTerminal: true, term: 'xterm', locale: 'C.UTF-8', colour: 'basic', inside: []}},
      'warning',
      /0x0.*too small/,
      /40x12/,
    ],
    [
      'no colour wanted',
      'terminal',
      {terminal: {...healthy.terminal, colour: 'none'}},
      'ok',
      /no colour \(NO_COLOR\)/,
    ],
    [
      'a locale without UTF-8',
      'terminal',
      {terminal: {...healthy.terminal, locale: 'POSIX'}},
      'warning',
      /the locale is POSIX, not UTF-8/,
      /LANG=C\.UTF-8/,
    ],
    [
      'no locale',
      'terminal',
      {terminal: {...healthy.terminal, locale: ''}},
      'warning',
      /the locale is not set/,
      /LANG=C\.UTF-8/,
    ],
    [
      'a locale written utf8',
      'terminal',
      {terminal: {...healthy.terminal, locale: 'de_DE.utf8'}},
      'ok',
      /^xterm/,
    ],
    [
      'a state directory that is refused',
      'state',
      {state: {...state, refusal: {got: 'mode 0777', advice: 'Close it.'}}},
      'error',
      /expected a private directory of your own, got mode 0777$/,
      /^Close it\.\nOr set XDG_STATE_HOME /,
    ],
    [
      'state on a network file system',
      'state',
      {state: {...state, fileSystem: {name: 'nfs', isNetwork: 'yes'}}},
      'warning',
      /is on nfs: locks/,
      /local disk/,
    ],
    [
      'state on fuse',
      'state',
      {state: {...state, fileSystem: {name: 'fuse', isNetwork: 'maybe'}}},
      'warning',
      /is on fuse: locks/,
      /local disk/,
    ],
    [
      'state on what is unknown',
      'state',
      {state: {...state, fileSystem: {name: 'unknown', isNetwork: 'unknown'}}},
      'ok',
      /\(private\)$/,
    ],
    [
      'a runtime directory that is refused',
      'runtime',
      {runtime: {...runtime, refusal: {got: 'a link', advice: 'Remove it.'}, tooLong: ['/long']}},
      'error',
      /got a link$/,
      /^Remove it\.\nOr set XDG_RUNTIME_DIR /,
    ],
    [
      'a runtime directory too long for sockets',
      'runtime',
      {runtime: {...runtime, tooLong: ['/very/long']}},
      'warning',
      /^\/run\/user\/1000\/orchestra, because this path is too long for sockets:\n\/very\/long$/,
      /XDG_RUNTIME_DIR/,
    ],
    [
      'a disk that is almost full',
      'disk',
      {disks: [healthy.disks[0]!, {path: '/h', free: 0.9e9, total: 10e9}]},
      'error',
      /^0\.9 GB free of 10\.0 GB \(at \/h\)$/,
      /below 1 GB/,
    ],
    [
      'a disk that gets full',
      'disk',
      {disks: [{path: '/h', free: 4.9e9, total: 10e9}]},
      'warning',
      /^4\.9 GB/,
      /worktree/,
    ],
    ['a disk that is unknown', 'disk', {disks: []}, 'warning', /^unknown/, /df -h/],
    [
      'no agent',
      'agents',
      {agents: [{...claude, ...missing}, codex], defaultAgent: 'playbook'},
      'warning',
      /^not found: claude, codex\nonly the built-in playbook/,
      /npm install --global @anthropic-ai\/claude-code$/,
    ],
    [
      'an agent that hangs',
      'agents',
      {
        agents: [
          claude,
          {
            name: 'codex',
            npmPackage: 'c',
            at: 'silent',
            file: '/c',
            why: {at: 'timed-out', timeoutMs: 2500},
          },
        ],
      },
      'warning',
      /^claude .*default\ncodex: \/c did not print its version within 2\.5 s$/,
      /\/c --version/,
    ],
    [
      'an agent that fails',
      'agents',
      {
        agents: [
          {
            name: 'codex',
            npmPackage: 'c',
            at: 'silent',
            file: '/c',
            why: {at: 'failed', how: 'SIGILL'},
          },
        ],
        defaultAgent: 'codex',
      },
      'warning',
      /^codex: \/c did not print its version: SIGILL, the default$/,
      /--version/,
    ],
    [
      'another program of that name',
      'agents',
      {
        agents: [
          {
            name: 'pi',
            npmPackage: 'p',
            at: 'silent',
            file: '/pi',
            why: {at: 'unreadable', said: '3.14'},
          },
        ],
      },
      'warning',
      /printed no version, but: 3\.14$/,
      /--version/,
    ],
    [
      'a mute program',
      'agents',
      {
        agents: [
          {
            name: 'pi',
            npmPackage: 'p',
            at: 'silent',
            file: '/pi',
            why: {at: 'unreadable', said: ''},
          },
        ],
      },
      'warning',
      /\/pi printed no version$/,
      /--version/,
    ],
    [
      'an agent that the repository brought along',
      'agents',
      {agents: [claude, {...codex, at: 'missing', ignored: ['/code/app/codex']}]},
      'ok',
      /\ncodex: \/code\/app\/codex is ignored because it is inside this repository\nnot found: codex$/,
    ],
    [
      'no sandbox for the platform',
      'sandbox',
      {sandbox: {at: 'none'}},
      'warning',
      /^none for this platform\nagents can read/,
      /container/,
    ],
    [
      'the sandbox is not installed',
      'sandbox',
      {sandbox: {at: 'missing', name: 'bubblewrap', installation: 'the package bubblewrap'}},
      'warning',
      /^none: bubblewrap is not installed\nagents can read/,
      /^Install the package bubblewrap\.$/,
    ],
    [
      'user namespaces are off',
      'sandbox',
      {sandbox: {at: 'broken', ...bwrap, why: 'user-namespaces-off', said: 'bwrap: no'}},
      'warning',
      /does not work here: user namespaces are switched off\nit printed: bwrap: no\n/,
      /sysctl/,
    ],
    [
      'AppArmor is in the way',
      'sandbox',
      {sandbox: {at: 'broken', ...bwrap, why: 'apparmor', said: 'x'}},
      'warning',
      /AppArmor/,
      /profile/,
    ],
    [
      'a container is in the way',
      'sandbox',
      {sandbox: {at: 'broken', ...bwrap, why: 'container', said: 'x'}},
      'warning',
      /container/,
      /container/,
    ],
    [
      'something is in the way',
      'sandbox',
      {sandbox: {at: 'broken', ...bwrap, why: 'unknown', said: 'x'}},
      'warning',
      /it printed: x\n/,
      /Its output above says why/,
    ],
    [
      'a sandbox that nobody verified',
      'sandbox',
      {sandbox: {at: 'works', name: 'sandbox-exec', file: '/s', isVerified: false}},
      'ok',
      /not tested with it$/,
    ],
    [
      'logout kills',
      'logout',
      {logout: {hasSystemd: true, killsProcesses: true, lingers: false}},
      'warning',
      /KillUserProcesses=yes/,
      /loginctl enable-linger/,
    ],
    [
      'logout kills, lingering unknown',
      'logout',
      {logout: {hasSystemd: true, killsProcesses: true}},
      'warning',
      /KillUserProcesses=yes/,
      /enable-linger/,
    ],
    [
      'logout kills, but lingering is on',
      'logout',
      {logout: {hasSystemd: true, killsProcesses: true, lingers: true}},
      'ok',
      /lingering is on/,
    ],
    [
      'systemd does not say',
      'logout',
      {logout: {hasSystemd: true}},
      'warning',
      /^unknown/,
      /logind\.conf/,
    ],
    [
      'no systemd',
      'logout',
      {logout: {hasSystemd: false}},
      'ok',
      /^no systemd: sessions run until the machine or container stops$/,
    ],
    [
      'macOS does not say',
      'logout',
      {logout: {hasSystemd: false}, system: {platform: 'darwin', arch: 'arm64', kernel: '25'}},
      'ok',
      /^unknown/,
    ],
    ['no gh', 'gh', {gh: missing}, 'ok', /^not found; only needed for pull requests$/],
    [
      'a gh that hangs',
      'gh',
      {gh: {...silent, file: '/gh'}},
      'warning',
      /^\/gh did not print/,
      /Only needed for pull requests/,
    ],
    ['no journal', 'journal', {journals: []}, 'ok', /^none yet$/],
    ['a sound journal', 'journal', {journals: [journal]}, 'ok', /^\/s\/app-1\n3 records, 2 blobs$/],
    [
      'a torn journal',
      'journal',
      {journals: [{...journal, ending: 'torn', said: 'Cut off.'}]},
      'warning',
      /2 blobs\nCut off\.$/,
      /Nothing to do/,
    ],
    [
      'a damaged journal',
      'journal',
      {journals: [{...journal, ending: 'damaged', said: 'Line 2.'}]},
      'error',
      /Line 2\.$/,
      /read-only/,
    ],
    [
      'a journal of a newer version',
      'journal',
      {journals: [{...journal, ending: 'newer-version', said: 'Newer.'}]},
      'error',
      /Newer\.$/,
      /read-only/,
    ],
    [
      'a damaged blob',
      'journal',
      {journals: [{...journal, damagedBlobs: ['ab12']}]},
      'error',
      /damaged blob: ab12$/,
      /read-only/,
    ],
    [
      'a journal that cannot be read',
      'journal',
      {journals: [{at: 'unreadable', path: '/s/app-1', said: 'EACCES'}]},
      'error',
      /^\/s\/app-1\nEACCES$/,
      /readable/,
    ],
  ];
  for (const [title, name, change, level, text, advice] of cases) {
    test(title, () => {
      const found = getFinding(name, change);
      assert.equal(found.level, level);
      assert.match(found.text, text);
      if (advice === undefined) assert.equal(found.advice, undefined);
      else assert.match(found.advice ?? '', advice);
    });
  }

  test('everything that is not ok comes with what to do', () => {
    for (const [, , change] of cases) {
      for (const found of buildDoctorReport({...healthy, ...change}).findings)
        assert.equal(found.advice === undefined, found.level === 'ok', found.name);
    }
  });
});

test('journals are reported only on request, one after the other', () => {
  assert.ok(!buildDoctorReport(healthy).findings.some(({name}) => name === 'journal'));
  const {findings} = buildDoctorReport({
    ...healthy,
    journals: [journal, {...journal, path: '/s/b-2'}],
  });
  assert.deepEqual(
    findings.slice(-2).map(({name, text}) => [name, text.split('\n')[0]]),
    [
      ['journal', '/s/app-1'],
      ['journal', '/s/b-2'],
    ],
  );
});

test('text from outside can neither act on the terminal nor begin a line of its own', () => {
  const hostile = '/x\u001B]0;title\u0007\u009B31m\nok       git        9.9.9\t\u202E';
  const report = buildDoctorReport({
    ...healthy,
    node: {version: '24.0.0', file: hostile},
    repository: {at: 'unknown', said: hostile},
    terminal: {...healthy.terminal, term: hostile, locale: hostile},
    state: {...state, path: hostile, refusal: {got: hostile, advice: hostile}},
    agents: [
      {
        name: 'pi',
        npmPackage: 'p',
        at: 'silent',
        file: hostile,
        why: {at: 'unreadable', said: hostile},
      },
    ],
  });
  const text = formatDoctorReport(report);
  assert.doesNotMatch(text, /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/);
  assert.equal(text.match(/^ok {7}git/gm)?.length, 1);
});

test('long text is wrapped at 80 columns, but a path stays whole', () => {
  const long = `/${'directory/'.repeat(12)}x`;
  const text = formatDoctorReport(
    buildDoctorReport({
      ...healthy,
      state: {...state, path: long},
      sandbox: {at: 'missing', name: 'bubblewrap', installation: 'it'},
    }),
  );
  const lines = text.split('\n');
  assert.ok(lines.some((line) => line.includes(long)));
  for (const line of lines.filter((one) => !one.includes(long))) assert.ok(line.length <= 80, line);
});

test('JSON is plain ASCII and loses nothing', () => {
  const facts: DoctorFacts = {...healthy, state: {...state, path: '/h/zoë/\u009B31m\u202E/😀'}};
  const report = buildDoctorReport(facts);
  const text = formatDoctorJson(report, facts);
  assert.match(text, /^[\u0020-\u007E\n]+$/);
  assert.deepEqual(JSON.parse(text), {ok: true, findings: report.findings, facts});
});

test('every finding and every fact has its place in docs/doctor.md', () => {
  const documentation = readFileSync(
    path.join(import.meta.dirname, '..', '..', '..', 'docs', 'doctor.md'),
    'utf8',
  );
  for (const {name} of buildDoctorReport({...healthy, journals: []}).findings)
    assert.match(documentation, new RegExp(`^\\| \`${name}\` \\|`, 'm'), name);
  for (const name of Object.keys({...healthy, journals: []}))
    assert.match(documentation, new RegExp(`^\\| \`facts\\.${name}\` \\|`, 'm'), name);
});

test('a kernel that cannot identify clients is an error on Linux and a warning elsewhere', () => {
  assert.deepEqual(getFinding('approval', {approval: {}}), {
    name: 'approval',
    level: 'error',
    text: 'ss was not found, so orchestra cannot see which process sends a request\nyou cannot approve, accept, type or stop anything',
    advice: 'Install the package iproute2.',
  });
  const elsewhere = getFinding('approval', {
    approval: {},
    system: {platform: 'darwin', arch: 'arm64', kernel: '25.0'},
  });
  assert.equal(elsewhere.level, 'warning');
  assert.match(
    elsewhere.text,
    /every process that can read the token in the runtime directory counts as you/,
  );
});

describe('the network:', () => {
  const project = {file: '/code/app/.orchestra/project.yaml', problems: []};
  const without = {
    at: 'works',
    name: 'bubblewrap',
    file: '/usr/bin/bwrap',
    isVerified: true,
    network: {at: 'broken', said: 'no namespaces'},
  } as const;
  const rules = {workers: {allow: ['registry.npmjs.org']}, checks: 'none'} as const;

  test('network restrictions of the project are listed for each kind of session', () => {
    const {level, text} = getFinding('network', {project: {...project, network: rules}});
    assert.equal(level, 'ok');
    assert.equal(text, 'planners: all\nworkers: only registry.npmjs.org\nchecks: none');
  });

  test('a machine that cannot keep it says so: a warning with auto, an error with required', () => {
    const auto = getFinding('network', {sandbox: without, project: {...project, network: rules}});
    assert.deepEqual(
      [
        auto.level,
        auto.text.includes(
          'does NOT enforce that: bubblewrap cannot make a private network: no namespaces',
        ),
      ],
      ['warning', true],
    );
    const required = getFinding('network', {
      sandbox: without,
      project: {...project, sandbox: 'required', network: rules},
    });
    assert.deepEqual([required.level, required.text.includes('nothing starts')], ['error', true]);
    assert.match(
      getFinding('network', {sandbox: {at: 'none'}, project: {...project, network: rules}}).text,
      /does NOT enforce that: there is no sandbox/,
    );
  });

  test('an agent that is kept from its own model is a warning', () => {
    assert.match(
      getFinding('network', {project: {...project, network: {workers: 'none'}}}).text,
      /with none, workers cannot reach a model either/,
    );
  });
});
