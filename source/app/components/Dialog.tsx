import {Box} from 'ink';
import type {ReactElement} from 'react';
import {useDaemonState, useModel, useTheme} from '../hooks/use-view.ts';
import type {ActionName} from '../keymap/action-name.ts';
import {formatChord} from '../keymap/chord.ts';
import {selectBindings} from '../keymap/resolve.ts';
import type {Confirmation} from '../model/model.ts';
import {Button} from './Button.tsx';
import {Frame} from './Frame.tsx';
import {OverlayBox} from './OverlayBox.tsx';
import {SafeText} from './SafeText.tsx';

/** A question before something is given up: what is kept, what is lost, and the verbs. */
export function Dialog({confirmation}: {readonly confirmation: Confirmation}): ReactElement {
  const theme = useTheme();
  const {question, title, facts, tone} = confirmation;
  const isWide = facts.some(({text}) => text.length > 90);
  return (
    <OverlayBox width={isWide ? 90 : 64}>
      <Frame
        tone={tone}
        isHeavy={theme.frames === 'heavy'}
        flexShrink={1}
        paddingX={2}
        title={
          <SafeText tone={tone} bold>
            {question}
          </SafeText>
        }
      >
        <Box flexDirection="column" flexShrink={1} overflow="hidden" paddingTop={1}>
          {title === '' ? null : (
            <Box flexShrink={0} marginBottom={1}>
              <SafeText bold wrap="wrap">
                {title}
              </SafeText>
            </Box>
          )}
          {facts.map(({label, text}, index) => (
            <Box key={index} flexShrink={0}>
              <Box width={7} flexShrink={0}>
                <SafeText tone="dim">{label}</SafeText>
              </Box>
              <Box flexShrink={1}>
                <SafeText wrap="wrap">{text}</SafeText>
              </Box>
            </Box>
          ))}
        </Box>
        <Buttons confirmation={confirmation} />
      </Frame>
    </OverlayBox>
  );
}

/** The key that asked is the key that confirms. */
function Buttons({
  confirmation: {verb, keep, tone, yes},
}: {
  readonly confirmation: Confirmation;
}): ReactElement {
  const model = useModel();
  const state = useDaemonState();
  const bindings = selectBindings(model, state);
  const keyOf = (action: ActionName): string =>
    formatChord(bindings.find((one) => one.action === action)?.keys[0] ?? '');
  return (
    <Box flexShrink={0} marginY={1} columnGap={4} rowGap={1} flexWrap="wrap">
      <Button keys={keyOf('confirm')} text={verb} action="confirm" tone={tone} isMain />
      {yes.action === 'accept' ? (
        <Button keys={keyOf('next-way')} text="another way" action="next-way" />
      ) : null}
      <Button keys={keyOf('leave-confirm')} text={keep} action="leave-confirm" />
    </Box>
  );
}
