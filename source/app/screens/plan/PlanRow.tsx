import {Box, useIsScreenReaderEnabled} from 'ink';
import {memo, type ReactElement, type ReactNode, useMemo} from 'react';
import {SafeText} from '../../components/SafeText.tsx';
import {useSigns, useTheme} from '../../hooks/use-view.ts';
import {Clickable, Inverse, Item} from '../../ink/regions.tsx';
import {safeLine} from '../../model/line.ts';

/**
 * An entry of the plan that the cursor can be on. Its mark is as high as the entry, however its
 * text wraps.
 */
export function PlanRow({
  id,
  index,
  isChosen,
  isCursor,
  label,
  children,
}: {
  readonly id: string;
  readonly index: number;
  readonly isChosen: boolean;
  /** The viewport follows it. While a comment is written, it follows the field instead. */
  readonly isCursor: boolean;
  /** A screen reader says this instead. */
  readonly label: string;
  readonly children?: ReactNode;
}): ReactElement {
  const theme = useTheme();
  const isReader = useIsScreenReaderEnabled();
  const {backgroundColor} = theme.fill('select');
  const hasColour = backgroundColor !== undefined;
  return (
    <Item id={id} isCursor={isCursor}>
      <Clickable target={{type: 'item', list: 'plan', index}} flexDirection="column">
        <Inverse
          isOn={isChosen && !hasColour && !isReader}
          flexShrink={0}
          aria-label={safeLine(isChosen ? `chosen: ${label}` : label)}
          {...(isChosen && hasColour && {backgroundColor})}
        >
          <Mark isShown={isChosen} />
          <Box flexGrow={1} flexShrink={1} flexBasis={0} paddingRight={1}>
            {children}
          </Box>
        </Inverse>
      </Clickable>
    </Item>
  );
}

function Mark({isShown}: {readonly isShown: boolean}): ReactElement {
  const {sign} = useSigns();
  return <VerticalLine sign={isShown ? sign.cursor : ' '} width={1} isChosen={isShown} />;
}

/** A column of one sign, as high as the row that it is in. */
export const VerticalLine = memo(function VerticalLine({
  sign,
  width,
  isChosen,
}: {
  readonly sign: string;
  readonly width: number;
  readonly isChosen: boolean;
}): ReactElement {
  const theme = useTheme();
  const {color} = theme.styles.accent;
  // A border does not take the background of the box that it is in.
  const behind = isChosen ? theme.fill('select').backgroundColor : undefined;
  const painted = theme.paintsBackground ? theme.fill('bg').backgroundColor : undefined;
  const backgroundColor = behind ?? painted;
  const lines = useMemo(() => ({...noFrame, left: sign}), [sign]);
  return (
    <Box
      aria-hidden
      width={width}
      flexShrink={0}
      borderStyle={lines}
      borderTop={false}
      borderBottom={false}
      borderRight={false}
      {...(color !== undefined && {borderLeftColor: color})}
      {...(backgroundColor !== undefined && {borderLeftBackgroundColor: backgroundColor})}
    />
  );
});

const noFrame = {
  topLeft: ' ',
  top: ' ',
  topRight: ' ',
  left: ' ',
  bottomLeft: ' ',
  bottom: ' ',
  bottomRight: ' ',
  right: ' ',
} as const;

/** A heading between entries. */
export function PlanHeading({
  text,
  right,
  hasGap = true,
}: {
  readonly text: string;
  readonly right?: ReactNode;
  /** A blank row above it. @default true */
  readonly hasGap?: boolean;
}): ReactElement {
  return (
    <Box
      flexShrink={0}
      paddingX={1}
      paddingTop={hasGap ? 1 : 0}
      justifyContent="space-between"
      columnGap={2}
    >
      <Box flexShrink={0}>
        <SafeText bold>{text}</SafeText>
      </Box>
      {right === undefined ? null : <Box flexShrink={1}>{right}</Box>}
    </Box>
  );
}
