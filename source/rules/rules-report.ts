import {pluralize, sanitizeText, showHiddenInJson} from '../shared/index.ts';
import {toFailureCode} from '../domain/index.ts';
import type {RulesCheck} from './check-rules.ts';
import {formatDirective} from './directives.ts';

/** The report for a person: the rules in order of priority, the checks, and the findings. */
export function formatRulesReport(check: RulesCheck): string {
  return sanitizeText(
    [
      check.file,
      ...reportPart(
        'Rules · the first wins',
        alignColumns(
          check.rules.map(({number, text, tooth}) => [
            number,
            tooth === undefined ? text : `${text}  [${formatDirective(tooth)}]`,
          ]),
        ),
      ),
      ...reportPart(
        'Checks · in this order',
        alignColumns(check.checks.map((one) => [one.name, toFailureCode(one), one.command])),
      ),
      ...reportPart(
        'Findings',
        alignColumns(
          check.findings.map(({line, level, name, text}) => [`line ${line}`, level, name, text]),
        ),
      ),
      '',
      formatVerdict(check),
      '',
    ].join('\n'),
  );
}

/** The report for programs: one JSON object, safe to print. */
export function formatRulesJson(check: RulesCheck): string {
  return `${showHiddenInJson(JSON.stringify(check, undefined, 2))}\n`;
}

function reportPart(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

/** Columns as wide as their widest cell; the last one is not padded. */
function alignColumns(table: readonly (readonly string[])[]): string[] {
  const widths = table.reduce<number[]>(
    (max, row) => row.map((cell, column) => Math.max(max[column] ?? 0, cell.length)),
    [],
  );
  return table.map(
    (row) =>
      '  ' +
      row
        .map((cell, column) =>
          column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0),
        )
        .join('  '),
  );
}

function formatVerdict({rules, checks, findings, tokens, ok}: RulesCheck): string {
  const errors = findings.filter(({level}) => level === 'error').length;
  const counts = [
    pluralize(rules.length, 'rule'),
    pluralize(checks.length, 'check'),
    pluralize(tokens, 'token'),
    pluralize(errors, 'error'),
    pluralize(findings.length - errors, 'warning'),
  ];
  return `${ok ? 'ok' : 'not ok'}: ${counts.join(', ')}`;
}

export type RulesFileError = {
  readonly file: string;
  /** `missing`, `not a file`, `too large`, or the code of the system error. */
  readonly reason: string;
  /** The path of the example that ships with the package. */
  readonly example: string;
};

/** The message for a rules file that cannot be read. */
export function formatRulesFileError({file, reason, example}: RulesFileError): string {
  return sanitizeText(
    `orchestra: cannot read the rules file ${file}: ${adviceOn(reason, file, example)}\n`,
  );
}

function adviceOn(reason: string, file: string, example: string): string {
  switch (reason) {
    case 'missing':
      return (
        'it does not exist.\nTo start with the example that ships with orchestra, run:\n  ' +
        `cp "${example}" "${file}"`
      );
    case 'not a file':
      return 'it is a directory or a special file.\nName the file itself: orchestra rules check FILE';
    case 'too large':
      return 'it is larger than 256 kB.\nRules are read before every task; keep the file short.';
    case 'EACCES':
    case 'EPERM':
      return (
        `you may not read it (${reason}).\nChange its permissions, or name another file: ` +
        'orchestra rules check FILE'
      );
    default:
      return `the system reports ${reason}.\nCheck its path.`;
  }
}
