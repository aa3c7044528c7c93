import {Box} from 'ink';
import {memo, type ReactElement} from 'react';
import {useView} from '../../hooks/use-view.ts';
import {countLines} from '../../review/file-tree.ts';
import type {DiffFile} from '../../review/parse-diff.ts';
import {
  formatReviewed,
  hasFilesBeside,
  selectFileIndex,
  selectReviewFiles,
  selectTaskOf,
} from '../../review/select-review.ts';
import {isViewed} from '../../review/viewed.ts';
import {SafeText} from '../SafeText.tsx';
import {LineCounts} from './LineCounts.tsx';

/** Which file it is, who changed it, and which of its changes the cursor is at. */
export const DiffHead = memo(function DiffHead({
  file,
  change,
  changes,
}: {
  readonly file: DiffFile;
  /** The number of the change that the cursor is at, and how many there are. */
  readonly change: number;
  readonly changes: number;
}): ReactElement {
  const task = useView(({model, state}) => {
    const number = selectTaskOf(model, state, file.path);
    return formatReviewed(model, state) ?? (number === undefined ? undefined : `task ${number}`);
  });
  const isAlone = useView(({model}) => !hasFilesBeside(model));
  const isRoomy = useView(({size}) => size.rows >= roomyRows);
  const place = useView(({model}) => {
    const files = selectReviewFiles(model);
    return `file ${selectFileIndex(model, files) + 1} of ${files.length}`;
  });
  const hasMark = useView(({model}) => isViewed(model.viewed, file));
  const split = file.path.lastIndexOf('/') + 1;
  return (
    <Box flexShrink={0} height={isRoomy ? 2 : 1} paddingX={1} columnGap={2}>
      <Box flexShrink={1} height={1}>
        <SafeText wrap="truncate-start">
          <SafeText tone="dim">{file.path.slice(0, split)}</SafeText>
          <SafeText bold>{file.path.slice(split)}</SafeText>
        </SafeText>
      </Box>
      <Box flexShrink={0} flexGrow={1} height={1} columnGap={2}>
        {task === undefined ? null : <SafeText tone="dim">{task}</SafeText>}
        {isAlone && hasMark ? <SafeText tone="good">viewed</SafeText> : null}
      </Box>
      <Box flexShrink={0} height={1} columnGap={3}>
        {isAlone ? <SafeText tone="dim">{place}</SafeText> : null}
        {changes === 0 ? null : <SafeText tone="dim">{`change ${change} of ${changes}`}</SafeText>}
        <LineCounts added={countLines(file, 'added')} removed={countLines(file, 'removed')} />
      </Box>
    </Box>
  );
});

/** From here on an empty row stands below the head. */
const roomyRows = 30;
