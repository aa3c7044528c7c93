import {pluralize, sanitizeText} from '../shared/index.ts';

/** Dependency directories that the daemon found in the checkout. */
export type SharingReport = {
  readonly directories: readonly SharingDirectory[];
  /** The project has a setup command, which may create what is not shared. */
  readonly hasSetup: boolean;
};

export type SharingDirectory = {
  readonly path: string;
  readonly tool: string;
  readonly isShared: boolean;
  readonly bytes: number;
  readonly files: number;
  readonly isCut: boolean;
  readonly ways: readonly {readonly how: 'reflink' | 'hard-link' | 'copy'; readonly ms: number}[];
};

/** Directories that could be shared but are not. Empty if a setup command may create them. */
export function unshared({directories, hasSetup}: SharingReport): readonly SharingDirectory[] {
  return hasSetup ? [] : directories.filter(({isShared}) => !isShared);
}

/** One line: the directory, and the cost of giving each task its own copy. */
export function sharingLine(directory: SharingDirectory): string {
  const {path, tool, bytes, files, isCut, ways} = directory;
  const usual = usualWay(directory);
  const hardLinks = ways.filter((way) => way !== usual && way.how === 'hard-link');
  const costs = [...(usual === undefined ? [] : [usual]), ...hardLinks].map(
    ({how, ms}) => `${wayLabels[how]} ${formatTime(ms)}`,
  );
  return (
    `${sanitizeText(path)} (${tool}, ${isCut ? 'more than ' : ''}${formatSize(bytes)} in ` +
    `${pluralize(files, 'file')}): ${costs.join('; ')}`
  );
}

/** Lines shown with a plan or when a run starts. Empty if nothing is missing. */
export function sharingHint(report: SharingReport): readonly string[] {
  const missing = unshared(report);
  if (missing.length === 0) return [];
  return [
    'Missing in the worktrees of tasks, because git ignores it:',
    ...missing.slice(0, 5).map((directory) => `  ${sharingLine(directory)}`),
    ...(missing.length > 5 ? [`  and ${missing.length - 5} more`] : []),
    `If tasks and checks need ${missing.length === 1 ? 'it' : 'them'}: orchestra share ` +
      (missing.length === 1 ? sanitizeText(missing[0]?.path ?? '') : '--detected'),
  ];
}

/**
 * Hard links need an explicit setting: a program that writes into a linked file also changes the
 * checkout.
 */
function usualWay({ways}: SharingDirectory): SharingDirectory['ways'][number] | undefined {
  return ways.find(({how}) => how === 'reflink') ?? ways.find(({how}) => how === 'copy');
}

const wayLabels = {reflink: 'shared blocks', 'hard-link': 'hard links', copy: 'a copy'};

function formatTime(ms: number): string {
  return ms < 950
    ? `about ${Math.max(1, Math.round(ms / 100)) / 10} s`
    : `about ${Math.round(ms / 1000)} s`;
}

const sizeUnits: readonly (readonly [number, string])[] = [
  [1e9, 'GB'],
  [1e6, 'MB'],
];

function formatSize(bytes: number): string {
  const [unit, name] = sizeUnits.find(([size]) => bytes >= size) ?? ([1e3, 'kB'] as const);
  const value = bytes / unit;
  return `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} ${name}`;
}
