import {Box} from 'ink';
import {memo, type ReactElement} from 'react';
import {getLimits} from '../../../project-config/index.ts';
import {SafeText} from '../../components/SafeText.tsx';
import {useSigns, useView} from '../../hooks/use-view.ts';
import {isPlanFieldInPlace} from '../../model/field-place.ts';
import type {PlanEntry} from '../../select/plan-entries.ts';
import type {ShownPlan} from '../../select/plan-screen.ts';
import {
  formatPlanFacts,
  formatRuleCounts,
  formatSharedFiles,
  formatWaves,
} from '../../select/plan-texts.ts';
import {PlanComments, PlanField} from './PlanComments.tsx';
import {EntryContent, formatForReader} from './PlanEntryContent.tsx';
import {PlanHeading, PlanRow} from './PlanRow.tsx';

/** An entry with what stands above it, its comments, and the field of a comment on it. */
export const PlanEntryRows = memo(function PlanEntryRows({
  plan,
  entry,
  before,
  index,
  isChosen,
}: {
  readonly plan: ShownPlan;
  readonly entry: PlanEntry;
  readonly before: PlanEntry | undefined;
  readonly index: number;
  readonly isChosen: boolean;
}): ReactElement {
  const isWriting = useView(
    ({model, state}) =>
      isChosen && model.field?.for.what === 'comment-plan' && isPlanFieldInPlace(model, state),
  );
  return (
    <>
      {entry.kind === before?.kind ? null : (
        <EntryHeading plan={plan} kind={entry.kind} before={before} />
      )}
      <EntryRow
        entry={entry}
        index={index}
        isChosen={isChosen}
        isCursor={isChosen && !isWriting}
        count={plan.view.tasks.length}
      />
      {entry.kind === 'objective' && plan.entries[index + 1]?.kind !== 'objective' ? (
        <PlanFacts plan={plan} />
      ) : null}
      <PlanComments plan={plan} entry={entry} />
      {isWriting ? <PlanField entry={entry} /> : null}
    </>
  );
});

function EntryHeading({
  plan: {view},
  kind,
  before,
}: {
  readonly plan: ShownPlan;
  readonly kind: PlanEntry['kind'];
  readonly before: PlanEntry | undefined;
}): ReactElement | null {
  const arrow = useSigns().isAscii ? '>' : '→';
  switch (kind) {
    case 'task':
      return (
        <PlanHeading
          text="Tasks"
          hasGap={false}
          right={
            view.waves.length > 1 ? (
              <SafeText
                tone="run"
                wrap="wrap"
                label={`They start in this order: ${formatWaves(view, 'then')}.`}
              >
                {formatWaves(view, arrow)}
              </SafeText>
            ) : undefined
          }
        />
      );
    case 'why':
      return (
        <Box flexDirection="column" flexShrink={0} paddingBottom={1}>
          {before?.kind === 'task'
            ? formatSharedFiles(view).map(({text, tone}) => (
                <Box key={text} paddingX={1}>
                  <SafeText tone={tone} wrap="wrap">
                    {text}
                  </SafeText>
                </Box>
              ))
            : null}
        </Box>
      );
    case 'note':
      return <PlanHeading text="About the repository, when the run began" />;
    case 'check':
      return <PlanHeading text="What proves it" />;
    case 'rule':
      return (
        <PlanHeading
          text="Rules · the first wins"
          right={<SafeText tone="dim">{formatRuleCounts(view.rules)}</SafeText>}
        />
      );
    case 'objective':
      return null;
  }
}

function PlanFacts({plan: {view}}: {readonly plan: ShownPlan}): ReactElement {
  const workers = useView(({state}) => getLimits(state.project).workers);
  const {separator} = useSigns();
  const facts = formatPlanFacts(view, workers);
  return (
    <Box flexShrink={0} paddingX={1}>
      <SafeText wrap="wrap">
        {facts.map(({text, tone}, index) => (
          <SafeText key={text} tone={tone}>
            {index === 0 ? text : ` ${separator} ${text}`}
          </SafeText>
        ))}
      </SafeText>
    </Box>
  );
}

type RowProps<Entry> = {
  readonly entry: Entry;
  readonly index: number;
  readonly isChosen: boolean;
  readonly isCursor: boolean;
  /** How many tasks there are. */
  readonly count: number;
};

const EntryRow = memo(function EntryRow({
  entry,
  index,
  isChosen,
  isCursor,
  count,
}: RowProps<PlanEntry>): ReactElement {
  return (
    <PlanRow
      id={entry.id}
      index={index}
      isChosen={isChosen}
      isCursor={isCursor}
      label={formatForReader(entry, count)}
    >
      <EntryContent entry={entry} isChosen={isChosen} />
    </PlanRow>
  );
});
