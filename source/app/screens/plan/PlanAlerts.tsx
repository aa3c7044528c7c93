import {Box} from 'ink';
import {memo, type ReactElement} from 'react';
import {selectChoice, selectRedOnBase} from '../../../domain/index.ts';
import {sharingLine} from '../../../reports/index.ts';
import {KeyHint} from '../../components/KeyHint.tsx';
import {SafeText} from '../../components/SafeText.tsx';
import {useModel, useView} from '../../hooks/use-view.ts';
import type {ActionName} from '../../keymap/action-name.ts';
import {keyFor} from '../../keymap/key-for.ts';
import {selectMissingDependencies} from '../../model/answers.ts';
import type {ShownPlan} from '../../select/plan-screen.ts';

/** What to know before anything else: above the plan, and scrolled with it. */
export const PlanAlerts = memo(function PlanAlerts({
  plan: {run, view, isWaiting},
}: {
  readonly plan: ShownPlan;
}): ReactElement | null {
  const answers = useView(({model}) => model.answers);
  if (!isWaiting) return null;
  const voided = run.stage.at === 'reviewing' ? run.stage.voided : undefined;
  const red = selectRedOnBase(run)
    .filter(({result}) => selectChoice(run, result.check) === undefined)
    .map(({result}) => result.check.name);
  const missing = selectMissingDependencies({answers});
  const {notes, baseline} = view;
  return (
    <>
      {voided === undefined ? null : (
        <Alert
          text={`The ${voided === 'rules-changed' ? 'rules' : 'plan'} changed. Please approve again.`}
        />
      )}
      {red.length === 0 ? null : (
        <Alert
          text={`${formatNames(red)} failed before any change:`}
          keys={[
            ['baseline-mend', 'mend it first'],
            ['baseline-ignore', 'go without it'],
            ['baseline-no-new', 'no new failures'],
            ['baseline-count', 'count it'],
          ]}
        />
      )}
      {baseline.why === undefined ? null : (
        <Alert
          text={`Nothing is known of the base: ${baseline.why}.`}
          keys={[['baseline-again', 'check it again']]}
        />
      )}
      {missing[0] === undefined ? null : (
        <Alert
          text={`Tasks will not have ${sharingLine(missing[0])}${missing.length === 1 ? '' : `, and ${missing.length - 1} more`}`}
          keys={[['share-dependencies', 'give each its own, in .orchestra/project.yaml']]}
        />
      )}
      {notes.length === 0 ? null : (
        <Alert
          text={`${notes.length === 1 ? '1 note' : `${notes.length} notes`} about the repository below the plan: read ${notes.length === 1 ? 'it' : 'them'} before you approve.`}
        />
      )}
    </>
  );
});

function formatNames(names: readonly string[]): string {
  return `${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}`;
}

function Alert({
  text,
  keys = [],
}: {
  readonly text: string;
  readonly keys?: readonly (readonly [ActionName, string])[];
}): ReactElement {
  const model = useModel();
  return (
    <Box flexShrink={0} paddingX={1} columnGap={1}>
      <Box flexShrink={0}>
        <SafeText tone="warn" bold>
          !
        </SafeText>
      </Box>
      <Box flexGrow={1} flexShrink={1} flexBasis={0} flexWrap="wrap" columnGap={2}>
        <SafeText tone="warn" wrap="wrap">
          {text}
        </SafeText>
        {keys.map(([action, verb]) => (
          <KeyHint key={action} keys={keyFor(model, action, 'plan')} text={verb} action={action} />
        ))}
      </Box>
    </Box>
  );
}
