import os from 'node:os';
import path from 'node:path';
import {existsSync, readFileSync} from 'node:fs';

/**
 * What systemd's login manager does with a user's processes at logout; absent when it did not
 * answer.
 */
export type Logind = {
  readonly killsProcesses?: boolean;
  readonly lingers?: boolean;
};

/** Without a user, `show-user` prints the manager's own properties. */
export const logindArgv: readonly string[] = ['show-user', '--property=KillUserProcesses'];

export function lingerArgv(uid: number): readonly string[] {
  return ['show-user', String(uid), '--property=Linger'];
}

/** Parses the concatenated output of both commands: `Name=yes` lines. */
export function parseLogind(answers: string): Logind {
  const values = new Map(
    Array.from(answers.matchAll(/^(?<name>\w+)=(?<value>yes|no)$/gm), ({groups}) => [
      groups?.['name'],
      groups?.['value'] === 'yes',
    ]),
  );
  const killsProcesses = values.get('KillUserProcesses');
  const lingers = values.get('Linger');
  return {
    ...(killsProcesses === undefined ? {} : {killsProcesses}),
    ...(lingers === undefined ? {} : {lingers}),
  };
}

export type System = {
  readonly platform: string;
  readonly arch: string;
  readonly kernel: string;
  /** Changes with every boot, so that a pid is unique together with it. Linux only. */
  readonly bootId?: string;
  /** Version of the Windows Subsystem for Linux, if this is one. */
  readonly wsl?: 1 | 2;
  readonly isContainer: boolean;
  readonly hasSystemd: boolean;
  readonly userNamespaces: UserNamespaces;
};

/**
 * `restricted`: AppArmor denies capabilities in them to programs without a profile (Ubuntu 24.04).
 */
export type UserNamespaces = 'allowed' | 'off' | 'restricted';

/** `root` is `/`; tests use a small tree of their own. */
export function readSystem(root = '/', release = os.release()): System {
  const text = (file: string): string | undefined => readText(path.join(root, file));
  const bootId = text('proc/sys/kernel/random/boot_id');
  const wsl = parseWsl(release);
  return {
    platform: os.platform(),
    arch: os.arch(),
    kernel: release,
    ...(bootId === undefined ? {} : {bootId}),
    ...(wsl === undefined ? {} : {wsl}),
    isContainer: ['.dockerenv', 'run/.containerenv', 'run/systemd/container'].some((file) =>
      existsSync(path.join(root, file)),
    ),
    // The same check as sd_booted(3).
    hasSystemd: existsSync(path.join(root, 'run/systemd/system')),
    userNamespaces: readUserNamespaces(text),
  };
}

/** WSL 1 calls itself `4.4.0-19041-Microsoft`, WSL 2 `5.15.90.1-microsoft-standard-WSL2`. */
function parseWsl(release: string): 1 | 2 | undefined {
  if (!/microsoft/i.test(release)) return undefined;
  return release.endsWith('-Microsoft') ? 1 : 2;
}

function readUserNamespaces(text: (file: string) => string | undefined): UserNamespaces {
  if (
    text('proc/sys/user/max_user_namespaces') === '0' ||
    text('proc/sys/kernel/unprivileged_userns_clone') === '0'
  )
    return 'off';
  return text('proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1'
    ? 'restricted'
    : 'allowed';
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/**
 * Command prefix that runs a program in a scope of systemd's user manager, so that a logout does
 * not end it. Only with lingering: otherwise the manager stops its scopes some seconds after the
 * last logout, while a plain process would survive (tmux #428).
 */
export function systemdScopePrefix({
  systemdRun,
  lingers,
}: Pick<Logind, 'lingers'> & {readonly systemdRun: string | undefined}): readonly string[] {
  return systemdRun !== undefined && lingers === true
    ? [systemdRun, '--user', '--scope', '--quiet', '--collect', '--']
    : [];
}
