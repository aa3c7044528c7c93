/** The command inside of what `sandboxed` made; any other command as it is. For people to read, not to be run. */
export function unsandboxed(argv: readonly string[]): readonly string[] {
  const isOurs =
    argv[1]?.startsWith('--ignore-signal=') === true && argv.some((word) => word.endsWith('bwrap'));
  const end = isOurs ? argv.indexOf('--') : -1;
  // After the mark come `env` and the signals that it sets back.
  return end === -1 ? argv : argv.slice(end + 3);
}
