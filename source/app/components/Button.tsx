import type {ReactElement} from 'react';
import {Clickable} from '../ink/regions.tsx';
import type {ActionName} from '../keymap/action-name.ts';
import type {Token} from '../theme/tokens.ts';
import {SafeText} from './SafeText.tsx';

/** A key on its own field, and the verb that it stands for. */
export function Button({
  keys,
  text,
  action,
  tone = 'dim',
  isMain = false,
}: {
  readonly keys: string;
  readonly text: string;
  readonly action: ActionName;
  /** The colour of the key. @default dim */
  readonly tone?: Token;
  readonly isMain?: boolean;
}): ReactElement {
  return (
    <Clickable target={{type: 'action', action}} height={1} columnGap={1}>
      <SafeText tone={tone} bold={isMain} isInverse>{` ${keys} `}</SafeText>
      <SafeText bold={isMain}>{text}</SafeText>
    </Clickable>
  );
}
