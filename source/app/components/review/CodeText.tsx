import {memo, type ReactElement} from 'react';
import {formatCount} from '../../model/line.ts';
import type {Line} from '../../model/line.ts';
import {toCodeParts} from '../../review/code-parts.ts';
import {type LineItem, selectChangedRanges} from '../../review/diff-lines.ts';
import type {Surface, Token} from '../../theme/tokens.ts';
import {SafeText} from '../SafeText.tsx';

/**
 * The text of a line: code in its colours, changed words on a surface of their own. What changed is
 * never cut; unchanged lines are, unless the cursor is on them.
 */
export const CodeText = memo(function CodeText({
  line,
  colours,
  isWhole,
}: {
  readonly line: LineItem;
  readonly colours: Line | undefined;
  readonly isWhole: boolean;
}): ReactElement {
  const {kind, omitted, hasNoNewline} = line;
  const surface = surfaces[kind];
  return (
    <SafeText wrap={isWhole || kind !== 'context' ? 'hard' : 'truncate'}>
      {toCodeParts(line, colours, selectChangedRanges(line)).map(
        ({text, tone, isChanged}, index) => (
          <SafeText key={index} tone={tone} on={isChanged ? surface?.words : surface?.row[tone]}>
            {text}
          </SafeText>
        ),
      )}
      {omitted === 0 ? null : (
        <SafeText tone="faint">{` … and ${formatCount(omitted)} characters more`}</SafeText>
      )}
      {hasNoNewline ? <SafeText tone="faint">{'  no newline at the end'}</SafeText> : null}
    </SafeText>
  );
});

/** A theme without backgrounds colours the plain text of a changed line; code keeps its colours. */
type RowSurfaces = {
  readonly row: Readonly<Partial<Record<Token, Surface>>>;
  readonly words: Surface;
};

const surfaces: Readonly<Record<LineItem['kind'], RowSurfaces | undefined>> = {
  context: undefined,
  added: {row: {text: 'add'}, words: 'add-word'},
  removed: {row: {text: 'del'}, words: 'del-word'},
};
