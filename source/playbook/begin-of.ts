import type {Step} from '../documents/index.ts';
import type {NotedFile, Progress} from './progress.ts';

export type Begin = {
  /** The first step that is to be done; those before are. */
  readonly from: number;
  readonly answer: string;
  readonly files: readonly NotedFile[];
};

const atTheStart: Begin = {from: 0, answer: '', files: []};

/**
 * Where to go on after a crash. What was noted counts only if the files bear it out: at least one that the steps changed,
 * and each as it was left. Otherwise (the worktree was reset, a person edited it, nothing was changed by then) it begins
 * again at the first step.
 */
export function beginOf(
  noted: Progress | undefined,
  name: string,
  steps: readonly Step[],
  hashOf: (path: string) => string | null,
): Begin {
  if (noted?.of !== name || noted.done > steps.length) return atTheStart;
  const {done, answer, underWay} = noted;
  // A command that was cut off may have changed anything, but not put everything back.
  const isCutOff = steps[done]?.do === 'run';
  const isAsLeft = ({path, first, last}: NotedFile): boolean =>
    hashOf(path) === last || (isCutOff && (first === last || hashOf(path) !== first));
  const made = isMade(underWay, hashOf) ? underWay : undefined;
  const files = made === undefined ? noted.files : withFile(noted.files, made.path, made.after);
  if (!files.some(({first, last}) => first !== last) || !files.every(isAsLeft)) return atTheStart;
  return {from: made === undefined ? done : done + 1, answer, files};
}

function isMade(change: Progress['underWay'], hashOf: (path: string) => string | null): boolean {
  if (change === undefined) return false;
  return hashOf(change.path) === change.after;
}

/** Notes what a file holds now. `first` is known from before, or is what `before` says. */
export function withFile(
  files: readonly NotedFile[],
  path: string,
  last: string | null,
  before?: string | null,
): readonly NotedFile[] {
  const known = files.find((file) => file.path === path);
  if (known === undefined) return [...files, {path, first: before ?? null, last}];
  return files.map((file) => (file === known ? {...file, last} : file));
}
