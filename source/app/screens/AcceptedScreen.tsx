import {Box} from 'ink';
import type {ReactElement} from 'react';
import {AcceptedCardView} from '../components/AcceptedCardView.tsx';
import {SafeText} from '../components/SafeText.tsx';
import {useView} from '../hooks/use-view.ts';

/** The card of a run that was accepted. It is shown once; the timeline keeps it. */
export function AcceptedScreen(): ReactElement {
  const card = useView(({model}) => model.answers.accepted);
  return (
    <Box
      flexDirection="column"
      alignItems="center"
      justifyContent="center"
      flexGrow={1}
      flexShrink={1}
      flexBasis={0}
      minHeight={0}
    >
      {card === undefined ? (
        <SafeText tone="dim">Reading the journal …</SafeText>
      ) : (
        <AcceptedCardView card={card} />
      )}
    </Box>
  );
}
