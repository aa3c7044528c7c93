import type {Change, Judgement, RuleVerdict, Rules} from '../../domain/index.ts';
import {pathMatcher} from '../path-matcher.ts';
import {contradictionsOf} from '../rules/contradictions-of.ts';
import {type Evidence, type RequiredResult, type UnreadFile, judgeTooth} from './judge-tooth.ts';
import {matchable} from './matchable.ts';
import type {AddedLine} from './find-forbidden.ts';
import {type Link, refusalsOf} from './refusals-of.ts';

export type ChangeToJudge = {
  readonly change: Change;
  /** The files, folders and globs of the task's plan. */
  readonly planned: readonly string[];
  readonly rules: Rules;
  /** Every line that the change adds to a text file. */
  readonly addedLines: readonly AddedLine[];
  /** Files of which not every added line is there: bytes, or too much of them. */
  readonly unread?: readonly UnreadFile[];
  /** The symbolic links among what was added or changed. */
  readonly links: readonly Link[];
  /** What running the commands of `requirementsOf` showed. */
  readonly required: readonly RequiredResult[];
  /** Values that must not stand in a judgement, which is kept for ever. */
  readonly secrets?: readonly string[];
};

/** Scope first, then every rule in the order of the file. A rename is a deletion and an addition; capitals count. */
export function judgeChange({
  change,
  planned,
  rules,
  addedLines,
  unread = [],
  links,
  required,
  secrets = [],
}: ChangeToJudge): Judgement {
  const refused = refusalsOf({files: change.files, planned, addedLines, links});
  const isPlanned = pathMatcher(planned);
  const unplanned = change.files
    .map(({path}) => path)
    .filter((path) => !isPlanned(matchable(path)));
  const skipped = skippedOf(rules);
  const evidence: Evidence = {files: change.files, addedLines, unread, required, secrets};
  return {
    outside: [...new Set([...refused.map(({path}) => path), ...unplanned])],
    ...(refused.length > 0 && {refused}),
    rules: rules.rules.map((rule): RuleVerdict => {
      const why = skipped.get(rule.number);
      if (why !== undefined) return {number: rule.number, verdict: 'not-checkable', detail: why};
      return {number: rule.number, ...judgeTooth(rule, evidence)};
    }),
  };
}

/** The commands that must be run on a change before it is judged: those of `require:` in rules that count. */
export function requirementsOf(rules: Rules): {readonly rule: string; readonly command: string}[] {
  const skipped = skippedOf(rules);
  return rules.rules.flatMap(({number, tooth}) =>
    tooth?.kind === 'require' && !skipped.has(number)
      ? [{rule: number, command: tooth.command}]
      : [],
  );
}

/** The rules that do not count, because an earlier one that does says the opposite. */
function skippedOf({rules}: Rules): ReadonlyMap<string, string> {
  const skipped = new Map<string, string>();
  for (const {earlier, later, text} of contradictionsOf(rules)) {
    if (skipped.has(earlier.number) || skipped.has(later.number)) continue;
    skipped.set(
      later.number,
      `contradicts rule ${earlier.number}, which stands above it and wins: ${text}`,
    );
  }

  return skipped;
}
