import {sanitizeText} from '../../base/index.ts';

/** What the daemon found of dependencies in the checkout. */
export type SharingReport = {
  readonly directories: readonly SharingDirectory[];
  /** A command makes worktrees usable: then what is not shared may well be made by it. */
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

/** What could be shared and is not. Nothing where `setup` is there to bring it. */
export function unshared({directories, hasSetup}: SharingReport): readonly SharingDirectory[] {
  return hasSetup ? [] : directories.filter(({isShared}) => !isShared);
}

/** One line: what is there and what it would cost to give each task its own. */
export function sharingLine(directory: SharingDirectory): string {
  const {path, tool, bytes, files, isCut, ways} = directory;
  const usual = usualWay(directory);
  const others = ways
    .filter((way) => way !== usual && way.how === 'hard-link')
    .map(({how, ms}) => `${wayWords[how]} ${timeWords(ms)}`);
  return `${sanitizeText(path)} (${tool}, ${isCut ? 'more than ' : ''}${sizeWords(bytes)} in ${files} ${files === 1 ? 'file' : 'files'}): ${[usual === undefined ? '' : `${wayWords[usual.how]} ${timeWords(usual.ms)}`, ...others].filter((one) => one !== '').join('; ')}`;
}

/** Lines for whoever reads a plan or starts a run; none where nothing is missing. */
export function sharingHint(report: SharingReport): readonly string[] {
  const missing = unshared(report);
  if (missing.length === 0) return [];
  return [
    'Not in the worktrees of tasks, because git ignores it:',
    ...missing.slice(0, 5).map((directory) => `  ${sharingLine(directory)}`),
    ...(missing.length > 5 ? [`  and ${missing.length - 5} more`] : []),
    `If tasks and checks need ${missing.length === 1 ? 'it' : 'them'}: orchestra share ${missing.length === 1 ? sanitizeText(missing[0]?.path ?? '') : '--detected'}`,
  ];
}

/** Hard links only by the project's own word: a program that writes into such a file writes into the checkout. */
function usualWay({ways}: SharingDirectory): SharingDirectory['ways'][number] | undefined {
  return ways.find(({how}) => how === 'reflink') ?? ways.find(({how}) => how === 'copy');
}

const wayWords = {reflink: 'shared blocks', 'hard-link': 'hard links', copy: 'a copy'};

function timeWords(ms: number): string {
  return ms < 950
    ? `about ${Math.max(1, Math.round(ms / 100)) / 10} s`
    : `about ${Math.round(ms / 1000)} s`;
}

function sizeWords(bytes: number): string {
  const [unit, name] = bytes >= 1e9 ? [1e9, 'GB'] : bytes >= 1e6 ? [1e6, 'MB'] : [1e3, 'kB'];
  const value = bytes / unit;
  return `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} ${name}`;
}
