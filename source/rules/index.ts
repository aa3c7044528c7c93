/**
 * The rules file: parse it, lint it, and evaluate its directives on a change.
 * Not here: reading files, running commands.
 */
export {checkRules, type RulesCheck} from './check-rules.ts';
export {findVagueness} from './command-quality.ts';
export {type Contradiction, findContradictions} from './contradictions.ts';
export {formatDirective} from './directives.ts';
export {
  type ChangeToEvaluate,
  evaluateChange,
  type Link,
  selectRequirements,
} from './evaluate-change.ts';
export {formatPath, type RequiredResult} from './evaluate-directive.ts';
export {lintRules} from './lint-rules.ts';
export {type Lint, lintHiddenCharacters, type LintName} from './lint.ts';
export {parseRules, type RulesParseResult} from './parse-rules.ts';
export {formatRulesFileError, formatRulesJson, formatRulesReport} from './rules-report.ts';
