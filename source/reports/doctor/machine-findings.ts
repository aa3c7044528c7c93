import type {
  DoctorDirectory,
  DoctorFacts,
  LogoutFacts,
  ProgramFacts,
  TerminalFacts,
} from './doctor-facts.ts';
import {type Finding, finding, meetsMinimum, missingText, problem, silentText} from './finding.ts';

export function nodeFinding({version, file}: DoctorFacts['node']): Finding {
  return meetsMinimum(version, 22, 12)
    ? finding('node', 'ok', `${version} (${file})`)
    : finding(
        'node',
        'error',
        `${version} (${file}) is too old`,
        'Install Node.js 22.12 or newer: https://nodejs.org',
      );
}

export function platformFinding({platform, arch, kernel, wsl}: DoctorFacts['system']): Finding {
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
      `macOS (Darwin ${kernel}, ${arch}); facts that it does not show are unknown`,
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

export function gitFinding(git: ProgramFacts): Finding {
  const advice = 'Install git 2.38 or newer: https://git-scm.com/downloads';
  if (git.at === 'missing') return finding('git', 'error', missingText(git.ignored), advice);
  if (git.at === 'silent')
    return finding('git', 'warning', silentText(git), `Try it yourself: ${git.file} --version`);
  if (meetsMinimum(git.version, 2, 38)) return finding('git', 'ok', `${git.version} (${git.file})`);
  return finding(
    'git',
    'error',
    `${git.version} (${git.file}) is too old: it cannot merge beside the working tree`,
    advice,
  );
}

export function terminalFinding({
  isTerminal,
  columns = 0,
  rows = 0,
  term,
  locale,
  colour,
  inside,
}: TerminalFacts): Finding {
  if (!isTerminal) return finding('terminal', 'ok', 'none; only the app needs one');
  const problems = [
    ...problem(
      term === '' || term === 'dumb',
      'the app cannot draw on it',
      'Set TERM to your terminal type, for example xterm-256color.',
    ),
    ...problem(
      columns < 40 || rows < 12,
      'too small for the app',
      'Make the window at least 40x12; 80x24 is better.',
    ),
    ...problem(
      !/utf-?8/i.test(locale),
      `the locale is ${locale === '' ? 'not set' : locale}, not UTF-8`,
      'Set a UTF-8 locale: export LANG=C.UTF-8',
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

export function directoryFinding(
  name: string,
  {path, exists, refusal, fileSystem}: DoctorDirectory,
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

export function runtimeFinding(runtime: DoctorFacts['runtime']): Finding {
  const usual = directoryFinding('runtime', runtime, 'XDG_RUNTIME_DIR');
  if (usual.level !== 'ok' || runtime.tooLong.length === 0) return usual;
  return finding(
    'runtime',
    'warning',
    [`${runtime.path}, because this path is too long for sockets:`, ...runtime.tooLong],
    'Set XDG_RUNTIME_DIR to a directory of your own with a shorter path.',
  );
}

export function diskFinding(disks: DoctorFacts['disks']): Finding {
  const [fullest] = disks.toSorted((one, other) => one.free - other.free);
  if (fullest === undefined)
    return finding(
      'disk',
      'warning',
      'unknown: the kernel does not show it',
      'See for yourself: df -h',
    );
  const text = `${gigabytes(fullest.free)} free of ${gigabytes(fullest.total)} (at ${fullest.path})`;
  if (fullest.free < 1e9)
    return finding(
      'disk',
      'error',
      text,
      'Free some space: orchestra makes no worktree below 1 GB.',
    );
  return fullest.free < 5e9
    ? finding('disk', 'warning', text, 'Free some space: every task has its own worktree.')
    : finding('disk', 'ok', text);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

export function logoutFinding(
  {hasSystemd, killsProcesses, lingers}: LogoutFacts,
  platform: string,
): Finding {
  if (killsProcesses === true && lingers !== true)
    return finding(
      'logout',
      'warning',
      'logging out ends running sessions (KillUserProcesses=yes)',
      'Keep them running: loginctl enable-linger',
    );
  if (killsProcesses !== undefined)
    return finding(
      'logout',
      'ok',
      `sessions keep running after logout (KillUserProcesses=${killsProcesses ? 'yes, but lingering is on' : 'no'})`,
    );
  if (hasSystemd)
    return finding(
      'logout',
      'warning',
      'unknown: systemd does not show whether logging out ends sessions',
      'Look for KillUserProcesses in /etc/systemd/logind.conf.',
    );
  return finding(
    'logout',
    'ok',
    platform === 'linux'
      ? 'no systemd: sessions run until the machine or container stops'
      : 'unknown: this platform does not show whether logging out ends sessions',
  );
}

export function ghFinding(gh: ProgramFacts): Finding {
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
