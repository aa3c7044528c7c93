/**
 * The absolute paths that a pasted text is, as terminals write files that are dragged onto them:
 * with backslashes, quotes, as `file://` URLs, several in one line or one in each. Undefined if it
 * is any other text. Whether there are such files is not known here.
 */
export function parsePastedPaths(pasted: string): readonly string[] | undefined {
  const text = pasted.trim();
  if (pasted.length > maxLength || !/^["']?(?:\/|file:\/\/)/.test(text)) return undefined;
  const lines = text.split(/\s*[\r\n]+\s*/);
  const parts = lines.length === 1 ? splitText(text) : lines.map(parseLine);
  const paths = toPaths(parts);
  // Some terminals escape no spaces.
  return paths ?? (lines.length === 1 ? toPaths([text]) : undefined);
}

/** PATH_MAX of Linux, for a few files. */
const maxLength = 16_384;
const maxPathLength = 4096;
const maxPaths = 20;

function toPaths(parts: readonly string[] | undefined): readonly string[] | undefined {
  if (parts === undefined || parts.length > maxPaths) return undefined;
  const paths = parts.map(toPath);
  return paths.every((path) => path !== undefined) ? paths : undefined;
}

function toPath(word: string): string | undefined {
  const path = word.startsWith('file://') ? decodeUrl(word) : word;
  const isPath =
    path?.startsWith('/') === true && path.length <= maxPathLength && !/\p{Cc}/u.test(path);
  return isPath ? path : undefined;
}

/** A file of this machine only. */
function decodeUrl(url: string): string | undefined {
  const path = /^file:\/\/(?:localhost)?(\/.*)$/.exec(url)?.[1];
  try {
    return path === undefined ? undefined : decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** A line is one path, also with spaces. */
function parseLine(line: string): string {
  const parts = splitText(line);
  return parts?.length === 1 ? (parts[0] ?? line) : line;
}

/** Splits as a shell does, without expanding anything; undefined if a quote is open. */
function splitText(text: string): string[] | undefined {
  const parts: string[] = [];
  let rest = text;
  while (rest !== '') {
    const whole = /^(?:\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"|[^\s'"\\])+/.exec(rest)?.[0];
    if (whole === undefined) return undefined;
    parts.push(unquote(whole));
    rest = rest.slice(whole.length);
    const space = /^\s+/.exec(rest)?.[0];
    if (space === undefined && rest !== '') return undefined;
    rest = rest.slice(space?.length ?? 0);
  }

  return parts;
}

function unquote(word: string): string {
  return word.replaceAll(
    /\\([^])|'([^']*)'|"((?:\\[^]|[^"\\])*)"/g,
    (_, escaped?: string, single?: string, double?: string) =>
      escaped ?? single ?? (double ?? '').replaceAll(/\\(["\\$`])/g, '$1'),
  );
}

/** A path as terminals write one, so that programs recognise it. */
export function quotePath(path: string): string {
  return path.replaceAll(/[^\w@%+=:,./~\u0080-\u{10FFFF}-]/gu, '\\$&');
}
