/** An error of the system in few words, without the paths that Node puts after them. */
export function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split(/, (?:open|write|stat|rename|unlink|read)/, 1)[0] ?? message;
}
