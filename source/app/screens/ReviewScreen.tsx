import {Box} from 'ink';
import type {ReactElement} from 'react';
import {DiffView} from '../components/review/DiffView.tsx';
import {HintToast} from '../components/HintToast.tsx';
import {ReviewDecision} from '../components/review/ReviewDecision.tsx';
import {ReviewFiles} from '../components/review/ReviewFiles.tsx';
import {SafeText} from '../components/SafeText.tsx';
import {useView} from '../hooks/use-view.ts';
import type {Model} from '../model/model.ts';
import {hasFilesBeside, selectReviewFiles, toReviewKey} from '../review/select-review.ts';

/**
 * What a run or a task changed: files and proofs on the left, the diff on the right, the decision
 * below. A small window shows files and diff one at a time.
 */
export function ReviewScreen(): ReactElement {
  const missing = useView(({model}) => explainNothing(model));
  const isBeside = useView(({model}) => hasFilesBeside(model));
  const focus = useView(({model}) => model.reviewFocus);
  const hasSubject = useView(({model}) => model.subject !== undefined);
  if (missing !== undefined)
    return (
      <Box flexGrow={1} flexShrink={1} flexBasis={0} flexDirection="column">
        <Box flexGrow={1} paddingX={2} paddingTop={1}>
          <SafeText tone="dim" wrap="wrap">
            {missing}
          </SafeText>
        </Box>
        {hasSubject ? <ReviewDecision /> : null}
      </Box>
    );
  return (
    <Box flexGrow={1} flexShrink={1} flexBasis={0} minHeight={0}>
      {isBeside ? <ReviewFiles /> : null}
      <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0}>
        {isBeside || focus === 'diff' ? <DiffView /> : <ReviewFiles />}
        <HintToast />
        <ReviewDecision />
      </Box>
    </Box>
  );
}

/** Why there is no diff to show. */
function explainNothing(model: Model): string | undefined {
  const {
    subject,
    answers: {diff},
  } = model;
  if (subject === undefined)
    return 'There is nothing to review yet. A run comes here when its plan is approved.';
  if (diff?.of !== toReviewKey(model)) return 'Reading what changed …';
  if ('rejected' in diff) return `${diff.of} cannot be compared: ${diff.rejected}`;
  return selectReviewFiles(model).length === 0 ? 'Nothing changed so far.' : undefined;
}
