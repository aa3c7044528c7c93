import {readFileSync} from 'node:fs';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';

/** `audit`: the number of the login that a process came from; nothing where none is set. `uids`: real, effective, saved and file system. */
export type Credentials = {readonly audit?: number; readonly uids: readonly number[]};

/** What the kernel writes for "not set". */
const unset = 4_294_967_295;

/**
 * Read from `status`, not from the owner of the directory: that is root for every process that is not dumpable, which a process
 * can make itself. Whoever has no login may still give itself one; whoever has one keeps it, and so do its children
 * (`audit_set_loginuid_perm` of the kernel).
 */
export function readCredentials(pid: number, kernel: Kernel): Credentials {
  const text = (file: string): string =>
    valueOf(lookAt(() => readFileSync(`${kernel.proc}/${pid}/${file}`, 'utf8'))) ?? '';
  const audit = Number(text('sessionid').trim() || unset);
  const [, uids = ''] = /^Uid:\s*(.*)$/m.exec(text('status')) ?? [];
  return {
    uids: uids
      .split(/\s+/)
      .filter((one) => one !== '')
      .map(Number),
    ...(Number.isInteger(audit) && audit !== unset && {audit}),
  };
}
