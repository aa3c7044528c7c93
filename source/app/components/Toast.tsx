import {Box} from 'ink';
import type {ReactElement} from 'react';
import {noticeMs} from '../model/action.ts';
import {useTheme, useView} from '../hooks/use-view.ts';
import {Cover} from '../ink/regions.tsx';
import type {Token} from '../theme/tokens.ts';
import {Frame} from './Frame.tsx';
import {SafeText} from './SafeText.tsx';

/** A message, bottom right above the keys, for a few seconds. */
export function Toast(): ReactElement | null {
  const notice = useView(({model, now}) =>
    model.notice !== undefined && now - model.notice.at < noticeMs ? model.notice : undefined,
  );
  const columns = useView(({size}) => size.columns);
  const rows = useView(({size}) => size.rows);
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
      alignItems="flex-end"
      paddingRight={1}
    >
      <Cover
        flexShrink={0}
        maxWidth={Math.min(64, columns - 2)}
        {...(backgroundColor !== undefined && {backgroundColor})}
      >
        <Frame tone={tones[notice.tone]} paddingX={1}>
          <SafeText wrap="wrap">{notice.text}</SafeText>
        </Frame>
      </Cover>
    </Box>
  );
}

const tones: Readonly<Record<'plain' | 'good' | 'bad', Token>> = {
  plain: 'accent',
  good: 'good',
  bad: 'bad',
};
