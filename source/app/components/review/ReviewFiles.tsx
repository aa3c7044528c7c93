import {Box} from 'ink';
import {type ReactElement, useMemo} from 'react';
import {isTaskId, selectTask} from '../../../domain/index.ts';
import {useDaemonState, useSigns, useTheme, useView} from '../../hooks/use-view.ts';
import {Clickable} from '../../ink/regions.tsx';
import {listColumns} from '../../model/size-class.ts';
import {
  formatReviewed,
  hasFilesBeside,
  selectDiffComments,
  selectReviewFiles,
} from '../../review/select-review.ts';
import {type Proof, selectProofs} from '../../review/select-proven.ts';
import {countViewed} from '../../review/viewed.ts';
import {type SignName, signTokens} from '../../theme/signs.ts';
import {ProgressBar} from '../ProgressBar.tsx';
import {SafeText} from '../SafeText.tsx';
import {FileTree} from './FileTree.tsx';

/** The left side of the review: files, what is proven, comments that were not sent. */
export function ReviewFiles(): ReactElement {
  const isBeside = useView(({model}) => hasFilesBeside(model));
  const columns = useView(({size}) => listColumns(size, 'wide'));
  const {frames} = useSigns();
  const {color} = useTheme().styles.border;
  return (
    <Box
      flexDirection="column"
      overflow="hidden"
      {...(isBeside
        ? {
            width: columns,
            flexShrink: 0,
            borderStyle: frames.rounded,
            borderTop: false,
            borderBottom: false,
            borderLeft: false,
            ...(color !== undefined && {borderColor: color}),
          }
        : {flexGrow: 1, flexShrink: 1, flexBasis: 0})}
    >
      <FilesHead />
      <FileTree />
      <Proven />
      <UnsentComments />
    </Box>
  );
}

function FilesHead(): ReactElement {
  const count = useView(({model}) => selectReviewFiles(model).length);
  const viewed = useView(({model}) => countViewed(model.viewed, selectReviewFiles(model)));
  const title = useView(({model: {subject, against}, state}) => {
    const task = formatReviewed({subject, against}, state);
    if (task === undefined || subject === undefined || !isTaskId(subject)) return '';
    return against === undefined
      ? `${task} ${selectTask(state, subject)?.planned.title ?? ''}`
      : task;
  });
  return (
    <Box flexDirection="column" flexShrink={0} paddingX={1}>
      <Box height={1} columnGap={2}>
        <SafeText bold>Files</SafeText>
        <SafeText>{`${viewed} of ${count} viewed`}</SafeText>
        <Box paddingLeft={1} flexShrink={0} aria-hidden>
          <ProgressBar cells={8} share={count === 0 ? 0 : viewed / count} />
        </Box>
      </Box>
      {title === '' ? null : <SafeText tone="dim">{title}</SafeText>}
    </Box>
  );
}

/** What needs no judgement any more, beside what is to be judged. */
function Proven(): ReactElement | null {
  const state = useDaemonState();
  const subject = useView(({model}) => model.subject);
  const proofs = useMemo(
    () => (subject === undefined ? [] : selectProofs(state, subject)),
    [state, subject],
  );
  if (proofs.length === 0) return null;
  return (
    <Box flexDirection="column" flexShrink={0} paddingX={1} paddingTop={1}>
      <SafeText bold>Proven</SafeText>
      {proofs.map((proof) => (
        <ProofRow key={proof.text} proof={proof} />
      ))}
    </Box>
  );
}

const proofSigns: Readonly<Record<Proof['kind'], SignName>> = {
  proven: 'passed',
  broken: 'failed',
  open: 'wait',
};

function ProofRow({proof: {kind, text}}: {readonly proof: Proof}): ReactElement {
  const {sign} = useSigns();
  const name = proofSigns[kind];
  return (
    <Box columnGap={1} flexShrink={0}>
      <Box flexShrink={0}>
        <SafeText tone={kind === 'open' ? 'warn' : signTokens[name]} isHidden>
          {sign[name]}
        </SafeText>
      </Box>
      <SafeText wrap="wrap">{text}</SafeText>
    </Box>
  );
}

function UnsentComments(): ReactElement | null {
  const all = useView(({model}) => model.comments);
  const subject = useView(({model}) => model.subject);
  const files = useView(({model}) => selectReviewFiles(model));
  const comments = selectDiffComments({comments: all, subject});
  if (comments.length === 0) return null;
  return (
    <Box flexDirection="column" flexShrink={0} paddingX={1} paddingTop={1}>
      <Box columnGap={2}>
        <SafeText bold>Comments</SafeText>
        <SafeText tone="warn">{`${comments.length} not sent`}</SafeText>
      </Box>
      {comments.slice(0, maxShown).map(({path, line, source}) => (
        <Clickable
          key={`${path} ${line} ${source}`}
          target={{type: 'file', index: files.findIndex((file) => file.path === path)}}
          height={1}
        >
          <SafeText tone="dim" wrap="truncate-start">
            {`${path.slice(path.lastIndexOf('/') + 1)}:${line}`}
          </SafeText>
        </Clickable>
      ))}
      {comments.length > maxShown ? (
        <SafeText tone="dim">{`and ${comments.length - maxShown} more`}</SafeText>
      ) : null}
    </Box>
  );
}

/** The list of files is more important. */
const maxShown = 4;
