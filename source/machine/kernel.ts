import os from 'node:os';

/** Where answers come from, and the clock that stamps them. A test gives a small tree of its own for `/proc`. */
export type Kernel = {
  readonly platform: string;
  readonly arch: string;
  readonly proc: string;
  /** Where `stty` is looked for, and on macOS `ps`, `lsof` and `sysctl`: a PATH that `trustedPath` made. */
  readonly path: string;
  /** Whose processes we may look into; root may look into all. */
  readonly uid: number;
  /** Wall clock, in milliseconds. */
  readonly now: () => number;
};

export function kernelOf({path, now}: Pick<Kernel, 'path' | 'now'>): Kernel {
  return {
    platform: os.platform(),
    arch: os.arch(),
    proc: '/proc',
    path,
    uid: process.geteuid?.() ?? -1,
    now,
  };
}
