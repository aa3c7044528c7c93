import {Box} from 'ink';
import type {ReactElement} from 'react';
import {useView} from '../hooks/use-view.ts';
import {ClampedText} from './ClampedText.tsx';
import {SafeText} from './SafeText.tsx';

/** Settings that are ignored, and why; only the first few, so that the list has room. */
export function SettingsProblems(): ReactElement | null {
  const problems = useView(({model}) => model.keymap.problems);
  const unreadable = useView(({model}) => model.repository.settingsProblem);
  const lines =
    unreadable === undefined
      ? problems.slice(0, maxProblems).map(({name, text}) => `keys.${name} is ignored: ${text}`)
      : [unreadable];
  if (lines.length === 0) return null;
  const left = unreadable === undefined ? problems.length - maxProblems : 0;
  return (
    <Box flexDirection="column" flexShrink={0} paddingX={1} marginBottom={1}>
      {lines.map((line, index) => (
        <Box key={index} flexShrink={0}>
          <ClampedText rows={3} tone="warn">{`! ${line}`}</ClampedText>
        </Box>
      ))}
      {left > 0 ? (
        <SafeText tone="warn">{`  and ${left} more: orchestra settings keys lists all`}</SafeText>
      ) : null}
    </Box>
  );
}

const maxProblems = 2;
