import {Box} from 'ink';
import type {ReactElement, ReactNode} from 'react';
import {BriefCost, BriefHeadline} from '../components/BriefFacts.tsx';
import {BriefHeading, BriefRowView} from '../components/BriefRowView.tsx';
import {KeyHint} from '../components/KeyHint.tsx';
import {SafeText} from '../components/SafeText.tsx';
import {useDaemonState, useNow, useSize, useTheme, useView} from '../hooks/use-view.ts';
import {Clickable, Item, Scroll} from '../ink/regions.tsx';
import {keyFor} from '../keymap/key-for.ts';
import {maxProseColumns} from '../model/line.ts';
import {hasAttentionRow} from '../model/size-class.ts';
import {type BriefRow, selectBriefRows} from '../select/brief-rows.ts';
import {selectWindow} from '../select/window-rows.ts';

/** What happened while the person was away: needs first, then what is merged and what runs. */
export function BriefScreen(): ReactElement {
  const brief = useView(({model}) => model.answers.brief);
  const state = useDaemonState();
  const now = useNow();
  const size = useSize();
  const rows = brief === undefined ? [] : selectBriefRows(state, brief, now);
  const cursor = useView(({model}) =>
    Math.max(0, Math.min(rows.length - 1, model.places.brief.cursor)),
  );
  if (brief === undefined)
    return (
      <Box flexGrow={1} flexShrink={1} flexBasis={0} paddingX={1} paddingTop={1}>
        <SafeText tone="dim">Reading what happened …</SafeText>
      </Box>
    );
  return (
    <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0} minHeight={0}>
      <Centred>
        <BriefHeadline brief={brief} needs={rows.filter(({kind}) => kind === 'need').length} />
        <Rows rows={rows} cursor={cursor} height={size.rows} />
      </Centred>
      {hasAttentionRow(size) ? <WaysOn row={rows[cursor]} rows={rows} /> : null}
    </Box>
  );
}

function Centred({children}: {readonly children: ReactNode}): ReactElement {
  return (
    <Box
      flexDirection="column"
      alignItems="center"
      flexGrow={1}
      flexShrink={1}
      flexBasis={0}
      minHeight={0}
    >
      <Box
        flexDirection="column"
        flexGrow={1}
        flexShrink={1}
        flexBasis={0}
        minHeight={0}
        width="100%"
        maxWidth={maxProseColumns}
      >
        {children}
      </Box>
    </Box>
  );
}

function Rows({
  rows,
  cursor,
  height,
}: {
  readonly rows: readonly BriefRow[];
  readonly cursor: number;
  readonly height: number;
}): ReactElement {
  const {from, to} = selectWindow(rows.length, cursor, height);
  const isAtEnd = to === rows.length;
  return (
    <Scroll list="brief">
      {rows.slice(from, to).flatMap((row, offset) => {
        const index = from + offset;
        const isCursor = index === cursor;
        const count = rows.filter(({kind}) => kind === row.kind).length;
        return [
          ...(rows[index - 1]?.kind === row.kind
            ? []
            : [
                <BriefHeading key={row.kind} kind={row.kind} count={count} isFirst={index === 0} />,
              ]),
          <Item key={index} id={String(index)} isCursor={isCursor}>
            <Clickable target={{type: 'item', list: 'brief', index}} flexDirection="column">
              <BriefRowView row={row} isCursor={isCursor} />
            </Clickable>
          </Item>,
        ];
      })}
      {rows.length === 0 ? (
        <Box flexShrink={0} paddingLeft={1}>
          <SafeText tone="dim">Nothing happened.</SafeText>
        </Box>
      ) : null}
      {isAtEnd ? <BriefCost /> : null}
    </Scroll>
  );
}

/** The decision bar: where the keys lead from here. */
function WaysOn({
  row,
  rows,
}: {
  readonly row: BriefRow | undefined;
  readonly rows: readonly BriefRow[];
}): ReactElement {
  const theme = useTheme();
  const open = useView(({model}) => keyFor(model, 'open', 'brief'));
  const work = useView(({model}) => keyFor(model, 'screen-workers', 'command'));
  const timeline = useView(({model}) => keyFor(model, 'screen-timeline', 'command'));
  return (
    <Box justifyContent="center" flexShrink={0} {...theme.fill('raised')}>
      <Box
        flexDirection="column"
        flexShrink={1}
        width="100%"
        maxWidth={maxProseColumns}
        paddingX={1}
      >
        <Box height={1} overflow="hidden" flexWrap="wrap" columnGap={5}>
          <KeyHint keys={open} text={formatOpening(row)} action="open" isMain />
          <KeyHint keys={work} text="continue" action="screen-workers" />
          <KeyHint keys={timeline} text="everything that happened" action="screen-timeline" />
        </Box>
        <SafeText tone="dim">{formatRest(rows)}</SafeText>
      </Box>
    </Box>
  );
}

function formatOpening(row: BriefRow | undefined): string {
  if (row?.kind === 'need') return row.need.verb === 'answer' ? 'answer it' : row.need.verb;
  return row?.kind === 'merged' || row?.kind === 'running' ? 'go to its pane' : 'continue';
}

/** `Nothing else waits for you; 6 goes on by itself.` */
function formatRest(rows: readonly BriefRow[]): string {
  const needs = rows.filter(({kind}) => kind === 'need').length;
  const running = rows.flatMap((row) => (row.kind === 'running' ? [row.number] : []));
  const waiting = needs === 0 ? 'Nothing waits for you' : 'Nothing else waits for you';
  if (running.length === 0) return `${waiting}.`;
  return running.length > 4
    ? `${waiting}; ${running.length} tasks go on by themselves.`
    : `${waiting}; ${running.join(', ')} ${running.length === 1 ? 'goes on by itself' : 'go on by themselves'}.`;
}
