import {Box} from 'ink';
import type {ReactElement, ReactNode} from 'react';
import {SafeText} from '../components/SafeText.tsx';
import {ScreenTitle} from '../components/ScreenTitle.tsx';
import {SelectRow} from '../components/SelectRow.tsx';
import {SettingsProblems} from '../components/SettingsProblems.tsx';
import {useSigns, useView} from '../hooks/use-view.ts';
import {Clickable, Item, Scroll} from '../ink/regions.tsx';
import {formatChord} from '../keymap/chord.ts';
import {plural} from '../model/line.ts';
import {type SettingRow, settingRows} from '../model/settings.ts';

/** The settings of the person, for all repositories. The last row leads to the keys. */
export function SettingsScreen(): ReactElement {
  const cursor = useView(({model}) =>
    Math.max(0, Math.min(settingRows.length, model.places.settings.cursor)),
  );
  return (
    <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0}>
      <ScreenTitle title="Settings" about="for all your repositories" />
      <SettingsProblems />
      <Scroll list="settings">
        {settingRows.map((row, index) => (
          <Row
            key={row.name}
            id={row.name}
            index={index}
            isMarked={index === cursor}
            label={row.text}
          >
            <Values row={row} />
          </Row>
        ))}
        <Row
          id="keys"
          index={settingRows.length}
          isMarked={cursor === settingRows.length}
          label="Keys"
        >
          <KeysValue />
        </Row>
        <Box flexShrink={0} marginTop={1} paddingX={2} maxWidth={110}>
          <SafeText tone="dim" wrap="wrap">
            {settingRows[cursor]?.note ??
              'Every key can be another one: they have their own screen.'}
          </SafeText>
        </Box>
      </Scroll>
    </Box>
  );
}

function Row({
  id,
  index,
  isMarked,
  label,
  children,
}: {
  readonly id: string;
  readonly index: number;
  readonly isMarked: boolean;
  readonly label: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <Item id={id} isCursor={isMarked}>
      <Clickable target={{type: 'item', list: 'settings', index}}>
        <SelectRow isSelected={isMarked} flexGrow={1} flexShrink={1} paddingRight={1}>
          <Box width={27} flexShrink={0} paddingLeft={1}>
            <SafeText bold={isMarked}>{label}</SafeText>
          </Box>
          <Box flexGrow={1} flexShrink={1}>
            {children}
          </Box>
        </SelectRow>
      </Clickable>
    </Item>
  );
}

/** All values with the chosen one marked; of many only the chosen one. */
function Values({row: {name, values}}: {readonly row: SettingRow}): ReactElement {
  const current = useView(({model}) => model.settings[name]);
  const at = values.findIndex(({value}) => value === current);
  const {sign} = useSigns();
  if (values.length > maxValues)
    return (
      <SafeText>
        <SafeText tone="accent" isHidden>{`${sign.work} `}</SafeText>
        <SafeText bold>{values[at]?.text ?? ''}</SafeText>
        <SafeText tone="dim">{`   ${at + 1} of ${values.length}`}</SafeText>
      </SafeText>
    );
  // The key that ends typing may be another one than those offered here.
  const offered = at === -1 ? [...values, {value: current, text: String(current)}] : values;
  return (
    <SafeText>
      {offered.map(({value, text}) => {
        const isChosen = value === current;
        const label = name === 'leave' ? formatChord(String(value)) : text;
        return (
          <SafeText
            key={String(value)}
            tone={isChosen ? 'text' : 'dim'}
            bold={isChosen}
            label={`${label}${isChosen ? ', chosen' : ''}   `}
          >
            {`${isChosen ? sign.work : sign.wait} ${label}   `}
          </SafeText>
        );
      })}
    </SafeText>
  );
}

/** More of them do not fit beside each other. */
const maxValues = 5;

function KeysValue(): ReactElement {
  const own = useView(
    ({model}) => model.keymap.bindings.filter((binding) => binding.own !== undefined).length,
  );
  return (
    <SafeText>
      <SafeText tone={own === 0 ? 'dim' : 'text'} bold={own > 0}>
        {own === 0 ? 'default' : `${plural(own, 'is', 'are')} yours`}
      </SafeText>
      <SafeText tone="dim">{'   change …'}</SafeText>
    </SafeText>
  );
}
