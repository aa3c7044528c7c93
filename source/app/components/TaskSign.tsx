import type {ReactElement} from 'react';
import {useSigns} from '../hooks/use-view.ts';
import type {TaskSign as Sign} from '../select/task-label.ts';
import {type SignName, signTokens} from '../theme/signs.ts';
import type {Token} from '../theme/tokens.ts';
import {SafeText} from './SafeText.tsx';

const signNames: Readonly<Record<Sign, SignName>> = {
  works: 'work',
  waits: 'wait',
  asks: 'asks',
  stopped: 'failed',
  merged: 'passed',
  held: 'held',
  yours: 'yours',
  discarded: 'discarded',
};

export function toneOfSign(sign: Sign): Token {
  return signTokens[signNames[sign]];
}

/** The mark of a task. A screen reader hears the words beside it instead. */
export function TaskSign({sign}: {readonly sign: Sign}): ReactElement {
  const signs = useSigns();
  return (
    <SafeText tone={toneOfSign(sign)} isHidden>
      {signs.sign[signNames[sign]]}
    </SafeText>
  );
}
