import {Text} from 'ink';
import type {ReactElement} from 'react';
import type {Line} from '../model/line.ts';
import type {Theme} from './theme.ts';

/**
 * Rows of the chrome, which have their final width. One Text node holds them all: a node for each
 * row takes about twice as long.
 */
export function Lines({
  lines,
  theme,
}: {
  readonly lines: readonly Line[];
  readonly theme: Theme;
}): ReactElement {
  return <Text>{lines.map((line) => styled(line, theme)).join('\n')}</Text>;
}

/** Trailing blanks are dropped, because Ink processes each of them. */
function styled(line: Line, theme: Theme): string {
  const end =
    line.findLastIndex(({text, tone}) => /[^ ]/.test(text) || /\b[47]\b/.test(theme[tone])) + 1;
  return line
    .slice(0, end)
    .map(({text, tone}) =>
      theme[tone] === '' || text === '' ? text : `\u001B[${theme[tone]}m${text}\u001B[0m`,
    )
    .join('');
}
