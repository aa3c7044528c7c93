import {Box} from 'ink';
import type {ReactElement} from 'react';
import {useView} from '../../hooks/use-view.ts';
import {keyFor} from '../../keymap/key-for.ts';
import {maxProseColumns} from '../../model/line.ts';
import type {DiffComment} from '../../model/model.ts';
import {Frame} from '../Frame.tsx';
import {SafeText} from '../SafeText.tsx';
import {TextInput} from '../TextInput.tsx';

/** A comment that was not sent yet, below its line. */
export function CommentCard({
  comment: {line, source, text},
  isStray,
}: {
  readonly comment: DiffComment;
  readonly isStray: boolean;
}): ReactElement {
  const edit = useView(({model}) => keyFor(model, 'comment-line', 'review'));
  const remove = useView(({model}) => keyFor(model, 'drop-comment', 'review'));
  return (
    <Box flexDirection="column" paddingRight={cardMargin} maxWidth={maxProseColumns}>
      {isStray ? (
        <SafeText tone="dim" wrap="wrap">{`Line ${line} was: ${source.trim()}`}</SafeText>
      ) : null}
      <Frame
        tone="warn"
        paddingX={1}
        title={
          <SafeText tone="warn">
            <SafeText tone="warn" bold>
              you
            </SafeText>
            {', not sent'}
          </SafeText>
        }
        footState={<SafeText tone="dim">{`${edit} edit  ${remove} delete`}</SafeText>}
      >
        <SafeText wrap="wrap">{text}</SafeText>
      </Frame>
    </Box>
  );
}

/** Where a comment is written: it stands where the comment will be. */
export function CommentField(): ReactElement | null {
  const field = useView(({model}) => model.field);
  if (field?.for.what !== 'comment-diff') return null;
  return (
    <Box paddingRight={cardMargin} maxWidth={maxProseColumns}>
      <Frame
        tone="accent"
        paddingX={1}
        flexGrow={1}
        title={
          <SafeText tone="accent" bold>
            {field.label}
          </SafeText>
        }
      >
        <Box height={1} flexShrink={0}>
          <TextInput field={field} />
        </Box>
      </Frame>
    </Box>
  );
}

const cardMargin = 3;
