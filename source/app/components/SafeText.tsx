import {Text, type TextProps, Transform} from 'ink';
import {Children, memo, type ReactElement, type ReactNode} from 'react';
import {useLook} from '../hooks/use-view.ts';
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
export const SafeText = memo(function SafeText({
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
  const {theme, signs} = useLook();
  const text = (
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
      {toSafe(children, signs.isAscii)}
    </Text>
  );
  return wrap === 'wrap' ? <Transform transform={withoutWrappedBlank}>{text}</Transform> : text;
});

/** Ink keeps the blank at which it wraps: it would stand at the start of the next row. */
function withoutWrappedBlank(row: string, index: number): string {
  return index === 0 ? row : row.replace(/^((?:\u001B\[[\d;]*m)*) /, '$1');
}

function toSafe(children: ReactNode, isAscii: boolean): ReactNode {
  if (typeof children === 'string')
    return isAscii ? toAsciiSigns(safeLine(children)) : safeLine(children);
  if (typeof children === 'number' || !Array.isArray(children)) return children;
  return Children.map(children as ReactNode[], (child) => toSafe(child, isAscii));
}

/** The signs in sentences have the same width in ASCII. */
function toAsciiSigns(text: string): string {
  return text.replaceAll(/[…·→•●○–]/g, (sign) => asciiSigns[sign] ?? sign);
}

const asciiSigns: Readonly<Record<string, string>> = {
  '…': '~',
  '·': '-',
  '–': '-',
  '→': '>',
  '•': '*',
  '●': 'o',
  '○': '.',
};
