import {Box} from 'ink';
import type {ReactElement} from 'react';
import {type Run, selectRun} from '../../../domain/index.ts';
import {KeyHint} from '../../components/KeyHint.tsx';
import {SafeText} from '../../components/SafeText.tsx';
import {useView} from '../../hooks/use-view.ts';
import type {ActionName} from '../../keymap/action-name.ts';
import {keyFor} from '../../keymap/key-for.ts';

type EmptyState = {readonly text: string; readonly action: ActionName; readonly verb: string};

/** A run without a plan: what will be here, and the one key that helps. */
export function NoPlan(): ReactElement {
  const run = useView(({model, state}) =>
    model.run === undefined ? undefined : selectRun(state, model.run),
  );
  const {text, action, verb} = toEmptyState(run);
  const key = useView(({model}) => keyFor(model, action, 'command'));
  return (
    <Box flexDirection="column" paddingX={2} paddingTop={1}>
      {run === undefined ? null : (
        <SafeText bold wrap="wrap">
          {run.request.objective}
        </SafeText>
      )}
      <Box flexWrap="wrap" columnGap={2}>
        <SafeText wrap="wrap" tone={run?.stage.at === 'planless' ? 'bad' : 'text'}>
          {text}
        </SafeText>
        <KeyHint keys={key} text={verb} action={action} />
      </Box>
    </Box>
  );
}

function toEmptyState(run: Run | undefined): EmptyState {
  if (run === undefined)
    return {text: 'No plan yet.', action: 'new-objective', verb: 'says what should be different'};
  switch (run.stage.at) {
    case 'planless':
      return {text: 'Planning failed.', action: 'next-need', verb: 'shows why and what you can do'};
    case 'queued':
      return {
        text: 'No plan yet: it waits in the queue.',
        action: 'screen-workers',
        verb: 'shows what runs before it',
      };
    case 'accepted':
    case 'discarded':
      return {
        text: `Over: it is ${run.stage.at}.`,
        action: 'screen-timeline',
        verb: 'shows what happened',
      };
    default:
      return {
        text: 'The planner reads the repository and writes the plan.',
        action: 'screen-workers',
        verb: 'shows it at work',
      };
  }
}
