import {isolation, ownProcesses} from './sandboxed.ts';
import type {SandboxAbilities} from './policy.ts';

export type Sandbox = {
  readonly name: string;
  readonly command: string;
  /** How to install it; absent if it comes with the system. */
  readonly installation?: string;
  /** Whether we have tested it. */
  readonly isVerified: boolean;
  /** A command that does nothing in a sandbox: shows whether this machine allows one. */
  readonly trial: readonly string[];
  /** The same in a process namespace, where the sandbox supports one. */
  readonly processesTrial?: readonly string[];
  /** The same without a network. Absent: it cannot take the network away. */
  readonly networkTrial?: readonly string[];
};

// Needs GNU `env`, which passes signals on; BusyBox's cannot.
const trialCommand: readonly string[] = [
  '--dev',
  '/dev',
  '--',
  '/usr/bin/env',
  '--default-signal=INT',
  'true',
];

const bubblewrap: Sandbox = {
  name: 'bubblewrap',
  command: 'bwrap',
  installation: 'the package bubblewrap (apt, dnf, pacman, apk)',
  isVerified: true,
  trial: [...isolation, ...trialCommand],
  processesTrial: [...isolation, ...ownProcesses, ...trialCommand],
  networkTrial: ['--unshare-net', ...isolation, ...trialCommand],
};

const sandboxExec: Sandbox = {
  name: 'sandbox-exec',
  command: 'sandbox-exec',
  isVerified: false,
  trial: ['-p', '(version 1)(allow default)(deny file-write*)', 'true'],
};

/** The one sandbox that a platform could have. */
export function findSandbox(platform: string): Sandbox | undefined {
  if (platform === 'linux') return bubblewrap;
  return platform === 'darwin' ? sandboxExec : undefined;
}

export type SandboxFacts =
  | {readonly at: 'none'}
  | {readonly at: 'missing'; readonly name: string; readonly installation?: string}
  | {
      readonly at: 'works';
      readonly name: string;
      readonly file: string;
      readonly isVerified: boolean;
      readonly can?: SandboxAbilities;
      readonly network?: NetworkFacts;
    }
  | {
      readonly at: 'broken';
      readonly name: string;
      readonly file: string;
      readonly why: Obstacle;
      readonly said: string;
    };

/** Whether a sandbox can have a network of its own; absent if not tried. */
export type NetworkFacts = {readonly at: 'works'} | {readonly at: 'broken'; readonly said: string};

/** `unknown`: only its own message tells. */
export type Obstacle = 'user-namespaces-off' | 'apparmor' | 'container' | 'unknown';

/**
 * What the caller found: the command's path, the outcome of the trial, and what the kernel allows.
 */
export type SandboxTrial = {
  readonly file?: string | undefined;
  readonly succeeded: boolean;
  readonly said: string;
  readonly isContainer: boolean;
  readonly userNamespaces: 'allowed' | 'off' | 'restricted';
  readonly can?: SandboxAbilities;
};

export function toSandboxFacts(sandbox: Sandbox | undefined, trial: SandboxTrial): SandboxFacts {
  if (sandbox === undefined) return {at: 'none'};
  const {name, installation, isVerified} = sandbox;
  const {file} = trial;
  if (file === undefined)
    return {at: 'missing', name, ...(installation === undefined ? {} : {installation})};
  if (trial.succeeded)
    return {
      at: 'works',
      name,
      file,
      isVerified,
      ...(trial.can === undefined ? {} : {can: trial.can}),
    };
  return {
    at: 'broken',
    name,
    file,
    why: findObstacle(trial),
    said: trial.said.trim().split('\n')[0] ?? '',
  };
}

/**
 * Checks the kernel's switches first; a container hides them behind its own rules, so it is only
 * the likely cause.
 */
function findObstacle({isContainer, userNamespaces}: SandboxTrial): Obstacle {
  if (userNamespaces === 'off') return 'user-namespaces-off';
  if (isContainer) return 'container';
  return userNamespaces === 'restricted' ? 'apparmor' : 'unknown';
}
