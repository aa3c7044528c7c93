import type {ReactElement} from 'react';
import {useSizeClass, useView} from '../../hooks/use-view.ts';
import {Frame, type FrameProps} from '../Frame.tsx';

/** A frame of a need. Narrow windows have only its lines above and below, small ones its title. */
export function NeedFrame(props: Omit<FrameProps, 'kind' | 'paddingX'>): ReactElement {
  const sizeClass = useSizeClass();
  const frames = useView(({model}) => model.settings.frames);
  const isSmall = sizeClass === 'phone' || sizeClass === 'small' || frames === 'none';
  const isNarrow = sizeClass === 'narrow' || frames === 'rules';
  const lines = isNarrow ? 'rules' : 'full';
  return <Frame flexShrink={0} {...props} kind={isSmall ? 'top' : lines} paddingX={1} />;
}
