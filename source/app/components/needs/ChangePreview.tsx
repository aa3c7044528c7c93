import {Box} from 'ink';
import type {ReactElement} from 'react';
import type {TaskId} from '../../../domain/index.ts';
import {useSizeClass, useTheme, useView} from '../../hooks/use-view.ts';
import {keyFor} from '../../keymap/key-for.ts';
import {type LineItem, toLineItems} from '../../review/diff-lines.ts';
import type {DiffFile} from '../../review/parse-diff.ts';
import {KeyHint} from '../KeyHint.tsx';
import {SafeText} from '../SafeText.tsx';
import {NeedFrame} from './NeedFrame.tsx';

/** The first lines of the change so far. `v` opens the whole of it. */
export function ChangePreview({task}: {readonly task: TaskId}): ReactElement | null {
  const files = useView(({model: {answers}}) =>
    answers.change?.of === task && 'value' in answers.change ? answers.change.value : undefined,
  );
  const key = useView(({model}) => keyFor(model, 'see-diff', 'need-stopped'));
  const sizeClass = useSizeClass();
  const [file, ...others] = files ?? [];
  if (file === undefined) return null;
  const lines = selectFirstLines(file, sizeClass === 'huge' || sizeClass === 'wide' ? 10 : 6);
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return (
    <Box flexDirection="column" flexShrink={0} marginBottom={1}>
      <NeedFrame
        title={
          <SafeText bold>
            {file.path}
            <SafeText tone="dim">{more}</SafeText>
          </SafeText>
        }
        state={<Size file={file} />}
        footState={<KeyHint keys={key} text="the whole change" action="see-diff" />}
      >
        {file.notices.map((notice) => (
          <SafeText key={notice} tone="dim">
            {notice}
          </SafeText>
        ))}
        {lines.map((line, index) => (
          <ChangedLine key={index} line={line} />
        ))}
      </NeedFrame>
    </Box>
  );
}

/** From the first changed line, with one line before it. */
function selectFirstLines(file: DiffFile, count: number): readonly LineItem[] {
  const lines = toLineItems(file).flatMap((hunk) => hunk.lines);
  const first = lines.findIndex(({kind}) => kind !== 'context');
  const start = Math.max(0, first - 1);
  return lines.slice(start, start + count);
}

function Size({file: {hunks}}: {readonly file: DiffFile}): ReactElement {
  const count = (wanted: string): number =>
    hunks.flatMap(({lines}) => lines).filter(({kind}) => kind === wanted).length;
  return (
    <SafeText>
      <SafeText tone="good">{`+${count('added')}`}</SafeText>
      <SafeText tone="bad">{` -${count('removed')}`}</SafeText>
    </SafeText>
  );
}

const marks = {context: ' ', added: '+', removed: '-'} as const;
const tones = {context: 'text', added: 'good', removed: 'bad'} as const;
const fills = {context: undefined, added: 'add', removed: 'del'} as const;

function ChangedLine({line}: {readonly line: LineItem}): ReactElement {
  const theme = useTheme();
  const {kind, newLine, oldLine, text} = line;
  const surface = fills[kind];
  const {backgroundColor} = surface === undefined ? {} : theme.fill(surface);
  return (
    <Box
      height={1}
      flexShrink={0}
      columnGap={1}
      {...(backgroundColor !== undefined && {backgroundColor})}
    >
      <Box width={4} flexShrink={0} justifyContent="flex-end">
        <SafeText tone="faint">{newLine ?? oldLine}</SafeText>
      </Box>
      <Box flexShrink={0}>
        <SafeText tone={tones[kind]}>{marks[kind]}</SafeText>
      </Box>
      <SafeText tone={kind === 'context' ? 'dim' : 'text'}>{text}</SafeText>
    </Box>
  );
}
