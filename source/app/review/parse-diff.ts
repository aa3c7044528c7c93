/** One file of a unified diff, as git writes it. */
export type DiffFile = {
  readonly path: string;
  /** The path before, of a renamed file. */
  readonly before?: string;
  readonly how: ChangeLetter;
  /**
   * Git's names of the old and the new content, `1f3a…..9c0b…`. Absent where the content is the
   * same: only the name or the mode changed.
   */
  readonly objects?: string;
  /** What no line shows: a mode, a link, a binary file. */
  readonly notices: readonly string[];
  readonly hunks: readonly DiffHunk[];
  /** It has comments, and is no longer part of the change. */
  readonly isGone?: true;
};

export type ChangeLetter = 'A' | 'M' | 'D' | 'R';

export type DiffHunk = {
  /** Lines of the file that git left out between the hunk before and this one. */
  readonly omitted: number;
  /** What git found above the hunk: the name of a function, mostly. */
  readonly heading: string;
  readonly lines: readonly DiffLine[];
};

export type DiffLine = {
  readonly text: string;
  /** The last line of its side, and no line end follows. */
  readonly hasNoNewline?: true;
} & (
  | {readonly kind: 'context'; readonly oldLine: number; readonly newLine: number}
  | {readonly kind: 'added'; readonly newLine: number; readonly oldLine?: undefined}
  | {readonly kind: 'removed'; readonly oldLine: number; readonly newLine?: undefined}
);

/** Parses a unified diff. Unknown lines are skipped; it never throws. */
export function parseDiff(text: string): DiffFile[] {
  const files: FileBuilder[] = [];
  const rows = text.split('\n');
  // The text ends with a line end, after which there is no further line.
  if (rows.at(-1) === '') rows.pop();
  let file: FileBuilder | undefined;
  for (const row of rows) {
    if (file !== undefined && isInHunk(file)) readHunkRow(file, row);
    else if (row.startsWith('diff --git ')) {
      file = startFile(row.slice('diff --git '.length));
      files.push(file);
    } else if (file !== undefined) readHeadRow(file, row);
  }

  return joinTypeChanges(files).map(toFile);
}

type Mutable<T> = {-readonly [Key in keyof T]: T[Key]};

type FileBuilder = Omit<Mutable<DiffFile>, 'notices' | 'hunks'> & {
  notices: string[];
  hunks: {omitted: number; heading: string; lines: Mutable<DiffLine>[]}[];
  /** The next line of each side, and how many lines of the hunk are still to come. */
  oldLine: number;
  newLine: number;
  oldLeft: number;
  newLeft: number;
};

function startFile(names: string): FileBuilder {
  return {
    path: parseSecondName(names),
    how: 'M',
    notices: [],
    hunks: [],
    oldLine: 1,
    newLine: 1,
    oldLeft: 0,
    newLeft: 0,
  };
}

function toFile(builder: FileBuilder): DiffFile {
  const {path, before, how, objects, notices, hunks} = builder;
  return {
    path,
    how,
    notices,
    hunks,
    ...(before !== undefined && {before}),
    ...(objects !== undefined && {objects}),
  };
}

function isInHunk({oldLeft, newLeft}: FileBuilder): boolean {
  return oldLeft > 0 || newLeft > 0;
}

function readHunkRow(file: FileBuilder, row: string): void {
  const lines = file.hunks.at(-1)?.lines ?? [];
  const text = row.slice(1);
  switch (row[0]) {
    case '+':
      lines.push({kind: 'added', text, newLine: file.newLine++});
      file.newLeft -= 1;
      return;
    case '-':
      lines.push({kind: 'removed', text, oldLine: file.oldLine++});
      file.oldLeft -= 1;
      return;
    case '\\':
      markNoNewline(file);
      return;
    default:
      lines.push({kind: 'context', text, oldLine: file.oldLine++, newLine: file.newLine++});
      file.oldLeft -= 1;
      file.newLeft -= 1;
  }
}

function markNoNewline({hunks}: FileBuilder): void {
  const last = hunks.at(-1)?.lines.at(-1);
  if (last !== undefined) last.hasNoNewline = true;
}

function readHeadRow(file: FileBuilder, row: string): void {
  if (row.startsWith('@@ ')) startHunk(file, row);
  else if (row.startsWith('\\')) markNoNewline(file);
  else if (row.startsWith('index ')) file.objects = row.split(' ')[1] ?? '';
  else if (row.startsWith('new file mode ')) {
    file.how = 'A';
    file.notices.push(...explainMode(row));
  } else if (row.startsWith('deleted file mode ')) file.how = 'D';
  else if (row.startsWith('new mode ')) file.notices.push(explainNewMode(row));
  else if (row.startsWith('rename from ')) {
    file.how = 'R';
    file.before = unquote(row.slice('rename from '.length));
  } else if (row.startsWith('rename to ')) file.path = unquote(row.slice('rename to '.length));
  else if (row.startsWith('+++ ')) file.path = parseSide(row.slice(4), 'b/') ?? file.path;
  else if (row.startsWith('--- ') && file.how === 'D')
    file.path = parseSide(row.slice(4), 'a/') ?? file.path;
  else if (row.startsWith('Binary files ') || row.startsWith('GIT binary patch'))
    file.notices.push('Not shown: a binary file, or one of more than 4 MB.');
}

function startHunk(file: FileBuilder, row: string): void {
  const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s.exec(row);
  if (head === null) return;
  file.oldLeft = Number(head[2] ?? 1);
  file.newLeft = Number(head[4] ?? 1);
  // Of a side without lines git names the line before the hunk.
  const oldLine = Number(head[1]) + (file.oldLeft === 0 ? 1 : 0);
  const newLine = Number(head[3]) + (file.newLeft === 0 ? 1 : 0);
  file.hunks.push({
    omitted: Math.max(0, newLine - file.newLine),
    heading: head[5] ?? '',
    lines: [],
  });
  [file.oldLine, file.newLine] = [oldLine, newLine];
}

function explainMode(row: string): string[] {
  if (row.endsWith('755')) return ['It can be run as a program.'];
  if (row.endsWith('120000')) return ['A symbolic link.'];
  return row.endsWith('160000') ? ['A submodule.'] : [];
}

function explainNewMode(row: string): string {
  return row.endsWith('755')
    ? 'It can be run as a program now.'
    : 'It cannot be run as a program any more.';
}

/** A file that became a link, or the reverse, is written as deleted and then as new. */
function joinTypeChanges(files: readonly FileBuilder[]): FileBuilder[] {
  const joined: FileBuilder[] = [];
  for (const file of files) {
    const last = joined.at(-1);
    if (last?.path === file.path && last.how === 'D' && file.how === 'A')
      joined[joined.length - 1] = {
        ...file,
        how: 'M',
        objects: `${last.objects ?? ''} ${file.objects ?? ''}`,
        notices: ['Its type changed.', ...last.notices, ...file.notices],
        hunks: [...last.hunks, ...file.hunks],
      };
    else joined.push(file);
  }

  return joined;
}

/**
 * `a/x b/x`: both names are equal unless the file was renamed, and then later lines have its name.
 */
function parseSecondName(names: string): string {
  const half = Math.floor(names.length / 2);
  return parseSide(names.slice(half + 1), 'b/') ?? names;
}

/** Undefined for `/dev/null`. A name with spaces is followed by a tab. */
function parseSide(text: string, side: 'a/' | 'b/'): string | undefined {
  const name = unquote(text.replace(/\t$/, ''));
  return name.startsWith(side) ? name.slice(side.length) : undefined;
}

/** Git quotes names with control characters, quotes or backslashes as C does. */
function unquote(name: string): string {
  if (!/^".*"$/s.test(name)) return name;
  return name
    .slice(1, -1)
    .replaceAll(/(?:\\[0-3][0-7]{2})+|\\./g, (escape) =>
      /^\\\d/.test(escape)
        ? new TextDecoder().decode(
            Uint8Array.from(escape.slice(1).split('\\'), (digits) => Number.parseInt(digits, 8)),
          )
        : (cEscapes[escape.slice(1)] ?? escape.slice(1)),
    );
}

const cEscapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
