import path from 'node:path';
import vm from 'node:vm';
import {Buffer} from 'node:buffer';
import {readdirSync, readFileSync, rmSync} from 'node:fs';
import {crc32} from 'node:zlib';
import {writeFileAtomic} from '../../files/index.ts';

export type CachedScriptOptions = {
  /** A script that is one function expression. ASCII, so that V8 need not decode it. */
  readonly file: string;
  /** Where compiled code is kept; without one everything is compiled at each start. */
  readonly directory: string | undefined;
  /** Changes with the content of the script: V8 itself compares only the length. */
  readonly id: string;
};

export type CachedScript = {
  /** The function of the script. */
  readonly run: (...given: readonly unknown[]) => unknown;
  readonly isCached: boolean;
  /** Keeps the code that is compiled by now, unless it came from the cache. */
  readonly save: () => void;
};

/**
 * Loads a script together with the code that V8 has compiled for it in an earlier start. Node's own
 * compile cache is written before a module runs, and lacks every function that is compiled when it
 * is first called: for the app that is most of its start.
 */
export function loadCachedScript({file, directory, id}: CachedScriptOptions): CachedScript {
  const prefix = path.basename(file).replace(/\..*$/, '');
  const name = `${prefix}-${id}-${process.version}.code`;
  const cache = directory === undefined ? undefined : path.join(directory, name);
  const compiled = cache === undefined ? undefined : readCode(cache);
  const script = new vm.Script(readFileSync(file, 'latin1'), {
    filename: file,
    ...(compiled !== undefined && {cachedData: compiled}),
  });
  const isCached = compiled !== undefined && script.cachedDataRejected !== true;
  return {
    run: script.runInThisContext() as CachedScript['run'],
    isCached,
    save() {
      if (isCached || directory === undefined || cache === undefined) return;
      try {
        writeCode(cache, script.createCachedData());
        for (const other of readdirSync(directory))
          if (other !== name && other.startsWith(`${prefix}-`) && other.endsWith('.code'))
            rmSync(path.join(directory, other), {force: true});
      } catch {
        // A full disk: the next start compiles again.
      }
    },
  };
}

const checksumBytes = 4;

/** V8 does not notice damaged code and would crash, at each start again. */
function readCode(file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file);
    const code = bytes.subarray(checksumBytes);
    return bytes.length > checksumBytes && bytes.readUInt32LE(0) === crc32(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

function writeCode(file: string, code: Buffer): void {
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32LE(crc32(code));
  writeFileAtomic(file, Buffer.concat([checksum, code]));
}
