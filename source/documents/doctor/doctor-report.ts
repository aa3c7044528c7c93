import {sanitizeText} from '../../base/index.ts';
import type {
  DirectoryFacts,
  DoctorFacts,
  JournalFacts,
  LogoutFacts,
  Obstacle,
  ProgramFacts,
  RepositoryFacts,
  SandboxFacts,
  TerminalFacts,
} from './doctor-facts.ts';
import {networkFinding} from './network-finding.ts';

export function doctorReport(facts: DoctorFacts): DoctorReport {
  const findings = [
    nodeFinding(facts.node),
    platformFinding(facts.system),
    gitFinding(facts.git),
    repositoryFinding(facts.repository, facts.git),
    ...projectFindings(facts.project),
    ...sharingFindings(facts.unshared ?? []),
    terminalFinding(facts.terminal),
    directoryFinding('state', facts.state, 'XDG_STATE_HOME'),
    runtimeFinding(facts.runtime),
    diskFinding(facts.disks),
    agentsFinding(facts.agents, facts.defaultAgent),
    sandboxFinding(facts.sandbox),
    approvalFinding(facts.approval, facts.system.platform),
    finding(...networkFinding(facts.sandbox, facts.project ?? {})),
    logoutFinding(facts.logout, facts.system.platform),
    ghFinding(facts.gh),
    ...(facts.daemonJournal === undefined ? [] : [finding('daemon', 'error', facts.daemonJournal)]),
    ...journalFindings(facts.journals),
  ];
  return {ok: findings.every(({level}) => level !== 'error'), findings};
}

export type DoctorReport = {
  /** No error; warnings are allowed. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
};

export type Finding = {
  readonly name: string;
  readonly level: 'ok' | 'warning' | 'error';
  /** One line or more. */
  readonly text: string;
  /** What to do about it, one thing a line. */
  readonly advice?: string;
};

/** Every line passes here: what is foreign in it can neither act on the terminal nor begin a line of its own. */
function finding(
  name: string,
  level: Finding['level'],
  text: string | readonly string[],
  advice?: string | readonly string[],
): Finding {
  const plain = (lines: string | readonly string[]): string =>
    [lines]
      .flat()
      .map((line) => sanitizeText(line.replaceAll(/[\n\t]/g, ' ')))
      .join('\n');
  return {name, level, text: plain(text), ...(advice === undefined ? {} : {advice: plain(advice)})};
}

function nodeFinding({version, file}: DoctorFacts['node']): Finding {
  return isAtLeast(version, 22, 12)
    ? finding('node', 'ok', `${version} (${file})`)
    : finding(
        'node',
        'error',
        `${version} (${file}) is too old`,
        'Install Node.js 22.12 or newer: https://nodejs.org',
      );
}

function platformFinding({platform, arch, kernel, wsl}: DoctorFacts['system']): Finding {
  if (wsl === 1)
    return finding(
      'platform',
      'warning',
      `WSL 1 (${kernel}, ${arch}) has no Linux kernel of its own`,
      'Use WSL 2: wsl --set-version <distribution> 2',
    );
  if (wsl === 2) return finding('platform', 'ok', `WSL 2 (Linux ${kernel}, ${arch})`);
  if (platform === 'linux') return finding('platform', 'ok', `Linux ${kernel} (${arch})`);
  if (platform === 'darwin')
    return finding(
      'platform',
      'ok',
      `macOS (Darwin ${kernel}, ${arch}); what it does not tell is shown as unknown`,
    );
  if (platform === 'win32')
    return finding(
      'platform',
      'error',
      `Windows ${kernel} (${arch})`,
      'Run orchestra inside WSL 2: wsl --install',
    );
  return finding(
    'platform',
    'warning',
    `${platform} ${kernel} (${arch}): never tried`,
    'Linux and macOS are supported.',
  );
}

function gitFinding(git: ProgramFacts): Finding {
  const advice = 'Install git 2.38 or newer: https://git-scm.com/downloads';
  if (git.at === 'missing') return finding('git', 'error', missingText(git.ignored), advice);
  if (git.at === 'silent')
    return finding('git', 'warning', silentText(git), `Try it yourself: ${git.file} --version`);
  if (isAtLeast(git.version, 2, 38)) return finding('git', 'ok', `${git.version} (${git.file})`);
  return finding(
    'git',
    'error',
    `${git.version} (${git.file}) is too old: it cannot merge beside the working tree`,
    advice,
  );
}

function repositoryFinding(repository: RepositoryFacts, git: ProgramFacts): Finding {
  if (git.at === 'missing') return finding('repository', 'ok', 'unknown without git');
  if (repository.at === 'none')
    return finding('repository', 'ok', 'none here; orchestra works inside a git repository');
  if (repository.at === 'unknown')
    return finding(
      'repository',
      'warning',
      `unknown: ${repository.said}`,
      'Ask git yourself: git status',
    );
  const problems = [
    ...problem(
      repository.isBare,
      'bare',
      'Work in a checkout of it: git clone, or git worktree add.',
    ),
    ...problem(
      !repository.hasCommit,
      'no commit yet',
      'Make a first commit: work starts from one.',
    ),
    ...problem(
      repository.isShallow,
      'shallow clone',
      'Merges may lack their base: git fetch --unshallow',
    ),
    ...problem(
      repository.hasSubmodules,
      'submodules',
      'Worktrees start without them: let the setup command run git submodule update --init',
    ),
  ];
  const where = repository.topLevel ?? repository.commonDirectory;
  if (problems.length === 0) return finding('repository', 'ok', where);
  return finding(
    'repository',
    'warning',
    `${where} (${problems.map(([text]) => text).join(', ')})`,
    problems.map(([, advice]) => advice),
  );
}

function projectFindings(project: DoctorFacts['project']): Finding[] {
  if (project === undefined) return [];
  const {file, problems} = project;
  if (problems.length === 0) return [finding('project', 'ok', file)];
  const shown = problems.slice(0, mostProblems).map(({line, text}) => `line ${line}: ${text}`);
  const more = problems.length > mostProblems ? [`and ${problems.length - mostProblems} more`] : [];
  return [
    finding(
      'project',
      'warning',
      [`${file}: what is not understood counts as not said`, ...shown, ...more],
      'What it may say: docs/project-file.md',
    ),
  ];
}

function sharingFindings(unshared: NonNullable<DoctorFacts['unshared']>): Finding[] {
  if (unshared.length === 0) return [];
  const shown = unshared
    .slice(0, mostProblems)
    .map(({path, tool}) => `${sanitizeText(path)}: ${tool}`);
  const more = unshared.length > mostProblems ? [`and ${unshared.length - mostProblems} more`] : [];
  return [
    finding(
      'sharing',
      'warning',
      ['git ignores these, so tasks do not have them', ...shown, ...more],
      `If tasks and checks need them: orchestra share ${unshared.length === 1 ? sanitizeText(unshared[0]?.path ?? '') : '--detected'}`,
    ),
  ];
}

const mostProblems = 5;

function terminalFinding({
  isTerminal,
  columns = 0,
  rows = 0,
  term,
  locale,
  colour,
  inside,
}: TerminalFacts): Finding {
  if (!isTerminal) return finding('terminal', 'ok', 'none, which only the app would need');
  const problems = [
    ...problem(
      term === '' || term === 'dumb',
      'the app cannot draw on it',
      'Set TERM to what your terminal is, such as xterm-256color.',
    ),
    ...problem(
      columns < 60 || rows < 15,
      'too small for the app',
      'Make the window at least 60x15, better 80x24.',
    ),
    ...problem(
      !/utf-?8/i.test(locale),
      `the locale is ${locale === '' ? 'not set' : locale}, not UTF-8`,
      'Choose a UTF-8 locale: export LANG=C.UTF-8',
    ),
  ];
  const size = `${columns}x${rows}${columns < 80 || rows < 24 ? ' (80x24 is better)' : ''}`;
  const colours = {none: 'no colour (NO_COLOR)', basic: 'colour', full: 'true colour'}[colour];
  const text = [
    term === '' ? 'TERM not set' : term,
    size,
    colours,
    ...inside.map((name) => `inside ${name}`),
    ...problems.map(([text]) => text),
  ].join(', ');
  return problems.length === 0
    ? finding('terminal', 'ok', text)
    : finding(
        'terminal',
        'warning',
        text,
        problems.map(([, advice]) => advice),
      );
}

function directoryFinding(
  name: string,
  {path, exists, refusal, fileSystem}: DirectoryFacts,
  variable: string,
): Finding {
  if (refusal !== undefined) {
    return finding(
      name,
      'error',
      `${path}: expected a private directory of your own, got ${refusal.got}`,
      [refusal.advice, `Or set ${variable} to a directory of your own.`],
    );
  }

  if (fileSystem.isNetwork === 'yes' || fileSystem.isNetwork === 'maybe') {
    return finding(
      name,
      'warning',
      `${path} is on ${fileSystem.name}: locks and renames may not be reliable there`,
      `Set ${variable} to a directory on a local disk.`,
    );
  }

  return finding(name, 'ok', `${path} (${exists ? 'private' : 'new'})`);
}

function runtimeFinding(runtime: DoctorFacts['runtime']): Finding {
  const usual = directoryFinding('runtime', runtime, 'XDG_RUNTIME_DIR');
  if (usual.level !== 'ok' || runtime.tooLong.length === 0) return usual;
  return finding(
    'runtime',
    'warning',
    [`${runtime.path}, because this is too long for sockets:`, ...runtime.tooLong],
    'Set XDG_RUNTIME_DIR to a directory of your own with a shorter path.',
  );
}

function diskFinding(disks: DoctorFacts['disks']): Finding {
  const [fullest] = disks.toSorted((one, other) => one.free - other.free);
  if (fullest === undefined)
    return finding(
      'disk',
      'warning',
      'unknown: the kernel does not tell',
      'Look at it yourself: df -h',
    );
  const text = `${gigabytes(fullest.free)} free of ${gigabytes(fullest.total)} (at ${fullest.path})`;
  if (fullest.free < 1e9)
    return finding('disk', 'error', text, 'Free some space: no worktree is made below 1 GB.');
  return fullest.free < 5e9
    ? finding('disk', 'warning', text, 'Free some space: every task has a worktree of its own.')
    : finding('disk', 'ok', text);
}

function agentsFinding(agents: DoctorFacts['agents'], defaultAgent: string): Finding {
  const mark = (name: string): string => (name === defaultAgent ? ', used when none is named' : '');
  const lines = agents.flatMap((agent) => {
    if (agent.at === 'works')
      return [
        `${agent.name} ${agent.version} (${agent.file})${mark(agent.name)}`,
        ...trialLines(agent),
      ];
    if (agent.at === 'silent') return [`${agent.name}: ${silentText(agent)}${mark(agent.name)}`];
    return agent.ignored.map(
      (file) => `${agent.name}: ${file} is not used, it stands inside this repository`,
    );
  });
  const absent = agents.filter((agent) => agent.at === 'missing').map(({name}) => name);
  const text = [...lines, ...(absent.length === 0 ? [] : [`not found: ${absent.join(', ')}`])];
  const broken = agents.find((agent) => agent.at === 'silent');
  if (broken !== undefined)
    return finding('agents', 'warning', text, `Try it yourself: ${broken.file} --version`);
  const confined = agents.find((agent) => agent.at === 'works' && agent.sandboxed?.at === 'fails');
  if (confined !== undefined)
    return finding('agents', 'warning', text, [
      `${confined.name} starts in your shell but not in the sandbox, so its sessions fail. Install it and what it needs where the sandbox shows it: outside of /tmp and of /run/user.`,
      'Or, weaker, in .orchestra/project.yaml: sandbox: off',
    ]);
  if (agents.some(({lacks}) => lacks !== undefined))
    return finding(
      'agents',
      'warning',
      text,
      'What agents get of your environment: docs/environment.md',
    );
  if (absent.length < agents.length) return finding('agents', 'ok', text);
  return finding(
    'agents',
    'warning',
    [...text, 'only the built-in playbook, which needs no model'],
    `Install one, for example: npm install --global ${agents[0]?.npmPackage ?? ''}`,
  );
}

function trialLines({name, sandboxed, lacks}: DoctorFacts['agents'][number]): readonly string[] {
  return [
    ...(sandboxed?.at === 'fails'
      ? [
          `${name} does not start in the sandbox: ${sandboxed.how}${sandboxed.said === '' ? '' : `; it said: ${sandboxed.said}`}`,
        ]
      : []),
    ...(lacks === undefined ? [] : [lacks]),
  ];
}

const obstacles: Readonly<Record<Obstacle, readonly [string, string]>> = {
  'user-namespaces-off': [
    'user namespaces are switched off',
    'As root: sysctl -w user.max_user_namespaces=15000 (on Debian also kernel.unprivileged_userns_clone=1).',
  ],
  apparmor: [
    'AppArmor restricts user namespaces',
    'Give bwrap an AppArmor profile with "userns", or, weaker, as root: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
  ],
  container: [
    'this container does not allow it',
    'Start the container with user namespaces and mounts allowed, or let it be the sandbox.',
  ],
  unknown: ['for a reason that only it knows', 'Its own words above say why.'],
};

/** Who asks for what only a person may: the kernel is asked, where it can be. */
function approvalFinding({file}: DoctorFacts['approval'], platform: string): Finding {
  if (platform !== 'linux')
    return finding(
      'approval',
      'warning',
      [
        'the kernel cannot be asked here who asks for something',
        'whoever can read the token in the runtime directory counts as you, agents without a sandbox too',
      ],
      'Use the sandbox, or another user account for agents.',
    );
  if (file === undefined)
    return finding(
      'approval',
      'error',
      [
        'ss was not found, so it cannot be told who asks',
        'nothing can be approved, accepted, typed or stopped',
      ],
      'Install the package iproute2.',
    );
  return finding('approval', 'ok', `who asks is told by the kernel (${file})`);
}

function sandboxFinding(sandbox: SandboxFacts): Finding {
  const without =
    'agents read what you can read, and what they write outside their worktree is found only afterwards';
  if (sandbox.at === 'none')
    return finding(
      'sandbox',
      'warning',
      ['none for this platform', without],
      'Run orchestra in a container or a virtual machine.',
    );
  if (sandbox.at === 'missing')
    return finding(
      'sandbox',
      'warning',
      [`none: ${sandbox.name} is not installed`, without],
      `Install ${sandbox.installation ?? sandbox.name}.`,
    );
  if (sandbox.at === 'works')
    return finding('sandbox', 'ok', [
      `${sandbox.name} (${sandbox.file})${sandbox.isVerified ? '' : '; what it stops is not verified by us'}`,
      ...abilityTexts(sandbox.can),
    ]);
  const [why, advice] = obstacles[sandbox.why];
  return finding(
    'sandbox',
    'warning',
    [
      `${sandbox.name} (${sandbox.file}) does not work here: ${why}`,
      `it said: ${sandbox.said}`,
      without,
    ],
    advice,
  );
}

/** What not every machine allows in a sandbox, and what follows where it does not. */
function abilityTexts(
  can: {readonly processes: boolean; readonly layers: boolean} | undefined,
): readonly string[] {
  if (can === undefined) return [];
  return [
    ...(can.processes
      ? []
      : [
          'no process namespace here (is this a container?): processes that an agent leaves behind are searched for and named, not ended by the kernel',
        ]),
    ...(can.layers
      ? []
      : [
          'no layered directories here: agents and checks start with empty caches instead of reading yours',
        ]),
  ];
}

function logoutFinding(
  {hasSystemd, killsProcesses, lingers}: LogoutFacts,
  platform: string,
): Finding {
  if (killsProcesses === true && lingers !== true)
    return finding(
      'logout',
      'warning',
      'logging out ends running sessions (KillUserProcesses=yes)',
      'Let them go on: loginctl enable-linger',
    );
  if (killsProcesses !== undefined)
    return finding(
      'logout',
      'ok',
      `sessions go on after logout (KillUserProcesses=${killsProcesses ? 'yes, but lingering is on' : 'no'})`,
    );
  if (hasSystemd)
    return finding(
      'logout',
      'warning',
      'unknown: systemd did not say whether logging out ends sessions',
      'Look for KillUserProcesses in /etc/systemd/logind.conf.',
    );
  return finding(
    'logout',
    'ok',
    platform === 'linux'
      ? 'no systemd: sessions end only with the machine or container'
      : 'unknown: this platform does not tell whether logging out ends sessions',
  );
}

function ghFinding(gh: ProgramFacts): Finding {
  if (gh.at === 'works') return finding('gh', 'ok', `${gh.version} (${gh.file})`);
  if (gh.at === 'missing')
    return finding('gh', 'ok', `${missingText(gh.ignored)}; only needed for pull requests`);
  return finding(
    'gh',
    'warning',
    silentText(gh),
    `Only needed for pull requests. Try it yourself: ${gh.file} --version`,
  );
}

function journalFindings(journals: readonly JournalFacts[] | undefined): Finding[] {
  return journals?.length === 0
    ? [finding('journal', 'ok', 'none yet')]
    : (journals ?? []).map((journal) => journalFinding(journal));
}

function journalFinding(journal: JournalFacts): Finding {
  if (journal.at === 'unreadable')
    return finding(
      'journal',
      'error',
      [journal.path, journal.said],
      'Make the file readable for you.',
    );
  const {path, records, ending, said, blobs, damagedBlobs} = journal;
  const text = [
    path,
    `${counted(records, 'record')}, ${counted(blobs, 'blob')}`,
    ...(said === '' ? [] : [said]),
    ...damagedBlobs.map((name) => `damaged blob: ${name}`),
  ];
  if (damagedBlobs.length > 0 || (ending !== 'clean' && ending !== 'torn'))
    return finding(
      'journal',
      'error',
      text,
      'Until this is solved it is only read: nothing new is started.',
    );
  return ending === 'clean'
    ? finding('journal', 'ok', text)
    : finding(
        'journal',
        'warning',
        text,
        'Nothing to do: the next start saves the torn end aside and goes on.',
      );
}

function problem(isThere: boolean, text: string, advice: string): (readonly [string, string])[] {
  return isThere ? [[text, advice]] : [];
}

function missingText(ignored: readonly string[]): string {
  return ignored.length === 0
    ? 'not found'
    : `not found outside this repository (${ignored.join(', ')} is not used)`;
}

function silentText({file, why}: Extract<ProgramFacts, {at: 'silent'}>): string {
  if (why.at === 'timed-out')
    return `${file} did not tell its version within ${why.timeoutMs / 1000} s`;
  if (why.at === 'failed') return `${file} did not tell its version: ${why.how}`;
  return why.said === ''
    ? `${file} printed no version`
    : `${file} printed no version but: ${why.said}`;
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [gotMajor = 0, gotMinor = 0] = version.split('.').map(Number);
  return gotMajor > major || (gotMajor === major && gotMinor >= minor);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

export function counted(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
