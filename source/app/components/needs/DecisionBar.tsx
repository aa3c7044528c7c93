import {Box} from 'ink';
import type {ReactElement} from 'react';
import {pluralize} from '../../../shared/index.ts';
import {useSizeClass, useTheme, useView} from '../../hooks/use-view.ts';
import type {Viewport} from '../../ink/region.ts';
import {Clickable} from '../../ink/regions.tsx';
import type {NeedWay, NeedWays} from '../../select/need-ways.ts';
import {KeyHint} from '../KeyHint.tsx';
import {SafeText} from '../SafeText.tsx';

/**
 * The ways on, the main one bold, and one sentence: what follows, or what is kept. While something
 * is written their keys are letters, so they are faint.
 */
export function DecisionBar({ways, follows}: NeedWays): ReactElement | null {
  const theme = useTheme();
  const sizeClass = useSizeClass();
  const isActive = useView(({model}) => model.field === undefined);
  const below = useView(({model}) => countRowsBelow(model.viewports['need']));
  if (ways.length === 0 && follows === '') return null;
  const isExplained = ways.length > 0 && ways.every(({effect}) => effect !== undefined);
  const isShort = sizeClass === 'phone' || sizeClass === 'small';
  const {backgroundColor} = theme.fill('raised');
  return (
    <Box
      flexDirection="column"
      flexShrink={0}
      paddingX={1}
      {...(backgroundColor !== undefined && {backgroundColor})}
    >
      {isExplained && !isShort ? (
        <ExplainedWays ways={ways} isActive={isActive} />
      ) : (
        <Box flexWrap="wrap" columnGap={isShort ? 2 : 5} flexShrink={0}>
          {ways.map((way, index) =>
            isActive ? (
              <KeyHint key={way.action} {...way} isMain={index === 0} />
            ) : (
              <SafeText key={way.action} tone="faint">{`${way.keys} ${way.text}`}</SafeText>
            ),
          )}
        </Box>
      )}
      {isShort ? null : (
        <Box columnGap={3} flexShrink={0}>
          <Box flexGrow={1} flexShrink={1} flexBasis={0}>
            <SafeText tone="dim" wrap="wrap">
              {follows}
            </SafeText>
          </Box>
          {below === 0 ? null : (
            <Box flexShrink={0}>
              <SafeText tone="dim">{`${pluralize(below, 'line')} below`}</SafeText>
            </Box>
          )}
        </Box>
      )}
    </Box>
  );
}

/** Rows of the text above that are below its viewport, as the last frame showed. */
function countRowsBelow(viewport: Viewport | undefined): number {
  return viewport === undefined ? 0 : Math.max(0, viewport.content - viewport.rows - viewport.top);
}

/** One row each: the key, what it does, and what follows. */
function ExplainedWays({
  ways,
  isActive,
}: {
  readonly ways: readonly NeedWay[];
  readonly isActive: boolean;
}): ReactElement {
  return (
    <Box flexDirection="column" flexShrink={0}>
      {ways.map(({action, keys, text, effect}, index) => (
        <Clickable key={action} target={{type: 'action', action}} columnGap={2}>
          <Box flexShrink={0} minWidth={1}>
            <SafeText tone={isActive ? 'accent' : 'faint'} bold={isActive}>
              {keys}
            </SafeText>
          </Box>
          <Box flexShrink={0} minWidth={labelColumns}>
            <SafeText tone={isActive ? 'text' : 'faint'} bold={isActive && index === 0}>
              {text}
            </SafeText>
          </Box>
          <SafeText tone="dim" wrap="wrap">
            {effect}
          </SafeText>
        </Clickable>
      ))}
    </Box>
  );
}

/** As wide as the longest label, so that the effects stand below each other. */
const labelColumns = 17;
