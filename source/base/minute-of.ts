/** How long a minute of the project's limits is. Tests that cannot wait for one make it shorter. */
export function minuteOf(env: Readonly<Record<string, string | undefined>>): number {
  const given = Number(env['ORCHESTRA_MINUTE_MS']);
  return given > 0 ? given : 60_000;
}
