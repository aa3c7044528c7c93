import {Box} from 'ink';
import {memo, type ReactElement} from 'react';
import {SafeText} from '../components/SafeText.tsx';
import {ScreenTitle} from '../components/ScreenTitle.tsx';
import {SelectRow} from '../components/SelectRow.tsx';
import {SettingsProblems} from '../components/SettingsProblems.tsx';
import {useSize, useView} from '../hooks/use-view.ts';
import {Clickable, Item, Scroll} from '../ink/regions.tsx';
import {type Binding, contextLabels} from '../keymap/binding.ts';
import {keymap} from '../keymap/bindings.ts';
import {defaultLeaveKey, formatKeys} from '../keymap/chord.ts';
import {toBindingName} from '../keymap/parse.ts';
import {bindingRows, selectedBinding} from '../keymap/rebind.ts';
import {plural} from '../model/line.ts';
import type {Model} from '../model/model.ts';

/** All keys by where they work, to be changed. Changed ones have a mark. */
export function KeysScreen(): ReactElement {
  const {rows} = useSize();
  const keymapOfPerson = useView(({model}) => model.keymap);
  const settings = useView(({model}) => model.settings);
  const bindings = bindingRows({keymap: keymapOfPerson});
  const own = bindings.filter((binding) => isChanged(binding, {settings})).length;
  const cursor = useView(({model}) =>
    Math.max(0, Math.min(bindings.length - 1, model.places.keys.cursor)),
  );
  const first = Math.max(0, cursor - rows);
  return (
    <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0}>
      <ScreenTitle
        title="Changing keys"
        about={own === 0 ? 'all are default' : `${plural(own, 'is', 'are')} yours, with *`}
      />
      <SettingsProblems />
      <Scroll list="keys">
        {bindings.slice(first, cursor + rows).map((binding, offset) => {
          const index = first + offset;
          return (
            <KeyItem
              key={toBindingName(binding)}
              binding={binding}
              index={index}
              isOwn={isChanged(binding, {settings})}
              isMarked={index === cursor}
            />
          );
        })}
      </Scroll>
      <Chosen />
    </Box>
  );
}

function isChanged({own, action}: Binding, {settings: {leave}}: Pick<Model, 'settings'>): boolean {
  return own !== undefined || (action === 'stop-typing' && leave !== defaultLeaveKey);
}

type KeyRowProps = {
  readonly binding: Binding;
  readonly isOwn: boolean;
  readonly isMarked: boolean;
};

const KeyItem = memo(function KeyItem({
  index,
  ...row
}: KeyRowProps & {readonly index: number}): ReactElement {
  return (
    <Item id={toBindingName(row.binding)} isCursor={row.isMarked}>
      <Clickable target={{type: 'item', list: 'keys', index}} height={1}>
        <KeyRow {...row} />
      </Clickable>
    </Item>
  );
});

function KeyRow({binding, isOwn, isMarked}: KeyRowProps): ReactElement {
  return (
    <SelectRow isSelected={isMarked} flexGrow={1} flexShrink={1} paddingRight={1} columnGap={1}>
      <Box width={1} flexShrink={0}>
        <SafeText tone="warn" label={isOwn ? 'yours' : ''}>
          {isOwn ? '*' : ' '}
        </SafeText>
      </Box>
      <Box flexGrow={3} flexShrink={1} flexBasis={0}>
        <SafeText bold={isMarked}>{binding.text}</SafeText>
      </Box>
      <Box width={20} flexShrink={0}>
        <SafeText tone="accent" bold>
          {formatKeys(binding.keys)}
        </SafeText>
      </Box>
      <Box flexGrow={2} flexShrink={1} flexBasis={0}>
        <SafeText tone="dim">{contextLabels[binding.in]}</SafeText>
      </Box>
    </SelectRow>
  );
}

/** The name of the marked binding in the settings, and its default key. */
function Chosen(): ReactElement | null {
  const binding = useView(({model}) => selectedBinding(model));
  const isOwn = useView(({model}) => binding !== undefined && isChanged(binding, model));
  if (binding === undefined) return null;
  const isFixed = binding.isFixed === true;
  const usual =
    keymap.find((one) => one.in === binding.in && one.action === binding.action)?.keys ?? [];
  const name = binding.action === 'stop-typing' ? 'leave' : `keys.${toBindingName(binding)}`;
  const changed = isOwn ? `default ${formatKeys(usual)}` : 'default';
  return (
    <Box flexShrink={0} marginTop={1} paddingX={1} columnGap={2}>
      <Box flexGrow={1} flexShrink={1}>
        <SafeText wrap="wrap">{binding.text}</SafeText>
      </Box>
      <Box flexShrink={0}>
        <SafeText tone="dim">{isFixed ? 'stays as it is' : `${name}  ${changed}`}</SafeText>
      </Box>
    </Box>
  );
}
