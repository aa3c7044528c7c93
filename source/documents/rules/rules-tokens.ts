import type {Rules} from '../../domain/index.ts';
import {countTokens} from '../count-tokens.ts';
import {toothText} from './tooth-text.ts';

/** What the rules cost in every prompt: their words, teeth and checks, without the comments around them. */
export function rulesTokens({rules, checks}: Rules): number {
  const lines = [
    ...rules.map(
      ({number, text, tooth}) =>
        `${number} ${text}${tooth === undefined ? '' : ` \`${toothText(tooth)}\``}`,
    ),
    ...checks.map(({name, command}) => `${name}: ${command}`),
  ];
  return countTokens(lines.join('\n'));
}
