import type {
  AddedLine,
  Change,
  ChangedFile,
  Judgement,
  Rules,
  RuleVerdict,
  UnreadFile,
} from '../domain/index.ts';
import {
  evaluateDirective,
  type Evidence,
  type RequiredResult,
  toMatchablePath,
} from './evaluate-directive.ts';
import {gitAttributesName, gitFolderName, gitModulesName, pathMatcher} from '../shared/index.ts';
import {findContradictions} from './contradictions.ts';

export type ChangeToEvaluate = {
  readonly change: Change;
  /** The files, folders and globs of the task's plan. */
  readonly planned: readonly string[];
  readonly rules: Rules;
  /** Every line that the change adds to a text file. */
  readonly addedLines: readonly AddedLine[];
  /** Files whose added lines are not all there: binary or too large. */
  readonly unread?: readonly UnreadFile[];
  /** The added or changed symbolic links. */
  readonly links: readonly Link[];
  /** The results of the commands of `selectRequirements`. */
  readonly required: readonly RequiredResult[];
  /** Values that must not appear in a judgement, which is stored for ever. */
  readonly secrets?: readonly string[];
};

/**
 * Checks the scope, then every rule in the order of the file. A rename is a deletion and an
 * addition; case matters.
 */
export function evaluateChange({
  change,
  planned,
  rules,
  addedLines,
  unread = [],
  links,
  required,
  secrets = [],
}: ChangeToEvaluate): Judgement {
  const rejected = findRejectedPaths({files: change.files, planned, addedLines, links});
  const isPlanned = pathMatcher(planned);
  const unplanned = change.files
    .map(({path}) => path)
    .filter((path) => !isPlanned(toMatchablePath(path)));
  const skipped = findSkippedRules(rules);
  const evidence: Evidence = {files: change.files, addedLines, unread, required, secrets};
  return {
    outside: [...new Set([...rejected.map(({path}) => path), ...unplanned])],
    ...(rejected.length > 0 && {refused: rejected}),
    rules: rules.rules.map((rule): RuleVerdict => {
      const why = skipped.get(rule.number);
      if (why !== undefined) return {number: rule.number, verdict: 'not-checkable', detail: why};
      return {number: rule.number, ...evaluateDirective(rule, evidence)};
    }),
  };
}

/**
 * The `require:` commands that must run on a change before it is evaluated, without those of
 * skipped rules.
 */
export function selectRequirements(
  rules: Rules,
): {readonly rule: string; readonly command: string}[] {
  const skipped = findSkippedRules(rules);
  return rules.rules.flatMap(({number, tooth}) =>
    tooth?.kind === 'require' && !skipped.has(number)
      ? [{rule: number, command: tooth.command}]
      : [],
  );
}

/** The rules that are skipped because they contradict an earlier one, each with the reason. */
function findSkippedRules({rules}: Rules): ReadonlyMap<string, string> {
  const skipped = new Map<string, string>();
  for (const {earlier, later, text} of findContradictions(rules)) {
    if (skipped.has(earlier.number) || skipped.has(later.number)) continue;
    skipped.set(
      later.number,
      `contradicts rule ${earlier.number}, which is above it and wins: ${text}`,
    );
  }

  return skipped;
}

export type Link = {
  readonly path: string;
  readonly target: string;
  /** It leads out of the worktree, directly or through other links. */
  readonly isOutside: boolean;
};

type RejectedPath = NonNullable<Judgement['refused']>[number];

type RejectionInput = {
  readonly files: readonly ChangedFile[];
  readonly planned: readonly string[];
  readonly addedLines: readonly AddedLine[];
  readonly links: readonly Link[];
};

/**
 * Changes that are rejected without any rule: they make git or orchestra run something, or lead out
 * of the worktree.
 */
export function findRejectedPaths({
  files,
  planned,
  addedLines,
  links,
}: RejectionInput): RejectedPath[] {
  const found = [
    ...files.flatMap((file) =>
      toRejectedPaths(file.path, whyFileRejected(file, planned, addedLines)),
    ),
    ...links.flatMap(({path, target, isOutside}) =>
      toRejectedPaths(path, whyLinkRejected(target, isOutside)),
    ),
  ];
  const first = new Map<string, RejectedPath>();
  for (const rejected of found) if (!first.has(rejected.path)) first.set(rejected.path, rejected);
  return [...first.values()];
}

function toRejectedPaths(path: string, why: string | undefined): RejectedPath[] {
  return why === undefined ? [] : [{path, why}];
}

function whyFileRejected(
  file: ChangedFile,
  planned: readonly string[],
  addedLines: readonly AddedLine[],
): string | undefined {
  const names = file.path.split('/').map(foldName);
  if (/[\u0000-\u001F\u007F-\u009F]/.test(file.path)) return 'its name has control characters';
  if (file.path.includes('\uFFFD')) return 'its name is not UTF-8, so it cannot be shown';
  if (names.some((name) => gitFolderName.test(name))) return "belongs to git's own files";
  if (names.some((name) => gitModulesName.test(name))) return 'adds other repositories';
  if (names.some((name) => gitAttributesName.test(name)) && mayRunDrivers(file, addedLines))
    return 'makes git run filter, diff or merge programs';
  const steering = steeringFiles.find(({is}) => is.test(names.join('/')));
  return steering === undefined || planned.some((entry) => steering.namedBy.test(entry))
    ? undefined
    : steering.why;
}

function whyLinkRejected(target: string, isOutside: boolean): string | undefined {
  if (isOutside) return 'is a link that leads outside the worktree';
  return target.split('/').some((name) => gitFolderName.test(foldName(name)))
    ? "is a link into git's own files"
    : undefined;
}

/**
 * The name on a file system that ignores case and invisible characters, as on macOS and Windows.
 * Git's own check folds it too.
 */
function foldName(name: string): string {
  return name
    .normalize('NFC')
    .replaceAll(/[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g, '')
    .toLowerCase();
}

/**
 * Files that control orchestra. A glob that happens to match one is no permission: the plan must
 * name it.
 */
const steeringFiles: readonly {
  readonly is: RegExp;
  readonly namedBy: RegExp;
  readonly why: string;
}[] = [
  {
    is: /^\.rulesfile\.md$/,
    namedBy: /^\.rulesfile\.md$/,
    why: 'contains the rules; the plan must name it',
  },
  {
    is: /^\.orchestra\/project\.yaml$/,
    namedBy: /^\.orchestra\/project\.yaml$/,
    why: 'configures what orchestra runs; the plan must name it',
  },
  {
    is: /^\.orchestra\/hooks(?:\/|$)/,
    namedBy: /^\.orchestra\/hooks(?:\/|$)/,
    why: 'is run by orchestra; the plan must name it',
  },
];

/** Whether the attributes could name a program. Lines that were not read could. */
function mayRunDrivers(
  {path, how, added, removed}: ChangedFile,
  addedLines: readonly AddedLine[],
): boolean {
  if (how === 'deleted') return false;
  const lines = addedLines.filter((line) => line.path === path);
  const isUnseen = lines.length < added || added + removed === 0;
  return isUnseen || lines.some(({text}) => /(?:^|\s)(?:filter|diff|merge)=/i.test(text));
}
