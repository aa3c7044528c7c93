import {sanitizeText} from '../../base/index.ts';
import {failureCodeOf} from '../../domain/index.ts';
import {showHiddenInJson} from '../hidden-characters.ts';
import type {RulesCheck} from './check-rules.ts';
import {toothText} from './tooth-text.ts';

/** A rules file for a person: its rules in the order of their rank, its checks, and what is wrong. */
export function rulesReport(check: RulesCheck): string {
  return sanitizeText(
    [
      check.file,
      ...part(
        'Rules, the first outranks the rest',
        rows(
          check.rules.map(({number, text, tooth}) => [
            number,
            tooth === undefined ? text : `${text}  [${toothText(tooth)}]`,
          ]),
        ),
      ),
      ...part(
        'Checks, run in this order',
        rows(check.checks.map((one) => [one.name, failureCodeOf(one), one.command])),
      ),
      ...part(
        'Findings',
        rows(
          check.findings.map(({line, level, name, text}) => [`line ${line}`, level, name, text]),
        ),
      ),
      '',
      verdictOn(check),
      '',
    ].join('\n'),
  );
}

/** The same for programs: one object, in which nothing can act on a terminal. */
export function rulesJson(check: RulesCheck): string {
  return `${showHiddenInJson(JSON.stringify(check, undefined, 2))}\n`;
}

function part(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

/** Columns as wide as their widest cell; the last one is left ragged. */
function rows(table: readonly (readonly string[])[]): string[] {
  const widths = table.reduce<number[]>(
    (most, row) => row.map((cell, column) => Math.max(most[column] ?? 0, cell.length)),
    [],
  );
  return table.map(
    (row) =>
      `  ${row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  ')}`,
  );
}

function verdictOn({rules, checks, findings, tokens, ok}: RulesCheck): string {
  const errors = findings.filter(({level}) => level === 'error').length;
  const counts = [
    counted(rules.length, 'rule'),
    counted(checks.length, 'check'),
    counted(tokens, 'token'),
    counted(errors, 'error'),
    counted(findings.length - errors, 'warning'),
  ];
  return `${ok ? 'ok' : 'not ok'}: ${counts.join(', ')}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
