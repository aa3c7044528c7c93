import {statfsSync} from 'node:fs';
import path from 'node:path';

/** `maybe`: fuse, which may be local or at the other end of the world. */
export type FileSystem = {
  readonly name: string;
  readonly isNetwork: 'yes' | 'no' | 'maybe' | 'unknown';
};

/** From linux/magic.h. Only what matters for locks and renames; every other number is a local disk as far as is known. */
const remote: ReadonlyMap<number, FileSystem> = new Map([
  [0x69_69, {name: 'nfs', isNetwork: 'yes'}],
  [0x51_7b, {name: 'smb', isNetwork: 'yes'}],
  [0xfe_53_4d_42, {name: 'smb', isNetwork: 'yes'}],
  [0xff_53_4d_42, {name: 'cifs', isNetwork: 'yes'}],
  [0x01_02_19_97, {name: '9p', isNetwork: 'yes'}],
  [0x00_c3_64_00, {name: 'ceph', isNetwork: 'yes'}],
  [0x53_46_41_4f, {name: 'afs', isNetwork: 'yes'}],
  [0x65_73_55_46, {name: 'fuse', isNetwork: 'maybe'}],
]);

/** The file system of the nearest directory upwards that exists. Only Linux tells it by number. */
export function readFileSystem(directory: string, platform: string): FileSystem {
  if (platform !== 'linux') return {name: 'unknown', isNetwork: 'unknown'};
  try {
    return fileSystemOf(statfsSync(directory).type);
  } catch {
    const parent = path.dirname(directory);
    return parent === directory
      ? {name: 'unknown', isNetwork: 'unknown'}
      : readFileSystem(parent, platform);
  }
}

/** A 32-bit kernel gives the large numbers with their sign. */
export function fileSystemOf(type: number): FileSystem {
  return remote.get(type >>> 0) ?? {name: 'local', isNetwork: 'no'};
}
