import {formsOf, pathMatcher} from '../path-matcher.ts';

/** Whether every path that `inner` matches is one that `outer` matches. Says no when it is not sure. */
export function covers(outer: string, inner: string): boolean {
  if (outer === inner) return true;
  if (/[?{]/.test(inner)) return false;
  return samplesOf(inner).every(pathMatcher([outer]));
}

/** Whether no path can match both: somewhere before the first wildcard they go into different folders. */
export function areDisjoint(one: string, other: string): boolean {
  const [a, b] = [fixedFoldersOf(one), fixedFoldersOf(other)];
  return a.slice(0, b.length).some((folder, index) => folder !== b[index]);
}

/** Paths of several depths that match the glob, with names that nothing else would match by chance. */
function samplesOf(glob: string): string[] {
  return formsOf(glob).flatMap((form) =>
    ['', 'qzx1/', 'qzx1/.qzx2/'].map((folders) =>
      form.replaceAll('**/', folders).replaceAll('**', `${folders}qzx3`).replaceAll('*', 'qzx4'),
    ),
  );
}

function fixedFoldersOf(glob: string): string[] {
  const names = glob.split('/').filter((name) => name !== '');
  const wild = names.findIndex((name) => /[*?{]/.test(name));
  return wild === -1 ? names : names.slice(0, wild);
}
