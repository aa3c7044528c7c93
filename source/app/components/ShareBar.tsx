import {Box} from 'ink';
import type {ReactElement} from 'react';
import {useSigns} from '../hooks/use-view.ts';
import type {Token} from '../theme/tokens.ts';
import {FillLine} from './FillLine.tsx';
import {SafeText} from './SafeText.tsx';

/** A bar that takes the room that is left. `ProgressBar` has a fixed number of cells. */
export function ShareBar({
  share,
  tone,
}: {
  readonly share: number;
  readonly tone: Token;
}): ReactElement {
  const {bar} = useSigns();
  const done = Math.min(1, Math.max(0, share));
  const [full, rest] = [bar(1, 1).done, bar(1, 0).rest];
  const tip = bar(1, 0.5).done;
  return (
    <Box height={1} flexGrow={1} flexShrink={1} flexBasis={0} aria-hidden>
      <FillLine fill={{sign: full, tone}} share={done} />
      {done > 0 && done < 1 ? (
        <Box flexShrink={0} width={1}>
          <SafeText tone={tone}>{tip}</SafeText>
        </Box>
      ) : null}
      <FillLine fill={{sign: rest, tone: 'faint'}} share={1 - done} />
    </Box>
  );
}
