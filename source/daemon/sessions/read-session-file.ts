import path from 'node:path';
import {tryReadText} from '../../files/index.ts';
import {
  type ExitRecord,
  type FieldsParseResult,
  parseExitRecord,
  sessionFiles,
} from '../../protocol/index.ts';

/** Reads a file of a session's directory; undefined if it is missing or malformed. */
export function readSessionFile<T>(
  directory: string,
  file: string,
  parse: (value: unknown) => FieldsParseResult<T>,
): T | undefined {
  try {
    const result = parse(JSON.parse(tryReadText(path.join(directory, file), {maxBytes}) ?? ''));
    return 'fields' in result ? result.fields : undefined;
  } catch {
    return undefined;
  }
}

/** How the program ended; undefined if it runs, or if its keeper was killed. */
export function readExit(directory: string): ExitRecord | undefined {
  return readSessionFile(directory, sessionFiles.exit, parseExitRecord);
}

/** An environment and a command may have several megabytes. */
const maxBytes = 64 * 1024 * 1024;
