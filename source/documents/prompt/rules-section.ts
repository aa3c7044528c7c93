import {sanitizeText} from '../../base/index.ts';
import type {Rules} from '../../domain/index.ts';
import {toothText} from '../rules/tooth-text.ts';
import type {Section} from './compose-prompt.ts';

/** All rules, in their order and in their own words, above everything else. */
export function rulesSection({rules, checks}: Rules): Section {
  const lines = rules.map(
    ({number, text, tooth}) =>
      `${number} ${text}${tooth === undefined || text === toothText(tooth) ? '' : ` \`${toothText(tooth)}\``}`,
  );
  return {
    name: 'rules',
    head: '# Rules\n\nPosition is priority: where two rules disagree, the one above wins. They outrank everything below.',
    pieces: [...lines, ...checks.map(({name, command}) => `check ${name}: \`${command}\``)].map(
      sanitizeText,
    ),
    joint: '\n',
  };
}
