import {Box, type BoxProps, type DOMElement} from 'ink';
import {
  createContext,
  type ReactElement,
  type ReactNode,
  type RefObject,
  use,
  useLayoutEffect,
  useRef,
} from 'react';
import type {SessionId} from '../../domain/index.ts';
import type {ListName} from '../model/model.ts';
import type {Region, Regions, Target} from './region.ts';

export const RegionsContext = createContext<Regions>(new Map());

/** Registers the box that gets the returned ref, for as long as it is mounted. */
export function useRegion(region: Region | undefined): RefObject<DOMElement | null> {
  const regions = use(RegionsContext);
  const ref = useRef<DOMElement>(null);
  const key = region === undefined ? undefined : JSON.stringify(region);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null || region === undefined) return undefined;
    regions.set(element, region);
    return () => void regions.delete(element);
    // Regions are plain data: `key` says whether this one is another.
  }, [regions, key]);
  return ref;
}

type WithChildren = {readonly children?: ReactNode};

/**
 * The place of a session's terminal. The painter fills it; output never reaches React. The children
 * are shown while the terminal has nothing to show.
 */
export function Pane({
  session,
  scroll,
  isFocused = false,
  children,
  ...box
}: {
  readonly session: SessionId;
  readonly scroll?: number | undefined;
  readonly isFocused?: boolean;
} & BoxProps &
  WithChildren): ReactElement {
  const ref = useRegion({
    kind: 'pane',
    session,
    ...(scroll === undefined ? {} : {scroll}),
    ...(isFocused && {isFocused}),
  });
  return (
    <Box ref={ref} flexGrow={1} flexShrink={1} flexBasis={0} {...box}>
      {children}
    </Box>
  );
}

/** The terminal's own cursor, while this is shown: input methods and screen readers look there. */
export function Caret(): ReactElement {
  return <Box ref={useRegion({kind: 'caret'})} width={0} height={1} flexShrink={0} />;
}

/** A click on the children is a click on the target. */
export function Clickable({
  target,
  children,
  ...box
}: {readonly target: Target} & BoxProps & WithChildren): ReactElement {
  return (
    <Box ref={useRegion({kind: 'target', target})} flexShrink={0} {...box}>
      {children}
    </Box>
  );
}

/** A box that lies over others: its blanks hide what is below, also without colours. */
export function Cover({children, ...box}: BoxProps & WithChildren): ReactElement {
  return (
    <Box ref={useRegion({kind: 'cover'})} {...box}>
      {children}
    </Box>
  );
}

/** Swaps foreground and background of the children. */
export function Inverse({
  isOn,
  children,
  ...box
}: {readonly isOn: boolean} & BoxProps & WithChildren): ReactElement {
  return (
    <Box ref={useRegion(isOn ? {kind: 'inverse'} : undefined)} {...box}>
      {children}
    </Box>
  );
}

/** Covers everything before it in the tree; what comes after it stays as it is. */
export function Veil({colour}: {readonly colour: number}): ReactElement {
  return (
    <Box
      ref={useRegion({kind: 'veil', colour})}
      position="absolute"
      top={0}
      left={0}
      width="100%"
      height="100%"
    />
  );
}

/** A viewport. Its children are `Item`s and headings, one below the other. */
export function Scroll({
  list,
  top,
  children,
  ...box
}: {readonly list: ListName; readonly top?: number | undefined} & BoxProps &
  WithChildren): ReactElement {
  return (
    <Box
      ref={useRegion({kind: 'scroll', list, ...(top === undefined ? {} : {top})})}
      flexDirection="column"
      flexGrow={1}
      flexShrink={1}
      flexBasis={0}
      minHeight={0}
      overflow="hidden"
      {...box}
    >
      {children}
    </Box>
  );
}

/** A child of `Scroll` that the cursor can be on. It never shrinks. */
export function Item({
  id,
  isCursor,
  children,
  ...box
}: {readonly id: string; readonly isCursor: boolean} & BoxProps & WithChildren): ReactElement {
  return (
    <Box
      ref={useRegion({kind: 'item', id, isCursor})}
      flexDirection="column"
      flexShrink={0}
      {...box}
    >
      {children}
    </Box>
  );
}
