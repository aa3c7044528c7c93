import type {Directive} from '../domain/index.ts';
import type {Lint, LintName} from './lint.ts';
import {countRulesTokens, lintRules} from './lint-rules.ts';
import {parseRules} from './parse-rules.ts';

/** The result of `orchestra rules check`; `--json` prints it unchanged. */
export type RulesCheck = {
  readonly file: string;
  readonly hash: string;
  readonly tokens: number;
  readonly rules: readonly {
    readonly number: string;
    readonly text: string;
    readonly line: number;
    readonly tooth?: Directive;
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
  const parsed = parseRules(source);
  const {rules, checks, hash} = parsed.value;
  const findings = lintRules(parsed);
  const entries = parsed.outline.sections.flatMap((section) => section.entries);
  const lineOf = new Map(entries.map(({check, rule}) => [check, rule.line]));
  return {
    file,
    hash,
    tokens: countRulesTokens(parsed.value),
    rules,
    checks: checks.map((check) => ({...check, line: lineOf.get(check) ?? 1})),
    findings,
    ok: findings.every(({level}) => level === 'warning'),
  };
}
