import type {BoxProps} from 'ink';
import type {ReactElement, ReactNode} from 'react';
import {Clickable, Item} from '../ink/regions.tsx';
import {safeLine} from '../model/line.ts';

/** A row of the list: it can be clicked, and comes into view when it is chosen. */
export function ListItem({
  id,
  isSelected,
  label,
  children,
  ...box
}: {
  readonly id: string;
  readonly isSelected: boolean;
  readonly label?: string;
  readonly children: ReactNode;
} & Pick<BoxProps, 'marginBottom'>): ReactElement {
  return (
    <Item id={id} isCursor={isSelected} {...box}>
      <Clickable
        target={{type: 'row', key: id}}
        flexDirection="column"
        {...(label !== undefined && {'aria-label': safeLine(label)})}
      >
        {children}
      </Clickable>
    </Item>
  );
}
