import {readFileSync, readdirSync, readlinkSync} from 'node:fs';

/** The processes whose working directory is this one, by their command lines. */
export function processesIn(directory: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === directory
          ? [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`]
          : [];
      } catch {
        return [];
      }
    });
}
