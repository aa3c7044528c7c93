import type {ReactElement} from 'react';
import {useSigns} from '../hooks/use-view.ts';
import type {Token} from '../theme/tokens.ts';
import {SafeText} from './SafeText.tsx';

/** A bar of so many cells. A screen reader skips it: the numbers stand beside it. */
export function ProgressBar({
  cells,
  share,
  tone = 'good',
}: {
  readonly cells: number;
  readonly share: number;
  readonly tone?: Token;
}): ReactElement {
  const {done, rest} = useSigns().bar(cells, share);
  return (
    <SafeText isHidden>
      <SafeText tone={tone}>{done}</SafeText>
      <SafeText tone="faint">{rest}</SafeText>
    </SafeText>
  );
}
