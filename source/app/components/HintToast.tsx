import {Box} from 'ink';
import {memo, type ReactElement} from 'react';
import {useSizeClass, useTheme, useView} from '../hooks/use-view.ts';
import {Cover} from '../ink/regions.tsx';
import {noticeMs} from '../model/action.ts';
import {selectFirstHint} from '../model/first-hints.ts';
import {Frame} from './Frame.tsx';
import {SafeText} from './SafeText.tsx';

/**
 * The hint of a first visit, bottom right, above the decision bar. It has rows of its own: nothing
 * that is approved or accepted lies under it.
 */
export const HintToast = memo(function HintToast(): ReactElement | null {
  const text = useHint();
  const sizeClass = useSizeClass();
  if (text === undefined) return null;
  if (sizeClass === 'phone' || sizeClass === 'small')
    return (
      <Box flexShrink={0} paddingX={1}>
        <SafeText tone="accent" wrap="wrap">
          {text}
        </SafeText>
      </Box>
    );
  return (
    <Box flexShrink={0} justifyContent="flex-end" paddingRight={1}>
      <HintFrame text={text} />
    </Box>
  );
});

/** The same over the panes of Work, which keep their size. */
export const HintToastOver = memo(function HintToastOver(): ReactElement | null {
  const text = useHint();
  if (text === undefined) return null;
  return (
    <Box
      position="absolute"
      top={0}
      left={0}
      width="100%"
      height="100%"
      justifyContent="flex-end"
      alignItems="flex-end"
      paddingRight={1}
    >
      <HintFrame text={text} />
    </Box>
  );
});

/** A message has the place first. */
function useHint(): string | undefined {
  return useView(({model, now}) =>
    model.notice !== undefined && now - model.notice.at < noticeMs
      ? undefined
      : selectFirstHint(model),
  );
}

function HintFrame({text}: {readonly text: string}): ReactElement {
  const {backgroundColor} = useTheme().fill('raised');
  return (
    <Cover flexShrink={1} maxWidth={62} {...(backgroundColor !== undefined && {backgroundColor})}>
      <Frame tone="accent" paddingX={1}>
        <SafeText wrap="wrap">{text}</SafeText>
      </Frame>
    </Cover>
  );
}
