import {Box} from 'ink';
import type {ReactElement} from 'react';
import {HintToast} from '../components/HintToast.tsx';
import {useSize, useView} from '../hooks/use-view.ts';
import {Scroll} from '../ink/regions.tsx';
import {selectPlanCursor, selectShownPlan, type ShownPlan} from '../select/plan-screen.ts';
import {NoPlan} from './plan/NoPlan.tsx';
import {PlanAlerts} from './plan/PlanAlerts.tsx';
import {PlanApproves, PlanColumn} from './plan/PlanColumn.tsx';
import {PlanDecisionBar} from './plan/PlanDecisionBar.tsx';
import {PlanEntryRows} from './plan/PlanEntryRows.tsx';

/** A plan, whole: what will be done, what proves it, why; and the decision about it. */
export function PlanScreen(): ReactElement {
  const plan = useView(({model, state}) => selectShownPlan(model, state));
  return (
    <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0} minHeight={0}>
      {plan === undefined ? <NoPlan /> : <Plan plan={plan} />}
    </Box>
  );
}

function Plan({plan}: {readonly plan: ShownPlan}): ReactElement {
  const {view, entries, hasColumn, isWaiting} = plan;
  const cursor = useView(({model}) => selectPlanCursor(model, plan));
  const {rows} = useSize();
  // Each entry has a row or more, so no other can be in view.
  const [first, end] = [Math.max(0, cursor - rows), cursor + rows];
  return (
    <>
      <Box flexGrow={1} flexShrink={1} flexBasis={0} minHeight={0}>
        <Scroll list="plan" maxWidth={maxProseCells}>
          {first === 0 ? <PlanAlerts plan={plan} /> : null}
          {entries.slice(first, end).map((entry, index) => (
            <PlanEntryRows
              key={entry.id}
              plan={plan}
              entry={entry}
              before={entries[first + index - 1]}
              index={first + index}
              isChosen={first + index === cursor}
            />
          ))}
          {hasColumn || end < entries.length ? null : (
            <PlanApproves view={view} isWaiting={isWaiting} />
          )}
        </Scroll>
        {hasColumn ? <PlanColumn plan={plan} /> : null}
      </Box>
      <HintToast />
      {isWaiting ? (
        <PlanDecisionBar
          plan={plan}
          isOnTask={entries[cursor]?.kind === 'task'}
          hasMore={end < entries.length}
        />
      ) : null}
    </>
  );
}

/** Prose of 110 cells, and what stands left of it. */
const maxProseCells = 122;
