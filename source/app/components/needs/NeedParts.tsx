import {Box} from 'ink';
import type {ReactElement} from 'react';
import {useSigns} from '../../hooks/use-view.ts';
import {maxProseColumns} from '../../model/line.ts';
import type {NeedListItem, NeedPart} from '../../select/need-view.ts';
import {signTokens} from '../../theme/signs.ts';
import {SafeText} from '../SafeText.tsx';

/** The sentence that says what the need is. It is read whole. */
export function NeedLead({children}: {readonly children: string}): ReactElement {
  return (
    <Box flexShrink={0} marginBottom={1} maxWidth={maxProseColumns}>
      <SafeText bold wrap="wrap">
        {children}
      </SafeText>
    </Box>
  );
}

/** Paragraphs, lists and commands, with a blank row after each. */
export function NeedParts({parts}: {readonly parts: readonly NeedPart[]}): ReactElement {
  return (
    <>
      {parts.map((part, index) => (
        <Box
          key={index}
          flexShrink={0}
          flexDirection="column"

          marginBottom={1}
          maxWidth={maxProseColumns}
        >
          <Part part={part} />
        </Box>
      ))}
    </>
  );
}

function Part({part}: {readonly part: NeedPart}): ReactElement {
  switch (part.kind) {
    case 'text':
      return (
        <SafeText wrap="wrap" {...(part.tone !== undefined && {tone: part.tone})}>
          {part.text}
        </SafeText>
      );
    case 'list':
      return (
        <>
          {part.items.map((item, index) => (
            <ListItem key={index} item={item} />
          ))}
        </>
      );
    case 'fact':
      return (
        <Box columnGap={2}>
          <Box flexShrink={0}>
            <SafeText tone="dim">{part.name}</SafeText>
          </Box>
          <SafeText wrap="wrap">{part.text}</SafeText>
        </Box>
      );
  }
}

function ListItem({item: {text, sign}}: {readonly item: NeedListItem}): ReactElement {
  const signs = useSigns();
  return (
    <Box columnGap={1} flexShrink={0}>
      <Box flexShrink={0}>
        <SafeText tone={sign === undefined ? 'faint' : signTokens[sign]} isHidden>
          {sign === undefined ? signs.sign.discarded : signs.sign[sign]}
        </SafeText>
      </Box>
      <SafeText wrap="wrap">{text}</SafeText>
    </Box>
  );
}
