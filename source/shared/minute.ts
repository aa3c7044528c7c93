/** The length of a minute in the project's limits. Tests shorten it. */
export function getMinuteMs(env: Readonly<Record<string, string | undefined>>): number {
  const given = Number(env['ORCHESTRA_MINUTE_MS']);
  return given > 0 ? given : 60_000;
}
