import {Box} from 'ink';
import {memo, type ReactElement} from 'react';
import {selectUndecided} from '../../../domain/index.ts';
import {getLimits} from '../../../project-config/index.ts';
import {KeyHint} from '../../components/KeyHint.tsx';
import {SafeText} from '../../components/SafeText.tsx';
import {TextInput} from '../../components/TextInput.tsx';
import {useSizeClass, useTheme, useView} from '../../hooks/use-view.ts';
import type {ActionName} from '../../keymap/action-name.ts';
import {keyFor} from '../../keymap/key-for.ts';
import {commentUnderCursor} from '../../model/comment-line.ts';
import {selectPlanComments} from '../../model/comments.ts';
import {isPlanFieldInPlace} from '../../model/field-place.ts';
import type {SizeClass} from '../../model/size-class.ts';
import type {OpenField} from '../../model/model.ts';
import type {ShownPlan} from '../../select/plan-screen.ts';
import {approvedHash, type Fact} from '../../select/plan-texts.ts';

/** The ways on, and what follows; or the reason for sending the plan back. */
export const PlanDecisionBar = memo(function PlanDecisionBar({
  plan,
  isOnTask,
  hasMore,
}: {
  readonly plan: ShownPlan;
  /** Whether the cursor is on a task. */
  readonly isOnTask: boolean;
  /** There is more below than the last frame has drawn. */
  readonly hasMore: boolean;
}): ReactElement {
  const {backgroundColor} = useTheme().fill('raised');
  const field = useView(({model, state}) =>
    isPlanFieldInPlace(model, state) ? model.field : undefined,
  );
  const reason = field?.for.what === 'reject' ? field : undefined;
  return (
    <Box
      flexDirection="column"
      flexShrink={0}
      height={2}
      paddingX={1}
      {...(backgroundColor !== undefined && {backgroundColor})}
    >
      {field === undefined ? <Ways isOnTask={isOnTask} /> : null}
      {reason === undefined ? null : <Reason field={reason} />}
      {field === undefined || field === reason ? null : (
        <SafeText bold>Your comment stands below its line.</SafeText>
      )}
      <Box height={1} columnGap={2} justifyContent="space-between">
        <Box flexShrink={1}>
          <Consequence plan={plan} writes={field?.for.what} />
        </Box>
        <LinesBelow hasMore={hasMore} />
      </Box>
    </Box>
  );
});

function Reason({field}: {readonly field: OpenField}): ReactElement {
  return (
    <Box height={1} columnGap={1}>
      <Box flexShrink={0}>
        <SafeText tone="accent" bold>{`${field.label}:`}</SafeText>
      </Box>
      <TextInput field={field} />
    </Box>
  );
}

/** Ways that do not fit wrap into a row that is not shown; the most useful come first. */
function Ways({isOnTask}: {readonly isOnTask: boolean}): ReactElement {
  const keymap = useView(({model}) => model.keymap);
  const hasComment = useView(({model, state}) => commentUnderCursor(model, state) !== undefined);
  const sizeClass = useSizeClass();
  const isShort = sizeClass !== 'medium' && sizeClass !== 'wide' && sizeClass !== 'huge';
  const here = isOnTask ? 'this task' : 'this';
  const ways: readonly (readonly [ActionName, string, string])[] = [
    ['approve', 'approve', 'approve and start'],
    hasComment
      ? ['comment-line', 'edit comment', 'edit your comment']
      : ['comment-line', 'comment', `comment on ${here}`],
    ['edit-plan', 'edit', 'edit in $EDITOR'],
    ['reject-plan', 'send back', 'send back with a reason'],
  ];
  // Where not all of them fit, the two decisions come first.
  const inOrder =
    sizeClass === 'phone' ? ways.toSorted((one, other) => rankOf(one[0]) - rankOf(other[0])) : ways;
  return (
    <Box height={1} overflow="hidden" flexWrap="wrap" columnGap={gapOf(sizeClass)}>
      {inOrder.map(([action, short, long], index) => (
        <KeyHint
          key={action}
          keys={keyFor({keymap}, action, 'plan')}
          text={isShort ? short : long}
          action={action}
          isMain={index === 0}
        />
      ))}
    </Box>
  );
}

function rankOf(action: ActionName): number {
  return action === 'approve' || action === 'reject-plan' ? 0 : 1;
}

function gapOf(sizeClass: SizeClass): number {
  if (sizeClass === 'phone') return 2;
  return sizeClass === 'small' || sizeClass === 'narrow' ? 4 : 5;
}

function Consequence({
  plan,
  writes,
}: {
  readonly plan: ShownPlan;
  /** The purpose of the field that is open here. */
  readonly writes: OpenField['for']['what'] | undefined;
}): ReactElement {
  const comments = useView(({model}) => model.planComments);
  const key = useView(({model}) => keyFor(model, 'reject-plan', 'plan'));
  const workers = useView(({state}) => getLimits(state.project).workers);
  const isNarrow = useView(({size}) => size.columns < 110);
  const unsent = selectPlanComments({planComments: comments}, plan.run).length;
  const {text, tone} = toConsequence(plan, {unsent, writes, key, workers, isNarrow});
  return <SafeText tone={tone}>{text}</SafeText>;
}

function toConsequence(
  {run, view}: ShownPlan,
  {
    unsent,
    writes,
    key,
    workers,
    isNarrow,
  }: {
    readonly unsent: number;
    readonly writes: OpenField['for']['what'] | undefined;
    readonly key: string;
    readonly workers: number;
    readonly isNarrow: boolean;
  },
): Fact {
  const comments = `${unsent} ${unsent === 1 ? 'comment' : 'comments'}`;
  if (writes === 'comment-plan')
    return {text: 'It goes to the planner when you send the plan back.', tone: 'dim'};
  if (writes === 'reject')
    return {
      text: `The planner plans again with it${unsent === 0 ? '' : ` and your ${comments}`}. Nothing has changed yet.`,
      tone: 'dim',
    };
  const undecided = selectUndecided(run).length;
  if (undecided > 0)
    return {
      text: `First decide about ${undecided === 1 ? 'the check' : `the ${undecided} checks`} that failed before any change.`,
      tone: 'warn',
    };
  if (unsent > 0)
    return {
      text: `${comments} · ${key} sends the plan back with ${unsent === 1 ? 'it' : 'them'}`,
      tone: 'warn',
    };
  const {plan, base, rules, branch, isTreeUnchanged} = view.approves;
  if (isNarrow)
    return {
      text: `plan ${approvedHash(plan)} on ${approvedHash(base)} · rules ${approvedHash(rules)}${isTreeUnchanged ? ' · planner wrote nothing' : ''}`,
      tone: 'dim',
    };
  const first = Math.min(workers, view.waves[0]?.length ?? 0);
  const start = first === 1 ? '1 worker starts' : `${first} workers start at once, each`;
  return {
    text: `${start} in its own worktree. Your branch${branch === undefined ? '' : ` ${branch}`} is not touched until you accept.`,
    tone: 'dim',
  };
}

/** So that nobody approves without knowing that there is more. */
function LinesBelow({hasMore}: {readonly hasMore: boolean}): ReactElement | null {
  const below = useView(({model: {viewports}}) => {
    const {plan} = viewports;
    return plan === undefined ? 0 : plan.content - plan.top - plan.rows;
  });
  if (below <= 0) return null;
  return (
    <Box flexShrink={0}>
      <SafeText tone="warn" bold>
        {`${hasMore ? 'over ' : ''}${below} ${below === 1 ? 'line' : 'lines'} below`}
      </SafeText>
    </Box>
  );
}
