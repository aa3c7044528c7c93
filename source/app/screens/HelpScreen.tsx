import {Box} from 'ink';
import {memo, type ReactElement, useMemo} from 'react';
import {Heading, KeyRow} from '../components/HelpOverlay.tsx';
import {KeyHint} from '../components/KeyHint.tsx';
import {SafeText} from '../components/SafeText.tsx';
import {useModel, useSizeClass, useView} from '../hooks/use-view.ts';
import {Scroll} from '../ink/regions.tsx';
import {keyFor} from '../keymap/key-for.ts';
import {type KeyBlock, selectAllKeys} from '../select/help-keys.ts';

/** All keys by where they work, those of the screen before first. */
export function HelpScreen(): ReactElement {
  const model = useModel();
  const state = useView((view) => view.state);
  const sizeClass = useSizeClass();
  const hasColumns = sizeClass === 'medium' || sizeClass === 'wide' || sizeClass === 'huge';
  const filter = useView(({model: {field, help}}) => {
    if (field?.for.what === 'find-key') return field.text;
    return help?.at === 'all' ? help.filter : '';
  });
  const {bindings} = model.keymap;
  const before = model.trail.at(-1);
  // Only these decide what is listed; the rest of the model changes with every key.
  const blocks = useMemo(
    () => selectAllKeys(model, state, filter),
    [bindings, before, filter, state.runs],
  );
  return (
    <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0} paddingX={1}>
      <Title filter={filter} />
      <Scroll list="help" top={model.places.help.top}>
        {blocks.length === 0 ? <SafeText tone="dim">No match.</SafeText> : null}
        <Blocks blocks={blocks} columns={hasColumns ? 2 : 1} />
      </Scroll>
    </Box>
  );
}

function Title({filter}: {readonly filter: string}): ReactElement {
  const isOwn = useView(({model}) => model.keymap.bindings.some(({own}) => own !== undefined));
  const change = useView(({model}) => keyFor(model, 'screen-keys', 'command'));
  const search = useView(({model}) => keyFor(model, 'search', 'help'));
  const rule = isOwn ? 'Those with * are yours.' : 'CAPITALS decide, small letters look.';
  return (
    <Box height={1} flexShrink={0} columnGap={3} marginBottom={1}>
      <SafeText bold>All keys</SafeText>
      <Box flexGrow={1} flexShrink={1}>
        <SafeText tone="dim">{filter.trim() === '' ? rule : `with "${filter.trim()}"`}</SafeText>
      </Box>
      <KeyHint keys={search} text="find" action="search" />
      <KeyHint keys={change} text="change keys" action="screen-keys" />
    </Box>
  );
}

const Blocks = memo(function Blocks({
  blocks,
  columns,
}: {
  readonly blocks: readonly KeyBlock[];
  readonly columns: 1 | 2;
}): ReactElement {
  const [left, right] = columns === 1 ? [blocks, []] : splitInTwo(blocks);
  return (
    <Box flexShrink={0} columnGap={2}>
      <BlockColumn blocks={left} />
      {right.length === 0 ? null : <BlockColumn blocks={right} />}
    </Box>
  );
});

function BlockColumn({blocks}: {readonly blocks: readonly KeyBlock[]}): ReactElement {
  return (
    <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0}>
      {blocks.map(({context, label, keys}, index) => (
        <Box key={context} flexDirection="column" flexShrink={0}>
          <Heading isFirst={index === 0}>{label}</Heading>
          {keys.map((key) => (
            <KeyRow key={`${key.keys} ${key.text}`} helpKey={key} width={18} />
          ))}
        </Box>
      ))}
    </Box>
  );
}

/** Two columns of about the same height. */
function splitInTwo(
  blocks: readonly KeyBlock[],
): readonly [readonly KeyBlock[], readonly KeyBlock[]] {
  const heights = blocks.map(({keys}) => keys.length + 2);
  const total = heights.reduce((sum, height) => sum + height, 0);
  let used = 0;
  const at = heights.findIndex((height) => {
    used += height;
    return used >= total / 2;
  });
  return at === -1 ? [blocks, []] : [blocks.slice(0, at + 1), blocks.slice(at + 1)];
}
