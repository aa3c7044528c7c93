import type {ReactElement} from 'react';
import {useView} from '../hooks/use-view.ts';
import {Dialog} from './Dialog.tsx';
import {HelpOverlay} from './HelpOverlay.tsx';
import {KeyDialog} from './KeyDialog.tsx';
import {Palette} from './Palette.tsx';

/** A question, a key that is asked for, the palette or help, over the screen and its panes. */
export function Overlay(): ReactElement | null {
  const confirmation = useView(({model}) => model.confirmation);
  const rebinding = useView(({model}) => model.rebinding);
  const isPalette = useView(({model}) => model.field?.for.what === 'palette');
  const hasHelp = useView(({model}) => model.help?.at === 'place');
  if (confirmation !== undefined) return <Dialog confirmation={confirmation} />;
  if (rebinding !== undefined) return <KeyDialog rebinding={rebinding} />;
  if (isPalette) return <Palette />;
  return hasHelp ? <HelpOverlay /> : null;
}
