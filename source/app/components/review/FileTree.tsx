import {Box, useIsScreenReaderEnabled} from 'ink';
import {memo, type ReactElement, useMemo} from 'react';
import {useDaemonState, useSigns, useTheme, useView} from '../../hooks/use-view.ts';
import {Clickable, Inverse, Item, Scroll} from '../../ink/regions.tsx';
import {buildFileTree, type FileRow, type TreeRow} from '../../review/file-tree.ts';
import type {ChangeLetter} from '../../review/parse-diff.ts';
import {selectFileIndex, selectReviewFiles, selectTaskOf} from '../../review/select-review.ts';
import type {Token} from '../../theme/tokens.ts';
import {SafeText} from '../SafeText.tsx';

/** The changed files by directory. The one in view is marked. Only rows near it are rendered. */
export function FileTree(): ReactElement {
  const state = useDaemonState();
  const files = useView(({model}) => selectReviewFiles(model));
  const subject = useView(({model}) => model.subject);
  const viewed = useView(({model}) => model.viewed);
  const chosen = useView(({model}) => selectFileIndex(model, selectReviewFiles(model)));
  const isFocused = useView(({model}) => model.reviewFocus === 'files');
  const rows = useView(({size}) => size.rows);
  const isReader = useIsScreenReaderEnabled();
  const tree = useMemo(() => {
    const taskOf = (path: string): number | undefined => selectTaskOf({subject}, state, path);
    let index = 0;
    return buildFileTree(files, {comments: [], viewed, taskOf}).map((row) => ({
      row,
      index: row.kind === 'file' ? index++ : -1,
    }));
  }, [files, viewed, subject, state]);
  const widths = useMemo(() => toWidths(tree.map(({row}) => row)), [tree]);
  const at = tree.findIndex(({index}) => index === chosen);
  const first = Math.max(0, at - rows);
  return (
    <Scroll list="files" flexGrow={0} flexBasis="auto" minHeight={Math.min(3, tree.length)}>
      {tree.slice(first, at + rows).map(({row, index}) =>
        row.kind === 'directory' ? (
          <Box key={row.path} height={1} flexShrink={0} paddingX={1}>
            <SafeText tone="dim" wrap="truncate-start">
              {row.path}
            </SafeText>
          </Box>
        ) : (
          <Item key={row.path} id={row.path} isCursor={index === chosen}>
            <FileRowView
              {...row}
              index={index}
              isChosen={index === chosen}
              isFocused={isFocused}
              isReader={isReader}
              widths={widths}
            />
          </Item>
        ),
      )}
    </Scroll>
  );
}

type FileRowProps = FileRow & {
  readonly index: number;
  readonly isChosen: boolean;
  readonly isFocused: boolean;
  readonly isReader: boolean;
  readonly widths: Widths;
};

/** The cells of the numbers behind a name: as many as the longest needs, and a gap. */
type Widths = {readonly task: number; readonly added: number; readonly removed: number};

function toWidths(rows: readonly TreeRow[]): Widths {
  const files = rows.filter((row) => row.kind === 'file');
  const maxLength = (select: (row: FileRow) => number | undefined): number =>
    files.reduce((cells, row) => Math.max(cells, formatCount(select(row)).length), 0);
  const [task, added, removed] = [
    maxLength((row) => row.task),
    maxLength((row) => row.added),
    maxLength((row) => row.removed),
  ];
  // `+` and `-` stand before numbers of lines.
  return {
    task: task === 0 ? 0 : task + 1,
    added: added === 0 ? 0 : added + 3,
    removed: removed === 0 ? 0 : removed + 2,
  };
}

function formatCount(count: number | undefined): string {
  return count === undefined || count === 0 ? '' : String(count);
}

const FileRowView = memo(function FileRowView(props: FileRowProps): ReactElement {
  const {index, isChosen, isFocused, isReader, name, how, task, added, removed, widths} = props;
  const {sign} = useSigns();
  const {backgroundColor} = useTheme().fill('select');
  if (isReader) return <SafeText wrap="wrap">{toSentence(props)}</SafeText>;
  return (
    <Inverse isOn={isChosen && isFocused && backgroundColor === undefined} flexShrink={0}>
      <Clickable
        target={{type: 'file', index}}
        height={1}
        flexGrow={1}
        flexShrink={1}
        {...(isChosen && backgroundColor !== undefined && {backgroundColor})}
      >
        <Box flexShrink={0}>
          <SafeText>
            <SafeText tone="accent">{`${isChosen ? sign.cursor : ' '} `}</SafeText>
            <SafeText tone="good">{`${props.isViewed ? sign.passed : ' '} `}</SafeText>
            <SafeText tone={letterTones[how]}>{`${props.isGone ? ' ' : how} `}</SafeText>
          </SafeText>
        </Box>
        <Box flexGrow={1} flexShrink={1} flexBasis={0}>
          <SafeText bold={isChosen}>{name}</SafeText>
        </Box>
        <Count width={widths.task} tone="dim" text={formatCount(task)} />
        <Count width={widths.added} tone="good" text={added === 0 ? '' : `+${added}`} />
        <Count width={widths.removed} tone="bad" text={removed === 0 ? '' : `-${removed}`} />
        <Box width={1} flexShrink={0} />
      </Clickable>
    </Inverse>
  );
});

function Count({
  width,
  tone,
  text,
}: {
  readonly width: number;
  readonly tone: Token;
  readonly text: string;
}): ReactElement {
  return (
    <Box width={width} flexShrink={0} justifyContent="flex-end">
      <SafeText tone={tone}>{text}</SafeText>
    </Box>
  );
}

const letterTones: Readonly<Record<ChangeLetter, Token>> = {
  A: 'good',
  M: 'accent',
  D: 'bad',
  R: 'accent',
};

function toSentence({path, how, task, added, removed, isChosen, ...row}: FileRowProps): string {
  return [
    `${isChosen ? 'chosen: ' : ''}${path}`,
    row.isGone ? 'no longer changed' : readerLabels[how],
    ...(task === undefined ? [] : [`task ${task}`]),
    `${added} added`,
    `${removed} removed`,
    ...(row.isViewed ? ['viewed'] : []),
  ].join(', ');
}

const readerLabels: Readonly<Record<ChangeLetter, string>> = {
  A: 'new',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
};
