import {Box} from 'ink';
import type {ReactElement} from 'react';
import {useTheme, useView} from '../hooks/use-view.ts';
import {contextLabels} from '../keymap/binding.ts';
import {formatKeys} from '../keymap/chord.ts';
import {keyFor} from '../keymap/key-for.ts';
import {toBindingName} from '../keymap/parse.ts';
import type {Model} from '../model/model.ts';
import {Button} from './Button.tsx';
import {Frame} from './Frame.tsx';
import {OverlayBox} from './OverlayBox.tsx';
import {SafeText} from './SafeText.tsx';

/** Waits for the new key of a binding, and says why the last one cannot be it. */
export function KeyDialog({
  rebinding: {name, rejected},
}: {
  readonly rebinding: NonNullable<Model['rebinding']>;
}): ReactElement {
  const theme = useTheme();
  const bindings = useView(({model}) => model.keymap.bindings);
  const leave = useView(({model}) => keyFor(model, 'keep-key', 'pressing'));
  const binding = bindings.find((one) => toBindingName(one) === name);
  const isBound = binding !== undefined && binding.keys.length > 0;
  return (
    <OverlayBox width={64}>
      <Frame
        tone="accent"
        isHeavy={theme.frames === 'heavy'}
        paddingX={2}
        title={
          <SafeText tone="accent" bold>
            Press the new key
          </SafeText>
        }
      >
        <Box flexDirection="column" flexShrink={0} paddingY={1} rowGap={1}>
          <Box flexDirection="column" flexShrink={0}>
            <SafeText bold wrap="wrap">
              {binding?.text ?? name}
            </SafeText>
            <SafeText tone="dim" wrap="wrap">
              {`${binding === undefined ? '' : `${contextLabels[binding.in]}; `}${isBound ? `now ${formatKeys(binding.keys)}` : 'no key now'}`}
            </SafeText>
          </Box>
          {rejected === undefined ? null : (
            <SafeText tone="warn" wrap="wrap">{`! ${rejected}`}</SafeText>
          )}
          <Button keys={leave} text="leave it as it is" action="keep-key" />
        </Box>
      </Frame>
    </OverlayBox>
  );
}
