/** Reads a version that stands on a line of its own between the given words. Another program's answer has no such line. */
export function versionOnALine(before = '', after = ''): (output: string) => string | undefined {
  return (output) => {
    for (const line of output.split(/\r?\n/)) {
      if (!line.startsWith(before) || !line.endsWith(after)) continue;
      const version = /^v?(?<version>\d+\.\d+\.\d+[-+.0-9A-Za-z]*)$/.exec(
        line.slice(before.length, line.length - after.length),
      )?.groups?.['version'];
      if (version !== undefined) return version;
    }

    return undefined;
  };
}
