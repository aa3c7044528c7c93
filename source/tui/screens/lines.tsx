import {Text} from 'ink';
import type {ReactElement} from 'react';
import {textOfLine, type Line} from '../model/line.ts';
import type {Theme} from './theme.ts';

/** Rows of the chrome. They have their width already, so one text of Ink holds them all: a node for each row would cost about twice as much. */
export function Lines({
  lines,
  theme,
}: {
  readonly lines: readonly Line[];
  readonly theme: Theme;
}): ReactElement {
  return (
    <Text
      aria-label={lines
        .map((line) => textOfLine(line).trim())
        .filter((words) => words !== '')
        .join('\n')}
    >
      {lines.map((line) => styled(line, theme)).join('\n')}
    </Text>
  );
}

/** Blanks at the end are left out, for Ink looks at every one of them. */
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
