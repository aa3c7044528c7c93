import {Box} from 'ink';
import {memo, type ReactElement} from 'react';
import {useSigns, useView} from '../../hooks/use-view.ts';
import {Clickable} from '../../ink/regions.tsx';
import {keyFor} from '../../keymap/key-for.ts';
import type {DiffItem} from '../../review/diff-items.ts';
import type {LineItem} from '../../review/diff-lines.ts';
import {SafeText} from '../SafeText.tsx';
import {SelectRow} from '../SelectRow.tsx';
import {CommentCard, CommentField} from './CommentCard.tsx';

export type ItemRowProps = {
  readonly item: Exclude<DiffItem, LineItem>;
  readonly index: number;
  readonly isCursor: boolean;
  /** Cells before the text of lines. */
  readonly indent: number;
};

/** What stands between the lines of a diff, across its whole width. */
export const ItemRow = memo(function ItemRow({
  item,
  index,
  isCursor,
  indent,
}: ItemRowProps): ReactElement {
  return (
    <Clickable target={{type: 'item', list: 'diff', index}} flexGrow={1} flexShrink={1}>
      <SelectRow isSelected={isCursor} flexGrow={1} flexShrink={1}>
        <Box flexGrow={1} flexShrink={1} paddingLeft={indent - 1} flexDirection="column">
          <ItemContent item={item} />
        </Box>
      </SelectRow>
    </Clickable>
  );
});

function ItemContent({item}: {readonly item: ItemRowProps['item']}): ReactElement {
  switch (item.kind) {
    case 'fold':
      return <Fold count={item.count} isOpen={item.isOpen} />;
    case 'hunk-gap':
      return (
        <Dashed hint={item.heading}>
          <SafeText tone="faint">{`${formatLines(item.count)} not shown`}</SafeText>
        </Dashed>
      );
    case 'comment':
      return <CommentCard comment={item.comment} isStray={item.isStray} />;
    case 'field':
      return <CommentField />;
    case 'notice':
      return (
        <SafeText tone="dim" wrap="wrap">
          {item.text}
        </SafeText>
      );
  }
}

function Fold({count, isOpen}: {readonly count: number; readonly isOpen: boolean}): ReactElement {
  const key = useView(({model}) => keyFor(model, 'open', 'review'));
  return (
    <Dashed hint={`${key} ${isOpen ? 'closes' : 'opens'}`}>
      <SafeText tone="dim">{`${formatLines(count)} as before`}</SafeText>
    </Dashed>
  );
}

function Dashed({
  hint = '',
  children,
}: {
  readonly hint?: string;
  readonly children: ReactElement;
}): ReactElement {
  const dashes = useSigns().isAscii ? '---' : '┄┄┄';
  return (
    <Box columnGap={1} height={1}>
      <SafeText tone="faint" isHidden>
        {dashes}
      </SafeText>
      {children}
      <SafeText tone="faint" isHidden>
        {dashes}
      </SafeText>
      <SafeText tone="dim">{hint === '' ? '' : ` ${hint}`}</SafeText>
    </Box>
  );
}

function formatLines(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}
