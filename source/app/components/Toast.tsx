import {Box} from 'ink';
import type {ReactElement} from 'react';
import {noticeMs} from '../model/action.ts';
import {SurfaceContext, useTheme, useView} from '../hooks/use-view.ts';
import type {ScreenName} from '../model/model.ts';
import {Cover} from '../ink/regions.tsx';
import type {Token} from '../theme/tokens.ts';
import {Frame} from './Frame.tsx';
import {SafeText} from './SafeText.tsx';

/** A message for a few seconds: bottom right above the keys; at the top where a decision is below. */
export function Toast(): ReactElement | null {
  const notice = useView(({model, now}) =>
    model.notice !== undefined && now - model.notice.at < noticeMs ? model.notice : undefined,
  );
  const columns = useView(({size}) => size.columns);
  const rows = useView(({size}) => size.rows);
  const isAbove = useView(({model}) => hasDecisionBar.has(model.screen));
  const theme = useTheme();
  if (notice === undefined) return null;
  const {backgroundColor} = theme.fill('raised');
  return (
    <Box
      position="absolute"
      top={0}
      left={0}
      width={columns}
      height={rows - 1}
      justifyContent="flex-end"
      alignItems={isAbove ? 'flex-start' : 'flex-end'}
      paddingTop={2}
      paddingRight={1}
    >
      <Cover
        flexShrink={0}
        maxWidth={Math.min(64, columns - 2)}
        {...(backgroundColor !== undefined && {backgroundColor})}
      >
        <SurfaceContext value={backgroundColor}>
          <Frame tone={tones[notice.tone]} paddingX={1}>
            <SafeText wrap="wrap">{notice.text}</SafeText>
          </Frame>
        </SurfaceContext>
      </Cover>
    </Box>
  );
}

const hasDecisionBar: ReadonlySet<ScreenName> = new Set<ScreenName>(['plan', 'needs']);

const tones: Readonly<Record<'plain' | 'good' | 'bad', Token>> = {
  plain: 'accent',
  good: 'good',
  bad: 'bad',
};
