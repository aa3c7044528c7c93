import {Box} from 'ink';
import type {ReactElement} from 'react';
import type {Need} from '../../../domain/index.ts';
import {describeStop, type StopReport} from '../../../reports/index.ts';
import {useSizeClass, useView} from '../../hooks/use-view.ts';
import {maxProseColumns} from '../../model/line.ts';
import {adviceParts, missingParts} from '../../select/need-view.ts';
import {hasInbox, type NeedWays} from '../../select/need-ways.ts';
import {SafeText} from '../SafeText.tsx';
import {ChangePreview} from './ChangePreview.tsx';
import {DecisionBar} from './DecisionBar.tsx';
import {FailureFrame} from './FailureFrame.tsx';
import {NeedField} from './NeedField.tsx';
import {NeedLead, NeedParts} from './NeedParts.tsx';
import {TriesTable} from './TriesTable.tsx';

/**
 * A task that stopped: what failed, what was tried, the change so far, who waits for it. Narrow
 * windows have no room for a bar below it, so the ways on come after the failure.
 */
export function StoppedNeed({
  need,
  ways,
}: {
  readonly need: Extract<Need, {kind: 'stopped'}>;
  readonly ways: NeedWays;
}): ReactElement {
  const explanation = useView(({model}) =>
    model.answers.explanation?.of === need.task ? model.answers.explanation : undefined,
  );
  const isNarrow = !hasInbox(useSizeClass());
  const stop =
    explanation !== undefined && 'value' in explanation ? explanation.value.stop : undefined;
  return (
    <>
      {stop?.failure === undefined ? (
        <NeedLead>{`Stopped: ${describeStop(need.why)}`}</NeedLead>
      ) : (
        <FailureFrame failure={stop.failure} need={need} />
      )}
      {isNarrow ? (
        <Box flexDirection="column" flexShrink={0} marginBottom={1}>
          <NeedField />
          <DecisionBar {...ways} />
        </Box>
      ) : null}
      <NeedParts parts={[...adviceParts(need), ...missingParts(stop)]} />
      {stop === undefined ? (
        <Box flexShrink={0}>
          <SafeText tone="dim" wrap="wrap">
            {explanation !== undefined && 'rejected' in explanation
              ? explanation.rejected
              : 'Reading what was tried …'}
          </SafeText>
        </Box>
      ) : (
        <TriesTable stop={stop} />
      )}
      <ChangePreview task={need.task} />
      {stop === undefined ? null : <Dependents stop={stop} />}
    </>
  );
}

/** Who waits for it. */
function Dependents({stop: {waiting}}: {readonly stop: StopReport}): ReactElement {
  return (
    <Box flexDirection="column" flexShrink={0} maxWidth={maxProseColumns}>
      <SafeText bold>If it stays like this</SafeText>
      <SafeText wrap="wrap">
        {waiting.length === 0
          ? 'No task waits for this one; the run can finish without it.'
          : `${waiting.map(({number, title}) => `${number} ${title}`).join(', ')} cannot start without it.`}
      </SafeText>
    </Box>
  );
}
