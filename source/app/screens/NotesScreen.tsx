import {Box} from 'ink';
import type {ReactElement} from 'react';
import type {Recalled} from '../../knowledge/index.ts';
import {KeyHint} from '../components/KeyHint.tsx';
import {SafeText} from '../components/SafeText.tsx';
import {ScreenTitle} from '../components/ScreenTitle.tsx';
import {SelectRow} from '../components/SelectRow.tsx';
import {useSigns, useSize, useSizeClass, useView} from '../hooks/use-view.ts';
import {Clickable, Item, Scroll} from '../ink/regions.tsx';
import {keyFor} from '../keymap/key-for.ts';
import {plural} from '../model/line.ts';
import {isReadingNote, selectNote, selectNotes} from '../select/notes.ts';

/** What earlier tasks left behind: a search, what it found, and the note under the cursor. */
export function NotesScreen(): ReactElement {
  const recall = useView(({model}) => model.answers.recall);
  const search = useView(({model}) => keyFor(model, 'search', 'knowledge'));
  const count = useView(({model}) => selectNotes(model).length);
  const isReading = useView(({model}) => isReadingNote(model));
  return (
    <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0}>
      <ScreenTitle
        title="Notes"
        about={recall === undefined || recall.of === '' ? '' : `about "${recall.of}"`}
      >
        {isReading ? (
          <Back />
        ) : (
          <SafeText tone="dim">
            {recall === undefined ? '' : plural(count, 'note', 'notes')}
          </SafeText>
        )}
      </ScreenTitle>
      {recall === undefined ? (
        <Hint
          text={`Notes are written when a task ends, into .orchestra/knowledge. ${search} searches them: a few words, or the name of a file.`}
        />
      ) : null}
      {recall !== undefined && 'rejected' in recall ? (
        <Hint text={recall.rejected} isProblem />
      ) : null}
      {recall !== undefined && 'value' in recall && count === 0 ? (
        <Hint text={`No match. ${search} searches for other words.`} />
      ) : null}
      {count > 0 ? <Found isReading={isReading} /> : null}
    </Box>
  );
}

function Back(): ReactElement {
  const key = useView(({model}) => keyFor(model, 'back', 'command'));
  return <KeyHint keys={key} text="back to the list" action="back" />;
}

function Hint({
  text,
  isProblem = false,
}: {
  readonly text: string;
  readonly isProblem?: boolean;
}): ReactElement {
  return (
    <Box flexShrink={0} paddingX={2} maxWidth={110}>
      <SafeText tone={isProblem ? 'bad' : 'dim'} wrap="wrap">
        {text}
      </SafeText>
    </Box>
  );
}

/** The list, and the note beside it, or below it in a narrow window. */
function Found({isReading}: {readonly isReading: boolean}): ReactElement {
  const sizeClass = useSizeClass();
  const note = useView(({model}) => selectNote(model));
  const top = useView(({model}) => (isReading ? model.places.reading.top : 0));
  const isWide = sizeClass === 'medium' || sizeClass === 'wide' || sizeClass === 'huge';
  const text =
    note === undefined ? null : (
      <Scroll list="reading" top={top} paddingX={1}>
        <NoteText note={note} />
      </Scroll>
    );
  if (isReading) return text ?? <Box />;
  return (
    <Box
      flexGrow={1}
      flexShrink={1}
      flexBasis={0}
      flexDirection={isWide ? 'row' : 'column'}
      columnGap={2}
      rowGap={1}
    >
      <NoteList />
      <Box flexGrow={2} flexShrink={1} flexBasis={0}>
        {text}
      </Box>
    </Box>
  );
}

function NoteList(): ReactElement {
  const notes = useView(({model}) => selectNotes(model));
  const {rows} = useSize();
  const cursor = useView(({model}) => Math.min(notes.length - 1, model.places.knowledge.cursor));
  const first = Math.max(0, cursor - rows);
  return (
    <Scroll list="knowledge">
      {notes.slice(first, cursor + rows).map((note, offset) => (
        <Item key={note.path} id={note.path} isCursor={first + offset === cursor}>
          <Clickable target={{type: 'item', list: 'knowledge', index: first + offset}} height={1}>
            <NoteRow note={note} isMarked={first + offset === cursor} />
          </Clickable>
        </Item>
      ))}
    </Scroll>
  );
}

function NoteRow({
  note: {title, date, outcome},
  isMarked,
}: {
  readonly note: Recalled;
  readonly isMarked: boolean;
}): ReactElement {
  const {sign} = useSigns();
  const isMerged = outcome === 'merged';
  return (
    <SelectRow isSelected={isMarked} flexGrow={1} flexShrink={1} paddingRight={1} columnGap={1}>
      <SafeText tone={isMerged ? 'good' : 'faint'} label={outcome}>
        {isMerged ? sign.passed : sign.discarded}
      </SafeText>
      <Box flexGrow={1} flexShrink={1}>
        <SafeText bold={isMarked}>{title}</SafeText>
      </Box>
      <Box flexShrink={0} paddingLeft={1}>
        <SafeText tone="dim">{date ?? ''}</SafeText>
      </Box>
    </SelectRow>
  );
}

function NoteText({note: {path, text}}: {readonly note: Recalled}): ReactElement {
  return (
    <Box flexDirection="column" flexShrink={0} maxWidth={110}>
      <SafeText tone="faint" wrap="truncate-start">
        {path}
      </SafeText>
      {text.split('\n').map((line, index) => (
        <Box key={index} flexShrink={0} minHeight={1}>
          {line.startsWith('#') ? (
            <SafeText bold>{line.replace(/^#+ */, '')}</SafeText>
          ) : (
            <SafeText wrap="wrap">{line}</SafeText>
          )}
        </Box>
      ))}
    </Box>
  );
}
