import {Box, useIsScreenReaderEnabled} from 'ink';
import {memo, type ReactElement} from 'react';
import {type Run, selectOpenRuns, selectTokens, usageOfRun} from '../../domain/index.ts';
import {formatCost, formatTokens} from '../../shared/index.ts';
import {useDaemonState, useNow, useSigns, useSizeClass, useView} from '../hooks/use-view.ts';
import {Scroll} from '../ink/regions.tsx';
import {formatRunningTime, formatTaskTime} from '../model/format-age.ts';
import {runInView} from '../model/sidebar-rows.ts';
import {listColumns, listModeOf} from '../model/size-class.ts';
import {selectTaskRows, type TaskRow} from '../select/task-rows.ts';
import {ClampedText} from './ClampedText.tsx';
import {ListItem} from './ListItem.tsx';
import {OtherRows} from './OtherRows.tsx';
import {ProgressBar} from './ProgressBar.tsx';
import {SafeText} from './SafeText.tsx';
import {SelectRow} from './SelectRow.tsx';
import {TaskSign, toneOfSign} from './TaskSign.tsx';
import {Track, trackHead} from './Track.tsx';

/** The left side of Work: the objective, its tasks, other sessions, services, the budget. */
export function TaskList(): ReactElement | null {
  const columns = useView(({model, size}) => listColumns(size, listModeOf(model)));
  const isSlim = useView(({model}) => listModeOf(model) === 'slim');
  const isReader = useIsScreenReaderEnabled();
  const state = useDaemonState();
  const inView = useView(({model}) => runInView(state, model.selected));
  if (columns === 0) return null;
  const runs = selectOpenRuns(state);
  return (
    <Box
      flexDirection="column"
      width={isReader ? '100%' : columns}
      flexShrink={0}
      overflow="hidden"
    >
      <Scroll list="workers" {...(isReader && {flexBasis: 'auto', flexShrink: 0})}>
        {runs.map((run) => (
          <RunSection key={run.id} run={run} isOpen={run.id === inView} isSlim={isSlim} />
        ))}
        {isSlim ? null : <OtherRows kind="session" heading="Sessions" />}
        {isSlim ? null : <OtherRows kind="service" heading="Services" />}
      </Scroll>
      {isSlim ? null : <Budget run={runs.find(({id}) => id === inView)} />}
    </Box>
  );
}

/** A run that is not in view is one row. Its parts are items of the list themselves. */
function RunSection({
  run,
  isOpen,
  isSlim,
}: {
  readonly run: Run;
  readonly isOpen: boolean;
  readonly isSlim: boolean;
}): ReactElement {
  const state = useDaemonState();
  const now = useNow();
  const sizeClass = useSizeClass();
  const isRoomy = sizeClass === 'wide' || sizeClass === 'huge';
  const tasks = selectTaskRows(state, run, now);
  if (isSlim)
    return <>{isOpen ? tasks.map((task) => <SlimTask key={task.id} task={task} />) : null}</>;
  return (
    <>
      <RunTitle run={run} isOpen={isOpen} />
      {isOpen && tasks.length > 0 && sizeClass !== 'narrow' ? (
        <Box
          height={1}
          flexShrink={0}
          paddingLeft={5}
          paddingRight={2}
          justifyContent="space-between"
          aria-hidden
        >
          <SafeText tone="faint">{trackHead}</SafeText>
          {isRoomy ? <SafeText tone="faint">tokens time</SafeText> : null}
        </Box>
      ) : null}
      {isOpen
        ? tasks.map((task, index) => (
            <TaskRowView
              key={task.id}
              task={task}
              total={tasks.length}
              isLast={index === tasks.length - 1}
            />
          ))
        : null}
      {isOpen ? <Box height={1} flexShrink={0} /> : null}
    </>
  );
}

function RunTitle({run, isOpen}: {readonly run: Run; readonly isOpen: boolean}): ReactElement {
  const now = useNow();
  const sizeClass = useSizeClass();
  const isSelected = useView(({model}) => model.selected === run.id);
  const {separator} = useSigns();
  const isNarrow = sizeClass === 'narrow';
  const {objective, worker} = run.request;
  return (
    <ListItem id={run.id} isSelected={isSelected}>
      <SelectRow isSelected={isSelected} rows={isOpen && !isNarrow ? 2 : 1}>
        <Box
          flexDirection="column"
          flexGrow={1}
          flexShrink={1}
          paddingRight={1}
          height={isOpen && !isNarrow ? 2 : 1}
        >
          {isOpen && !isNarrow ? (
            <Box flexShrink={0}>
              <ClampedText rows={2} bold>
                {objective}
              </ClampedText>
            </Box>
          ) : (
            <SafeText bold>{objective}</SafeText>
          )}
        </Box>
      </SelectRow>
      {isOpen && !isNarrow ? (
        <Box paddingLeft={1}>
          <SafeText tone="faint">
            {`${run.id} ${separator} ${worker} ${separator} asked ${formatRunningTime(now - run.createdAt)} ago`}
          </SafeText>
        </Box>
      ) : null}
    </ListItem>
  );
}

function SlimTask({task}: {readonly task: TaskRow}): ReactElement {
  const isSelected = useView(({model}) => model.selected === task.id);
  return (
    <ListItem id={task.id} isSelected={isSelected}>
      <SelectRow isSelected={isSelected}>
        <SafeText tone="dim">{`${task.number} `}</SafeText>
        <TaskSign sign={task.sign} />
      </SelectRow>
    </ListItem>
  );
}

/** Two lines: number, mark and title; then the track and what it does. */
const TaskRowView = memo(
  function TaskRowView({
    task,
    total,
    isLast,
  }: {
    readonly task: TaskRow;
    readonly total: number;
    readonly isLast: boolean;
  }): ReactElement {
    const isSelected = useView(({model}) => model.selected === task.id);
    const sizeClass = useSizeClass();
    const isRoomy = sizeClass === 'wide' || sizeClass === 'huge';
    const hasGap = isRoomy && !isLast && total <= 6;
    const {number, sign, title, track, words} = task;
    const tone = toneOfSign(sign);
    const isLoud = sign === 'asks' || sign === 'stopped';
    return (
      <ListItem
        id={task.id}
        isSelected={isSelected}
        marginBottom={hasGap ? 1 : 0}
        label={`${number} of ${total}${isSelected ? ', chosen' : ''}: ${title}, ${task.text}.`}
      >
        <SelectRow isSelected={isSelected} rows={2}>
          <Box flexDirection="column" flexGrow={1} flexShrink={1} paddingRight={1}>
            <Box height={1}>
              <Box flexShrink={0}>
                <SafeText tone="dim">{`${number} `}</SafeText>
                <TaskSign sign={sign} />
              </Box>
              <Box flexShrink={1} paddingLeft={1}>
                <SafeText
                  tone={sign === 'waits' || sign === 'discarded' ? 'dim' : 'text'}
                  bold={isSelected}
                >
                  {title}
                </SafeText>
              </Box>
            </Box>
            <Box height={1} paddingLeft={4} columnGap={1}>
              <Box flexShrink={0}>
                <Track track={track} size={sizeClass === 'narrow' ? 'narrow' : 'wide'} />
              </Box>
              {isRoomy ? (
                <RoomyFacts task={task} />
              ) : (
                <Box flexGrow={1} flexShrink={1} justifyContent="flex-end">
                  <SafeText tone={isLoud ? tone : 'dim'} bold={isLoud}>
                    {words}
                  </SafeText>
                </Box>
              )}
            </Box>
          </Box>
        </SelectRow>
      </ListItem>
    );
  },
  (one, other) =>
    one.total === other.total &&
    one.isLast === other.isLast &&
    JSON.stringify(one.task) === JSON.stringify(other.task),
);

/** From 140 columns on, tokens and time have columns of their own. */
function RoomyFacts({
  task: {sign, words, tokens, elapsedMs},
}: {
  readonly task: TaskRow;
}): ReactElement {
  const isLoud = sign === 'asks' || sign === 'stopped';
  return (
    <>
      <Box flexGrow={1} flexShrink={1}>
        <SafeText tone={isLoud ? toneOfSign(sign) : 'dim'} bold={isLoud}>
          {sign === 'works' ? (words.split(' ')[0] ?? words) : words}
        </SafeText>
      </Box>
      <Box width={6} flexShrink={0} justifyContent="flex-end">
        <SafeText tone="dim">{tokens === 0 ? '' : formatTokens(tokens)}</SafeText>
      </Box>
      <Box width={6} flexShrink={0} justifyContent="flex-end">
        <SafeText tone="dim">
          {elapsedMs === undefined ? '' : formatTaskTime({sign, elapsedMs})}
        </SafeText>
      </Box>
    </>
  );
}

/** What the run in view may use, and has used. */
function Budget({run}: {readonly run: Run | undefined}): ReactElement | null {
  const state = useDaemonState();
  const columns = useView(({model, size}) => listColumns(size, listModeOf(model)));
  const limit = state.project.limits.runTokens;
  if (run === undefined || limit === undefined) return null;
  const usage = usageOfRun(state, run);
  const used = selectTokens(usage);
  return (
    <Box flexDirection="column" flexShrink={0} paddingLeft={1} paddingRight={2}>
      <SafeText bold>Budget</SafeText>
      <ProgressBar
        cells={Math.max(1, columns - 3)}
        share={used / limit}
        tone={used > limit * 0.9 ? 'warn' : 'good'}
      />
      <Box justifyContent="space-between" height={1}>
        <SafeText tone="dim">{`${formatTokens(used)} of ${formatTokens(limit)} tokens`}</SafeText>
        <SafeText tone="dim">{usage.cost === undefined ? '' : formatCost(usage.cost)}</SafeText>
      </Box>
    </Box>
  );
}
