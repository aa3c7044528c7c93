import {Box} from 'ink';
import type {ReactElement} from 'react';
import {useView} from '../../hooks/use-view.ts';
import {selectScreenField} from '../../model/field-place.ts';
import {SafeText} from '../SafeText.tsx';
import {TextInput} from '../TextInput.tsx';
import {NeedFrame} from './NeedFrame.tsx';

/** What is written about the need. Its keys are in the last row. */
export function NeedField(): ReactElement | null {
  const field = useView(({model}) => selectScreenField(model));
  if (field === undefined) return null;
  return (
    <NeedFrame
      tone="accent"
      title={
        <SafeText tone="accent" bold>
          {field.label}
        </SafeText>
      }
    >
      <Box height={1} flexShrink={0}>
        <TextInput field={field} isSecret={field.for.what === 'secret'} />
      </Box>
    </NeedFrame>
  );
}
