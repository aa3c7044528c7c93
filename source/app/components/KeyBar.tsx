import {Box} from 'ink';
import type {ReactElement} from 'react';
import {useTheme, useView, useViewData} from '../hooks/use-view.ts';
import {keyFor} from '../keymap/key-for.ts';
import {type Hint, selectHints} from '../keymap/select-hints.ts';
import {commentUnderCursor} from '../model/comment-line.ts';
import {isPlanFieldInPlace, selectScreenField} from '../model/field-place.ts';
import type {OpenField} from '../model/model.ts';
import {selectPaneGrid} from '../model/pane-grid.ts';
import {KeyHint} from './KeyHint.tsx';
import {SafeText} from './SafeText.tsx';
import {TextInput} from './TextInput.tsx';

/** The last row: what is being written, where typing goes, or the keys of this place. */
export function KeyBar(): ReactElement {
  const field = useView(({model}) => model.field);
  const isTyping = useView(({model}) => model.mode === 'typing');
  if (isTyping) return <TypingBar />;
  if (field !== undefined && field.for.what !== 'objective' && field.for.what !== 'palette')
    return <FieldBar field={field} />;
  return <Keys />;
}

/** Hints that do not fit wrap into a row that is not shown; commands and help are always there. */
function Keys(): ReactElement {
  const theme = useTheme();
  const hints = useViewData(({model, state}) => selectHints(model, state));
  const isFixed = ({action}: Hint): boolean => action === 'palette' || action === 'help';
  const others = hints.filter((hint) => !isFixed(hint));
  return (
    <Box height={1} flexShrink={0} paddingX={1} columnGap={2} {...theme.fill('surface')}>
      <Box
        flexGrow={1}
        flexShrink={1}
        flexBasis={0}
        height={1}
        overflow="hidden"
        flexWrap="wrap"
        columnGap={2}
      >
        {others.map((hint) => (
          <KeyHint key={`${hint.action} ${hint.chord}`} {...hint} />
        ))}
      </Box>
      {hints.filter(isFixed).map((hint) => (
        <KeyHint key={hint.action} {...hint} />
      ))}
    </Box>
  );
}

function TypingBar(): ReactElement {
  const theme = useTheme();
  const title = useView(({model, state}) => {
    const pane = selectPaneGrid(model, state).panes.find(({isFocused}) => isFocused);
    return pane === undefined ? '' : `${pane.number ?? pane.key} ${pane.row.title}`;
  });
  const leave = useView(({model}) => keyFor(model, 'stop-typing', 'typing'));
  const style = theme.fill('mode');
  const {backgroundColor} = style;
  return (
    <Box
      height={1}
      flexShrink={0}
      paddingX={1}
      columnGap={3}
      {...(backgroundColor !== undefined && {backgroundColor})}
    >
      <Box flexShrink={1}>
        <SafeText on="mode" bold>{`TYPING into ${title}`}</SafeText>
      </Box>
      <Box flexShrink={2} flexGrow={1}>
        <SafeText on="mode">every key goes to the program</SafeText>
      </Box>
      <Box flexShrink={0}>
        <SafeText on="mode" bold>{`${leave} gives the keys back`}</SafeText>
      </Box>
    </Box>
  );
}

function FieldBar({field}: {readonly field: OpenField}): ReactElement {
  const theme = useTheme();
  const submitText = useView(({model, state}) => {
    if (field.for.what === 'find-key') return 'done';
    if (field.for.what === 'recall') return 'search';
    if (field.for.what !== 'comment-plan' && field.for.what !== 'comment-diff') return 'send';
    return field.text.trim() === '' && commentUnderCursor(model, state) !== undefined
      ? 'delete it'
      : 'save';
  });
  // A field that stands where its text will be: the last row only has its keys.
  const isInPlace = useView(
    ({model, state}) =>
      field.for.what === 'comment-diff' ||
      selectScreenField(model) !== undefined ||
      isPlanFieldInPlace(model, state),
  );
  const submit = useView(({model}) => keyFor(model, 'submit', 'field'));
  const leave = useView(({model}) => keyFor(model, 'leave-field', 'field'));
  return (
    <Box
      height={1}
      flexShrink={0}
      paddingX={1}
      columnGap={isInPlace ? 2 : 1}
      {...theme.fill('surface')}
    >
      {isInPlace ? null : (
        <>
          <Box flexShrink={0}>
            <SafeText tone="accent" bold>{`${field.label}:`}</SafeText>
          </Box>
          <TextInput field={field} />
        </>
      )}
      <KeyHint keys={submit} text={submitText} action="submit" />
      <KeyHint keys={leave} text="cancel" action="leave-field" />
    </Box>
  );
}
