import {memo, type ReactElement} from 'react';
import {Clickable} from '../ink/regions.tsx';
import type {ActionName} from '../keymap/action-name.ts';
import {SafeText} from './SafeText.tsx';

/** A key and what it does. A click equals pressing it. */
export const KeyHint = memo(function KeyHint({
  keys,
  text,
  action,
  chord,
  isMain = false,
}: {
  readonly keys: string;
  readonly text: string;
  readonly action: ActionName;
  readonly chord?: string | undefined;
  /** The main way on: bold. */
  readonly isMain?: boolean;
}): ReactElement {
  return (
    <Clickable
      target={{type: 'action', action, ...(chord === undefined ? {} : {chord})}}
      height={1}
    >
      <SafeText>
        <SafeText tone="accent" bold>
          {keys}
        </SafeText>
        <SafeText tone={isMain ? 'text' : 'dim'} bold={isMain}>
          {` ${text}`}
        </SafeText>
      </SafeText>
    </Clickable>
  );
});
