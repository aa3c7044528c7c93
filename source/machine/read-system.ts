import {existsSync, readFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export type System = {
  readonly platform: string;
  readonly arch: string;
  readonly kernel: string;
  /** Changes with every boot; a process is known by its pid only together with it. Linux only. */
  readonly bootId?: string;
  /** Which Windows Subsystem for Linux this is, if it is one. */
  readonly wsl?: 1 | 2;
  readonly isContainer: boolean;
  readonly hasSystemd: boolean;
  readonly userNamespaces: UserNamespaces;
};

/** `restricted`: AppArmor takes their powers away from programs without a profile (Ubuntu 24.04). */
export type UserNamespaces = 'allowed' | 'off' | 'restricted';

/** `root` is `/`; a test gives a small tree of its own. */
export function readSystem(root = '/', release = os.release()): System {
  const text = (file: string): string | undefined => readText(path.join(root, file));
  const bootId = text('proc/sys/kernel/random/boot_id');
  const wsl = wslOf(release);
  return {
    platform: os.platform(),
    arch: os.arch(),
    kernel: release,
    ...(bootId === undefined ? {} : {bootId}),
    ...(wsl === undefined ? {} : {wsl}),
    isContainer: ['.dockerenv', 'run/.containerenv', 'run/systemd/container'].some((file) =>
      existsSync(path.join(root, file)),
    ),
    // What sd_booted(3) looks at.
    hasSystemd: existsSync(path.join(root, 'run/systemd/system')),
    userNamespaces: userNamespacesOf(text),
  };
}

/** WSL 1 calls itself `4.4.0-19041-Microsoft`, WSL 2 `5.15.90.1-microsoft-standard-WSL2`. */
function wslOf(release: string): 1 | 2 | undefined {
  if (!/microsoft/i.test(release)) return undefined;
  return release.endsWith('-Microsoft') ? 1 : 2;
}

function userNamespacesOf(text: (file: string) => string | undefined): UserNamespaces {
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
