import {Box} from 'ink';
import {memo, type ReactElement} from 'react';
import {useDaemonState, useModel, useSize, useTheme, useView} from '../hooks/use-view.ts';
import {Clickable, Item, Scroll} from '../ink/regions.tsx';
import {keyFor} from '../keymap/key-for.ts';
import {type PaletteMatch, selectPalette} from '../select/palette.ts';
import {Frame} from './Frame.tsx';
import {KeyHint} from './KeyHint.tsx';
import {MatchedText} from './MatchedText.tsx';
import {OverlayBox} from './OverlayBox.tsx';
import {Rule} from './Rule.tsx';
import {SafeText} from './SafeText.tsx';
import {SelectRow} from './SelectRow.tsx';
import {TaskSign} from './TaskSign.tsx';
import {TextInput} from './TextInput.tsx';

/** Everything by its name: what works here, places, settings, and help. */
export function Palette(): ReactElement {
  const theme = useTheme();
  const {rows} = useSize();
  const model = useModel();
  const state = useDaemonState();
  const {matches, count, cursor} = selectPalette(model, state);
  const isSmall = rows < 24;
  return (
    <OverlayBox width={74} height={Math.min(maxRows, rows - (isSmall ? 2 : 6))} align="flex-start">
      <Frame
        tone="accent"
        isHeavy={theme.frames === 'heavy'}
        flexGrow={1}
        footState={<SafeText tone="dim">{`${matches.length} of ${count}`}</SafeText>}
      >
        <Field />
        <Line />
        <Matches matches={matches} cursor={cursor} rows={rows} />
        {isSmall ? null : <Keys isTheme={isTheme(matches, cursor)} />}
      </Frame>
    </OverlayBox>
  );
}

const maxRows = 25;

function isTheme(matches: readonly PaletteMatch[], cursor: number | undefined): boolean {
  return cursor !== undefined && matches[cursor]?.leadsTo.type === 'theme';
}

function Field(): ReactElement {
  const field = useView(({model}) => model.field);
  const leave = useView(({model}) => keyFor(model, 'leave-field', 'palette'));
  return (
    <Box height={1} flexShrink={0} paddingX={1} columnGap={1}>
      <SafeText tone="accent" bold>
        {'>'}
      </SafeText>
      {field === undefined ? null : <TextInput field={field} />}
      <Clickable target={{type: 'action', action: 'leave-field'}} height={1}>
        <SafeText tone="dim">{leave}</SafeText>
      </Clickable>
    </Box>
  );
}

function Matches({
  matches,
  cursor,
  rows,
}: {
  readonly matches: readonly PaletteMatch[];
  readonly cursor: number | undefined;
  readonly rows: number;
}): ReactElement {
  if (matches.length === 0)
    return (
      <Box flexGrow={1} paddingX={1}>
        <SafeText tone="dim">No match.</SafeText>
      </Box>
    );
  const first = Math.max(0, (cursor ?? 0) - rows);
  const shown = matches.slice(first, first + 2 * rows);
  return (
    <Scroll list="palette">
      {shown.flatMap((match, offset) => {
        const index = first + offset;
        const isFirst = match.section !== matches[index - 1]?.section;
        return [
          ...(isFirst ? [<Section key={match.section} name={match.section} />] : []),
          <Item key={match.id} id={match.id} isCursor={index === cursor}>
            <Clickable target={{type: 'item', list: 'palette', index}} height={1}>
              <Entry match={match} isMarked={index === cursor} />
            </Clickable>
          </Item>,
        ];
      })}
    </Scroll>
  );
}

function Line(): ReactElement {
  return (
    <Box height={1} flexShrink={0}>
      <Rule />
    </Box>
  );
}

function Section({name}: {readonly name: string}): ReactElement {
  return (
    <Box height={1} flexShrink={0} paddingX={1}>
      <SafeText tone="accent" bold>
        {name}
      </SafeText>
    </Box>
  );
}

const Entry = memo(function Entry({
  match: {text, positions, key, sign, decides},
  isMarked,
}: {
  readonly match: PaletteMatch;
  readonly isMarked: boolean;
}): ReactElement {
  return (
    <SelectRow isSelected={isMarked} flexGrow={1} flexShrink={1} paddingRight={1}>
      <Box flexGrow={1} flexShrink={1} paddingLeft={2}>
        <MatchedText text={text} positions={positions} bold={isMarked} />
      </Box>
      <Box flexShrink={0} columnGap={2} marginLeft={2}>
        {decides ? (
          <SafeText tone="warn" bold label="decides">
            !
          </SafeText>
        ) : null}
        {sign === undefined ? null : <TaskSign sign={sign} />}
        {key === '' ? null : (
          <SafeText tone="accent" bold>
            {key}
          </SafeText>
        )}
      </Box>
    </SelectRow>
  );
});

function Keys({isTheme: showsTheme}: {readonly isTheme: boolean}): ReactElement {
  const submit = useView(({model}) => keyFor(model, 'submit', 'palette'));
  const up = useView(({model}) => keyFor(model, 'up', 'palette'));
  const down = useView(({model}) => keyFor(model, 'down', 'palette'));
  return (
    <>
      <Line />
      <Box height={1} flexShrink={0} paddingX={1} columnGap={3}>
        <KeyHint keys={submit} text="do it" action="submit" />
        <KeyHint
          keys={`${up} ${down}`}
          text={showsTheme ? 'choose; a theme shows itself while it is marked' : 'choose'}
          action="down"
        />
      </Box>
    </>
  );
}
