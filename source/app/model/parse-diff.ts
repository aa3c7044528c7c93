/** One file of a unified diff, as git writes it. */
export type DiffFile = {
  readonly path: string;
  readonly before: string;
  readonly text: string;
  readonly lines: readonly DiffLine[];
};

export type DiffLine =
  | {readonly kind: 'hunk'; readonly text: string}
  | {readonly kind: 'context'; readonly text: string; readonly old: number; readonly new: number}
  | {readonly kind: 'added'; readonly text: string; readonly new: number}
  | {readonly kind: 'removed'; readonly text: string; readonly old: number}
  | {readonly kind: 'note'; readonly text: string};

/** Parses a unified diff. Unknown lines become notes or are skipped; it never throws. */
export function parseDiff(text: string): DiffFile[] {
  const files: {path: string; before: string; text: string; lines: DiffLine[]}[] = [];
  let old = 0;
  let fresh = 0;
  let [oldLeft, newLeft] = [0, 0];
  for (const row of text.split('\n')) {
    const file = files.at(-1);
    if (row.startsWith('diff --git ') && oldLeft <= 0 && newLeft <= 0) {
      files.push({path: pathIn(row), before: '', text: 'changed', lines: []});
      continue;
    }

    if (file === undefined) continue;
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(row);
    if (hunk !== null && oldLeft <= 0 && newLeft <= 0) {
      [old, fresh] = [Number(hunk[1]), Number(hunk[3])];
      [oldLeft, newLeft] = [Number(hunk[2] ?? 1), Number(hunk[4] ?? 1)];
      file.lines.push({kind: 'hunk', text: row});
      continue;
    }

    if (oldLeft > 0 || newLeft > 0) {
      const body = row.slice(1);
      if (row.startsWith('+')) {
        file.lines.push({kind: 'added', text: body, new: fresh++});
        newLeft -= 1;
      } else if (row.startsWith('-')) {
        file.lines.push({kind: 'removed', text: body, old: old++});
        oldLeft -= 1;
      } else if (row.startsWith('\\')) {
        file.lines.push({kind: 'note', text: row.slice(2)});
      } else {
        file.lines.push({kind: 'context', text: body, old: old++, new: fresh++});
        oldLeft -= 1;
        newLeft -= 1;
      }

      continue;
    }

    parseHead(file, row);
  }

  return files;
}

function parseHead(
  file: {path: string; before: string; text: string; lines: DiffLine[]},
  row: string,
): void {
  if (row.startsWith('new file')) file.text = 'new';
  else if (row.startsWith('deleted file')) file.text = 'deleted';
  else if (row.startsWith('new mode 100'))
    file.lines.push({
      kind: 'note',
      text: row.endsWith('755')
        ? 'it can be run as a program now'
        : 'it cannot be run as a program any more',
    });
  else if (row.startsWith('rename from '))
    [file.text, file.before] = ['renamed', row.slice('rename from '.length)];
  else if (row.startsWith('rename to ')) file.path = row.slice('rename to '.length);
  else if (row.startsWith('+++ b/')) file.path = row.slice('+++ b/'.length).replace(/\t$/, '');
  else if (row.startsWith('Binary files') || row.startsWith('GIT binary'))
    file.lines.push({kind: 'note', text: 'not shown: a binary file, or one of more than 4 MB'});
  else if (row.startsWith('\\')) file.lines.push({kind: 'note', text: row.slice(2)});
}

/**
 * `diff --git a/x b/x`: both names are equal unless the file was renamed, which later lines tell.
 */
function pathIn(row: string): string {
  const names = row.slice('diff --git '.length);
  const half = (names.length - 1) / 2;
  const [one, other] = [names.slice(0, half), names.slice(half + 1)];
  return Number.isInteger(half) && one.slice(2) === other.slice(2)
    ? other.slice(2)
    : (names.split(' b/').at(-1) ?? names);
}
