import {Box} from 'ink';
import type {ReactElement} from 'react';
import type {State} from '../../domain/index.ts';
import {useDaemonState, useNow, useView} from '../hooks/use-view.ts';
import {type SidebarRow, sidebarRows} from '../model/sidebar-rows.ts';
import {ListItem} from './ListItem.tsx';
import {SafeText} from './SafeText.tsx';
import {SelectRow} from './SelectRow.tsx';

/** Sessions of the person, or services. */
export function OtherRows({
  kind,
  heading,
}: {
  readonly kind: 'session' | 'service';
  readonly heading: string;
}): ReactElement | null {
  const state = useDaemonState();
  const now = useNow();
  const rows = selectRows(state, now, kind);
  if (rows.length === 0) return null;
  return (
    <>
      <Box paddingLeft={1} flexShrink={0}>
        <SafeText bold>{heading}</SafeText>
      </Box>
      {rows.map((row) => (
        <OtherRow key={row.key} row={row} />
      ))}
      <Box height={1} flexShrink={0} />
    </>
  );
}

function selectRows(state: State, now: number, kind: SidebarRow['kind']): readonly SidebarRow[] {
  return sidebarRows(state, now).filter((row) => row.kind === kind);
}

function OtherRow({row}: {readonly row: SidebarRow}): ReactElement {
  const isSelected = useView(({model}) => model.selected === row.key);
  const {mark, name, title, word, tone} = row;
  const isGood = tone === 'good';
  const markTone = isGood ? 'good' : (otherTones[tone] ?? 'dim');
  return (
    <ListItem id={row.key} isSelected={isSelected}>
      <SelectRow isSelected={isSelected}>
        <Box flexGrow={1} flexShrink={1} paddingLeft={1} paddingRight={1} columnGap={1}>
          <Box flexShrink={0}>
            <SafeText tone={markTone} isHidden>
              {mark}
            </SafeText>
          </Box>
          <Box flexGrow={1} flexShrink={1}>
            <SafeText bold={isSelected}>
              {name}
              {row.kind === 'session' ? <SafeText tone="dim">{` ${title}`}</SafeText> : null}
            </SafeText>
          </Box>
          <Box flexShrink={0}>
            <SafeText tone="dim">
              {row.kind === 'service' && title !== ''
                ? `${title.replace(/^port /, ':')} ${word}`
                : word}
            </SafeText>
          </Box>
        </Box>
      </SelectRow>
    </ListItem>
  );
}

const otherTones: Readonly<Partial<Record<SidebarRow['tone'], 'warn' | 'bad' | 'run' | 'dim'>>> = {
  needs: 'warn',
  bad: 'bad',
  plain: 'run',
  quiet: 'dim',
};
