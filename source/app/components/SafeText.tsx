import {Text, type TextProps} from 'ink';
import {Children, type ReactElement, type ReactNode} from 'react';
import {useTheme} from '../hooks/use-view.ts';
import {safeLine} from '../model/line.ts';
import type {Surface, Token} from '../theme/tokens.ts';

export type SafeTextProps = {
  /** What the text means. @default text */
  readonly tone?: Token;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly isInverse?: boolean;
  /** Puts the text on a surface of its own. @default the surface of its box */
  readonly on?: Surface | undefined;
  /** @default truncate: a text that must be read whole says `wrap` */
  readonly wrap?: TextProps['wrap'];
  readonly label?: string | undefined;
  readonly isHidden?: boolean;
  readonly children?: ReactNode;
};

/**
 * The only way for text to the screen: every string in it is made safe for a terminal, whoever
 * wrote it.
 */
export function SafeText({
  tone = 'text',
  bold,
  italic,
  isInverse,
  on,
  wrap = 'truncate',
  label,
  isHidden,
  children,
}: SafeTextProps): ReactElement {
  const theme = useTheme();
  return (
    <Text
      {...theme.styles[tone]}
      {...(bold === true && {bold})}
      {...(italic === true && {italic})}
      {...(isInverse === true && {inverse: true})}
      {...(on !== undefined && theme.fill(on))}
      wrap={wrap}
      {...(label !== undefined && {'aria-label': safeLine(label)})}
      {...(isHidden === true && {'aria-hidden': true})}
    >
      {toSafe(children)}
    </Text>
  );
}

function toSafe(children: ReactNode): ReactNode {
  if (typeof children === 'string') return safeLine(children);
  if (typeof children === 'number' || !Array.isArray(children)) return children;
  return Children.map(children as ReactNode[], toSafe);
}
