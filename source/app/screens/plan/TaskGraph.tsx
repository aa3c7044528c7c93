import {Box} from 'ink';
import type {ReactElement} from 'react';
import {SafeText} from '../../components/SafeText.tsx';
import {useSigns} from '../../hooks/use-view.ts';
import type {PlanTask} from '../../select/plan-view.ts';
import {VerticalLine} from './PlanRow.tsx';

/**
 * The lanes beside a task: a node, lines that go on below it, and joins. A screen reader hears which
 * tasks it waits for instead.
 */
export function TaskGraph({
  graph: {first, next},
  hasNode,
  isChosen = false,
}: {
  readonly graph: PlanTask['graph'];
  /** The row of the title; other rows only have lines. */
  readonly hasNode: boolean;
  readonly isChosen?: boolean;
}): ReactElement {
  const {isAscii, sign, frames} = useSigns();
  return (
    <Box flexDirection="column" flexShrink={0} aria-hidden>
      {hasNode ? (
        <SafeText tone="accent">{isAscii ? first : toLines(first, sign.work)}</SafeText>
      ) : null}
      <Box flexGrow={1}>
        {toLanes(next).map((isOpen, lane) => (
          <VerticalLine
            key={lane}
            sign={isOpen ? frames.rounded.left : ' '}
            width={2}
            isChosen={isChosen}
          />
        ))}
      </Box>
    </Box>
  );
}

/** Each lane is two cells wide. */
function toLanes(text: string): boolean[] {
  return Array.from({length: text.length / 2}, (_, lane) => text[lane * 2] === '|');
}

/** `o-'-'` becomes `●─┴─╯`. A line that goes on has its branch on the side of the node. */
function toLines(text: string, node: string): string {
  const own = text.indexOf('o');
  return text.replaceAll(/[o|'+-]/g, (character, index: number) => {
    if (character === '+') return index < own ? '├' : '┤';
    if (character === "'" && text[index + 1] === '-') return '┴';
    return character === 'o' ? node : (boxCharacters[character] ?? character);
  });
}

const boxCharacters: Readonly<Record<string, string>> = {'|': '│', '-': '─', "'": '╯'};
