import {isolation, ownProcesses} from './sandboxed.ts';

export type Sandbox = {
  readonly name: string;
  readonly command: string;
  /** How it is installed; absent when it comes with the system. */
  readonly installation?: string;
  /** Tried by us, not only read about. */
  readonly isVerified: boolean;
  /** Does nothing, in a sandbox: shows whether this machine lets us make one. */
  readonly trial: readonly string[];
  /** The same with processes of its own, where the sandbox can have them. */
  readonly processesTrial?: readonly string[];
  /** The same, without a network. Absent: it cannot take the network away. */
  readonly networkTrial?: readonly string[];
};

// With the `env` of GNU, which hands signals on; that of BusyBox can't.
const nothing: readonly string[] = [
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
  trial: [...isolation, ...nothing],
  processesTrial: [...isolation, ...ownProcesses, ...nothing],
  networkTrial: ['--unshare-net', ...isolation, ...nothing],
};

const sandboxExec: Sandbox = {
  name: 'sandbox-exec',
  command: 'sandbox-exec',
  isVerified: false,
  trial: ['-p', '(version 1)(allow default)(deny file-write*)', 'true'],
};

/** The one sandbox that a platform could have. */
export function sandboxOf(platform: string): Sandbox | undefined {
  if (platform === 'linux') return bubblewrap;
  return platform === 'darwin' ? sandboxExec : undefined;
}
