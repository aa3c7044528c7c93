import {Box, useIsScreenReaderEnabled} from 'ink';
import {memo, type ReactElement, useMemo} from 'react';
import {useLook, useView} from '../../hooks/use-view.ts';
import {Clickable, Item, Scroll} from '../../ink/regions.tsx';
import {keyFor} from '../../keymap/key-for.ts';
import {type CodeColours, createCodeColours} from '../../review/code-parts.ts';
import type {DiffItem, DiffItems} from '../../review/diff-items.ts';
import type {LineItem} from '../../review/diff-lines.ts';
import {countLines} from '../../review/file-tree.ts';
import {changeNumber, toItemKey} from '../../review/move-cursor.ts';
import type {DiffFile} from '../../review/parse-diff.ts';
import {
  isSideBySide,
  selectDigits,
  selectFileIndex,
  selectFileInView,
  selectHalfColumns,
  selectReviewFiles,
  selectSideBySide,
} from '../../review/select-review.ts';
import {SafeText} from '../SafeText.tsx';
import {DiffHead} from './DiffHead.tsx';
import {DiffRow, type DiffRowProps, gutterColumns} from './DiffRow.tsx';
import {ItemRow} from './ItemRow.tsx';
import {LineCounts} from './LineCounts.tsx';
import {SideRow} from './SideRow.tsx';

/** The diff of the file in view, with its head line and the way to the next file. */
export function DiffView(): ReactElement | null {
  const file = useView(({model}) => selectFileInView(model)?.file);
  const items = useView(({model}) => selectFileInView(model)?.items);
  const cursor = useView(({model}) => selectFileInView(model)?.cursor ?? 0);
  const isSplit = useView(({model}) => isSideBySide(model));
  if (file === undefined || items === undefined) return null;
  const {number, of} = changeNumber(items, cursor);
  return (
    <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0} minHeight={0}>
      <DiffHead file={file} change={number} changes={of} />
      <DiffList file={file} items={items} cursor={cursor} isSplit={isSplit} />
    </Box>
  );
}

type DiffListProps = {
  readonly file: DiffFile;
  readonly items: DiffItems;
  readonly cursor: number;
  readonly isSplit: boolean;
};

/** Only rows near the cursor are rendered: a file may have thousands. */
function DiffList({file, items, cursor, isSplit}: DiffListProps): ReactElement {
  const {highlight} = useLook();
  const rows = useView(({size}) => size.rows);
  const isFocused = useView(({model}) => model.reviewFocus === 'diff');
  const half = useView(({model}) => selectHalfColumns(model));
  const isReader = useIsScreenReaderEnabled();
  const colours = useMemo(
    () => (highlight === undefined ? undefined : createCodeColours(highlight)),
    [highlight],
  );
  const field = useMemo(() => items.items.findIndex(({kind}) => kind === 'field'), [items]);
  // What is being written stays in view.
  const followed = field === -1 ? cursor : field;
  const context: RowContext = {
    file,
    items: items.items,
    cursor: isFocused ? cursor : -1,
    digits: selectDigits(file),
    half,
    colours,
    isReader,
  };
  const at = isSplit ? (selectSideBySide(items).rowOf[followed] ?? 0) : followed;
  const count = isSplit ? selectSideBySide(items).rows.length : items.items.length;
  const window = {from: Math.max(0, at - rows), to: Math.min(count, at + rows)};
  return (
    <Scroll list="diff">
      {isSplit ? renderPairs(context, items, window, at) : renderLines(context, window, followed)}
      {window.to === count ? <NextFile /> : null}
    </Scroll>
  );
}

type RowContext = {
  readonly file: DiffFile;
  readonly items: readonly DiffItem[];
  readonly cursor: number;
  readonly digits: number;
  readonly half: number;
  readonly colours: CodeColours | undefined;
  readonly isReader: boolean;
};

type Window = {readonly from: number; readonly to: number};

function renderLines(context: RowContext, window: Window, followed: number): ReactElement[] {
  const {file, items, colours} = context;
  colours?.colour(items, window, file.path);
  const {cursor, digits, isReader} = context;
  return items.slice(window.from, window.to).map((item, offset) => {
    const index = window.from + offset;
    const id = `${file.path} ${toItemKey(item)}`;
    return (
      <LineItemRow
        key={id}
        id={id}
        item={item}
        index={index}
        isFollowed={index === followed}
        isCursor={index === cursor}
        digits={digits}
        colours={isLine(item) ? colours?.get(item) : undefined}
        isReader={isReader}
      />
    );
  });
}

type DiffItemProps = Omit<DiffRowProps, 'line'> & {readonly item: DiffItem};

const LineItemRow = memo(function LineItemRow({
  id,
  isFollowed,
  ...row
}: DiffItemProps & {readonly id: string; readonly isFollowed: boolean}): ReactElement {
  return (
    <Item id={id} isCursor={isFollowed}>
      <DiffItemRow {...row} />
    </Item>
  );
});

function DiffItemRow({item, ...row}: DiffItemProps): ReactElement {
  return isLine(item) ? (
    <DiffRow line={item} {...row} />
  ) : (
    <ItemRow
      item={item}
      index={row.index}
      isCursor={row.isCursor}
      indent={gutterColumns(row.digits)}
    />
  );
}

function renderPairs(
  context: RowContext,
  all: DiffItems,
  window: Window,
  followed: number,
): ReactElement[] {
  const {file, items, cursor, digits, colours, half} = context;
  const {rows, rowOf} = selectSideBySide(all);
  const shown = rows.slice(window.from, window.to);
  const indexes = shown.flatMap((row) =>
    'across' in row ? [row.across] : [row.left, row.right].filter((one) => one !== undefined),
  );
  colours?.colour(items, {from: Math.min(...indexes), to: Math.max(...indexes) + 1}, file.path);
  const toSide = (index: number | undefined) => {
    const line = index === undefined ? undefined : items[index];
    return index === undefined || line === undefined || !isLine(line)
      ? undefined
      : {line, index, colours: colours?.get(line)};
  };

  return shown.map((row, offset) => {
    const at = window.from + offset;
    const first = 'across' in row ? row.across : (row.left ?? row.right ?? 0);
    const item = items[first];
    const id = `${file.path} ${item === undefined ? '' : toItemKey(item)}`;
    return (
      <Item key={id} id={id} isCursor={at === followed}>
        {'across' in row && item !== undefined ? (
          <DiffItemRow
            item={item}
            index={row.across}
            isCursor={row.across === cursor}
            digits={digits}
            colours={isLine(item) ? colours?.get(item) : undefined}
            isReader={context.isReader}
          />
        ) : (
          <SideRow
            left={'across' in row ? undefined : toSide(row.left)}
            right={'across' in row ? undefined : toSide(row.right)}
            isCursor={cursor !== -1 && rowOf[cursor] === at}
            digits={digits}
            half={half}
          />
        )}
      </Item>
    );
  });
}

function isLine(item: DiffItem): item is LineItem {
  return item.kind === 'context' || item.kind === 'added' || item.kind === 'removed';
}

/** The way on at the end of a file. */
function NextFile(): ReactElement | null {
  const next = useView(({model}) => {
    const files = selectReviewFiles(model);
    return files[selectFileIndex(model, files) + 1];
  });
  const key = useView(({model}) => keyFor(model, 'next-file', 'review'));
  if (next === undefined) return null;
  const [added, removed] = [countLines(next, 'added'), countLines(next, 'removed')];
  return (
    <Clickable
      target={{type: 'action', action: 'next-file'}}
      paddingTop={1}
      paddingX={1}
      columnGap={2}
    >
      <Box flexShrink={0}>
        <SafeText tone="faint">{`${key} next file`}</SafeText>
      </Box>
      <SafeText tone="dim" wrap="truncate-start">
        {next.path}
      </SafeText>
      <LineCounts added={added} removed={removed} />
    </Clickable>
  );
}
