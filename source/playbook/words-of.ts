/** An error of the system in few words, without the paths that Node puts after them. */
export function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (
    message.split(
      /, (?:open|lstat|stat|scandir|rename|mkdir|unlink|realpath|readlink|chmod)/,
      1,
    )[0] ?? message
  );
}
