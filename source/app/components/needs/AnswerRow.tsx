import {Box} from 'ink';
import type {ReactElement} from 'react';
import {useSigns, useView} from '../../hooks/use-view.ts';
import {Clickable} from '../../ink/regions.tsx';
import type {Context} from '../../keymap/binding.ts';
import {keyFor} from '../../keymap/key-for.ts';
import {selectScreenField} from '../../model/field-place.ts';
import {SafeText} from '../SafeText.tsx';
import {TextInput} from '../TextInput.tsx';

/**
 * How to write an answer; while it is written, the answer itself. The row stays the same, so that
 * no pane below it changes its size.
 */
export function AnswerRow({
  context,
  text,
}: {
  readonly context: Context;
  readonly text: string;
}): ReactElement {
  const field = useView(({model}) => selectScreenField(model));
  const key = useView(({model}) => keyFor(model, 'answer', context));
  const {sign} = useSigns();
  if (field === undefined)
    return (
      <Clickable target={{type: 'action', action: 'answer'}} height={1} paddingLeft={2}>
        <SafeText tone="dim">
          <SafeText tone="accent" bold>
            {key}
          </SafeText>
          {` ${text}`}
        </SafeText>
      </Clickable>
    );
  return (
    <Box height={1} flexShrink={0} columnGap={1}>
      <Box flexShrink={0}>
        <SafeText tone="accent" bold label={`${field.label}: `}>
          {sign.option}
        </SafeText>
      </Box>
      <TextInput field={field} isSecret={field.for.what === 'secret'} />
    </Box>
  );
}
