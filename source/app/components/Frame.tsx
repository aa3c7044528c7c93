import {Box, type BoxProps} from 'ink';
import {type ReactElement, type ReactNode, use} from 'react';
import {SurfaceContext, useSigns, useTheme} from '../hooks/use-view.ts';
import type {Token} from '../theme/tokens.ts';
import {Rule} from './Rule.tsx';
import {SafeText} from './SafeText.tsx';

export type FrameProps = {
  /** The colour of the lines. @default border */
  readonly tone?: Token;
  /** Heavy lines: your keys go here, or the theme has no colour for it. */
  readonly isHeavy?: boolean;
  /** `rules`: a line above and a line below; `top`: only the title. @default full */
  readonly kind?: 'full' | 'rules' | 'top';
  /** In the top line, on the left: `SafeText`. */
  readonly title?: ReactNode;
  /** In the top line, on the right. */
  readonly state?: ReactNode;
  /** In the bottom line, on the left and on the right. */
  readonly foot?: ReactNode;
  readonly footState?: ReactNode;
  readonly children?: ReactNode;
} & Pick<
  BoxProps,
  'flexGrow' | 'flexShrink' | 'flexBasis' | 'width' | 'height' | 'minHeight' | 'paddingX'
>;

/** A frame with texts in its lines: title and state above, facts below. */
export function Frame({
  tone = 'border',
  isHeavy = false,
  kind = 'full',
  title,
  state,
  foot,
  footState,
  paddingX = 0,
  children,
  ...box
}: FrameProps): ReactElement {
  const {styles} = useTheme();
  const {frames} = useSigns();
  const surface = use(SurfaceContext);
  const lines = isHeavy ? frames.heavy : frames.rounded;
  const line = {tone, isHeavy};
  return (
    <Box flexDirection="column" {...box}>
      <FrameLine
        {...line}
        start={kind === 'full' ? lines.topLeft : undefined}
        end={kind === 'full' ? lines.topRight : undefined}
        left={title}
        right={state}
      />
      <Box
        flexGrow={1}
        flexShrink={1}
        flexDirection="column"
        paddingX={paddingX}
        overflow="hidden"
        {...(kind === 'full' && {
          borderStyle: lines,
          borderTop: false,
          borderBottom: false,
          ...(styles[tone].color !== undefined && {borderColor: styles[tone].color}),
          ...(surface !== undefined && {borderBackgroundColor: surface}),
        })}
      >
        {children}
      </Box>
      {kind === 'top' ? null : (
        <FrameLine
          {...line}
          start={kind === 'full' ? lines.bottomLeft : undefined}
          end={kind === 'full' ? lines.bottomRight : undefined}
          left={foot}
          right={footState}
        />
      )}
    </Box>
  );
}

function FrameLine({
  tone,
  isHeavy,
  start,
  end,
  left,
  right,
}: {
  readonly tone: Token;
  readonly isHeavy: boolean;
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly left: ReactNode;
  readonly right: ReactNode;
}): ReactElement {
  const {frames} = useSigns();
  const {top} = isHeavy ? frames.heavy : frames.rounded;
  const edge = (text: string): ReactElement => (
    <Box flexShrink={0} aria-hidden>
      <SafeText tone={tone}>{text}</SafeText>
    </Box>
  );
  return (
    <Box height={1} flexShrink={0}>
      {edge(`${start ?? ''}${top}`)}
      {left === undefined ? null : (
        <Box flexShrink={1} paddingX={1} height={1} overflow="hidden">
          {left}
        </Box>
      )}
      <Rule tone={tone} isHeavy={isHeavy} minWidth={1} />
      {right === undefined ? null : (
        <Box flexShrink={0} paddingX={1} height={1}>
          {right}
        </Box>
      )}
      {edge(`${right === undefined ? '' : top}${end ?? ''}`)}
    </Box>
  );
}
