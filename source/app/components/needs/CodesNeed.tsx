import {Box} from 'ink';
import type {ReactElement} from 'react';
import type {Need} from '../../../domain/index.ts';
import {formatShortDuration} from '../../../shared/index.ts';
import {useView} from '../../hooks/use-view.ts';
import {keyFor} from '../../keymap/key-for.ts';
import {maxProseColumns} from '../../model/line.ts';
import {SafeText} from '../SafeText.tsx';

/**
 * One-time codes for a person who sent the command from another terminal. Everyone who sees this
 * screen can read them.
 */
export function CodesNeed({
  need: {intent},
}: {
  readonly need: Extract<Need, {kind: 'intrusion'}>;
}): ReactElement {
  const codes = useView(({model}) => model.answers.codes);
  const key = useView(({model}) => keyFor(model, 'seen', 'need-intrusion'));
  // A code that has expired is never shown, so the time is that of the frame.
  const now = useView((view) => view.now);
  const open = (codes ?? []).filter((code) => code.intent === intent && code.until > now);
  return (
    <Box flexDirection="column" flexShrink={0} maxWidth={maxProseColumns}>
      {open.map(({code, what, words, until}) => (
        <Box key={code} flexDirection="column" flexShrink={0} marginBottom={1}>
          <SafeText wrap="wrap">
            <SafeText tone="accent" bold>
              {code}
            </SafeText>
            {`  ${what}, for ${formatShortDuration(until - now)} more`}
          </SafeText>
          <SafeText tone="dim" wrap="wrap">{`asked by ${words}`}</SafeText>
        </Box>
      ))}
      <SafeText tone={open.length === 0 ? 'dim' : 'text'} wrap="wrap">
        {open.length === 0
          ? 'No one-time code waits for it: it is too old, used up, or was never for a person. Who asks again gets a new one.'
          : `If that is you: repeat the command there with --code and this code. If not: ${key}, and the code is worth nothing.`}
      </SafeText>
    </Box>
  );
}
