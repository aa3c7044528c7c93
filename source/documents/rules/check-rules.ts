import type {Tooth} from '../../domain/index.ts';
import {type Lint, type LintName} from './lint.ts';
import {lintRules} from './lint-rules.ts';
import {readRules} from './read-rules.ts';
import {rulesTokens} from './rules-tokens.ts';

/** What `orchestra rules check` knows about a file; with `--json` printed as it is. */
export type RulesCheck = {
  readonly file: string;
  readonly hash: string;
  readonly tokens: number;
  readonly rules: readonly {
    readonly number: string;
    readonly text: string;
    readonly line: number;
    readonly tooth?: Tooth;
  }[];
  readonly checks: readonly {
    readonly name: string;
    readonly command: string;
    readonly line: number;
  }[];
  readonly findings: readonly {
    readonly line: number;
    readonly level: Lint['level'];
    readonly name: LintName;
    readonly text: string;
  }[];
  /** No error among the findings. */
  readonly ok: boolean;
};

export function checkRules(file: string, source: Uint8Array | string): RulesCheck {
  const reading = readRules(source);
  const {rules, checks, hash} = reading.value;
  const findings = lintRules(reading);
  const entries = reading.outline.sections.flatMap((section) => section.entries);
  const lineOf = new Map(entries.map(({check, rule}) => [check, rule.line]));
  return {
    file,
    hash,
    tokens: rulesTokens(reading.value),
    rules,
    checks: checks.map((check) => ({...check, line: lineOf.get(check) ?? 1})),
    findings,
    ok: findings.every(({level}) => level === 'warning'),
  };
}
