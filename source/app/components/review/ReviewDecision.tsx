import {Box} from 'ink';
import type {ReactElement} from 'react';
import {
  type AcceptWay,
  isReady,
  type Run,
  runIdIn,
  selectRun,
  type State,
  selectCountedTasks,
} from '../../../domain/index.ts';
import {useSizeClass, useTheme, useView} from '../../hooks/use-view.ts';
import type {ActionName} from '../../keymap/action-name.ts';
import {keyFor} from '../../keymap/key-for.ts';
import {isPickInReview} from '../../model/run-decisions.ts';
import {selectDiffComments} from '../../review/select-review.ts';
import {KeyHint} from '../KeyHint.tsx';
import {SafeText} from '../SafeText.tsx';

/** The ways on, and what follows. */
export function ReviewDecision(): ReactElement | null {
  const keymap = useView(({model}) => model.keymap);
  const run = useView(({model: {subject}, state}) =>
    subject === undefined ? undefined : selectRun(state, runIdIn(subject)),
  );
  const sentence = useView(({state}) => (run === undefined ? '' : formatOutcome(state, run)));
  const isPick = useView(({model, state}) => isPickInReview(model, state));
  const sizeClass = useSizeClass();
  const {backgroundColor} = useTheme().fill('raised');
  const comments = useView(({model}) => selectDiffComments(model).length);
  if (run === undefined) return null;
  const way = (action: ActionName, text: string, isMain = false): ReactElement => (
    <KeyHint
      keys={keyFor({keymap}, action, 'review')}
      text={text}
      action={action}
      isMain={isMain}
    />
  );
  return (
    <Box
      flexDirection="column"
      flexShrink={0}
      paddingX={1}
      {...(backgroundColor !== undefined && {backgroundColor})}
    >
      <Box flexWrap="wrap" columnGap={5}>
        {isPick ? way('accept', 'pick it', true) : null}
        {isReady(run)
          ? way('accept', `accept into ${selectTarget(run) ?? 'a branch'}`, true)
          : null}
        {comments === 0
          ? null
          : way(
              'send-comments',
              `send ${comments} ${comments === 1 ? 'comment' : 'comments'} back`,
            )}
        {isReady(run) ? way('propose', 'pull request') : null}
        {way('discard', 'discard')}
      </Box>
      {sizeClass === 'phone' || sizeClass === 'small' ? null : (
        <SafeText tone="dim" wrap="wrap">
          {isPick ? 'It is merged; the other variants are kept in refs.' : sentence}
        </SafeText>
      )}
    </Box>
  );
}

/** The branch that the run is accepted into; undefined if it began on a detached HEAD. */
function selectTarget({stage}: Run): string | undefined {
  return 'ground' in stage ? (stage.ground.branch ?? undefined) : undefined;
}

function formatOutcome(state: State, run: Run): string {
  const tasks = selectCountedTasks(run);
  const merged = tasks.filter(({stage}) => stage.at === 'merged').length;
  if (!isReady(run) || run.head === undefined)
    return `${merged} of ${tasks.length} merged so far. It can be accepted when nothing of it is open.`;
  if (state.project.sign === 'accept')
    return `The project wants your signature: orchestra accept ${run.id} --commit ${run.head.slice(0, 12)}`;
  const branch = selectTarget(run);
  const [verb, subject] =
    branch === undefined ? ['move', 'You name a branch. It will'] : ['moves', branch];
  return `${subject} ${verb} to ${run.head.slice(0, 7)}, ${outcomes[state.project.accept ?? 'merge']}.`;
}

const outcomes: Readonly<Record<AcceptWay, string>> = {
  merge: 'one merge per task',
  squash: 'as one commit',
  'squash-tasks': 'one commit per task',
  rebase: 'one commit per task, in a line',
};
