/** What a rule can do besides being read: checked on the change, not asked of the agent. */
export type Tooth =
  | {readonly kind: 'protect'; readonly globs: readonly string[]}
  | {readonly kind: 'only'; readonly globs: readonly string[]}
  | {readonly kind: 'forbid-path'; readonly globs: readonly string[]}
  | {readonly kind: 'max-files'; readonly most: number}
  | {readonly kind: 'max-lines'; readonly most: number}
  | {readonly kind: 'forbid'; readonly pattern: string; readonly flags: string}
  | {readonly kind: 'require'; readonly command: string};

/** One list item of the rules file. Position is priority: rule 1.1 outranks 1.2, section 1 outranks section 2. */
export type Rule = {
  /** `section.item`, counted from 1 in the order of the file. */
  readonly number: string;
  readonly text: string;
  readonly line: number;
  readonly tooth?: Tooth;
};

/** One validation command. Its failure is called by its name: `test` → `TEST_FAILURE`. */
export type Check = {
  readonly name: string;
  readonly command: string;
};

/** The rules file as it was when a run copied it. */
export type Rules = {
  readonly rules: readonly Rule[];
  readonly checks: readonly Check[];
  /** sha256 of the normalised text; what an approval binds. */
  readonly hash: string;
};

export function failureCodeOf(check: Pick<Check, 'name'>): string {
  return `${check.name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_FAILURE`;
}
