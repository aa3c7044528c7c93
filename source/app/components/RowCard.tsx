import {Box} from 'ink';
import type {ReactElement, ReactNode} from 'react';
import {isRunId, isTaskId, type Run, runIdIn, selectRun, selectTask} from '../../domain/index.ts';
import {buildNeedsReport, buildStatus} from '../../reports/index.ts';
import {formatTokens} from '../../shared/index.ts';
import {useDaemonState, useNow, useView} from '../hooks/use-view.ts';
import type {ActionName} from '../keymap/action-name.ts';
import type {Context} from '../keymap/binding.ts';
import {keyFor} from '../keymap/key-for.ts';
import {formatAgo} from '../model/line.ts';
import {type SidebarRow, sidebarRows} from '../model/sidebar-rows.ts';
import {selectTaskRows, type TaskRow} from '../select/task-rows.ts';
import {ClampedText} from './ClampedText.tsx';
import {KeyHint} from './KeyHint.tsx';
import {SafeText} from './SafeText.tsx';
import {TaskSign} from './TaskSign.tsx';

/**
 * A selected row without a terminal, in words: a run, a task before it starts or after it ended, a
 * service.
 */
export function RowCard(): ReactElement {
  const state = useDaemonState();
  const now = useNow();
  const selected = useView(({model}) => model.selected);
  const row = sidebarRows(state, now).find(({key}) => key === selected);
  return (
    <Box
      flexDirection="column"
      flexGrow={1}
      flexShrink={1}
      flexBasis={0}
      overflow="hidden"
      paddingX={2}
      paddingTop={1}
    >
      {row === undefined ? <NoRow /> : <Card row={row} />}
    </Box>
  );
}

function NoRow(): ReactElement {
  const connection = useView(({model}) => model.connection);
  if (connection.at === 'connecting')
    return <SafeText tone="dim">Looking for the daemon …</SafeText>;
  if (connection.at === 'lost')
    return (
      <Box flexDirection="column" rowGap={1}>
        <SafeText bold>Not connected</SafeText>
        <SafeText wrap="wrap">{connection.text}</SafeText>
        <SafeText tone="dim" wrap="wrap">
          Reconnecting … agents go on working.
        </SafeText>
      </Box>
    );
  return (
    <>
      <SafeText tone="dim">Nothing runs here.</SafeText>
      <Ways>
        <Way action="new-objective" text="say what should be different" />
        <Way action="start-command" text="a shell, or a command of yours" context="workers" />
      </Ways>
    </>
  );
}

function Card({row}: {readonly row: SidebarRow}): ReactElement {
  const state = useDaemonState();
  const now = useNow();
  const hasNeed = buildNeedsReport(state, now).needs.some(({about}) => about === row.key);
  return (
    <>
      <Title row={row} />
      {hasNeed ? (
        <Ways>
          <Way action="next-need" text="it needs you" />
        </Ways>
      ) : null}
      <Details row={row} />
    </>
  );
}

function Title({row: {kind, name, title, key, text}}: {readonly row: SidebarRow}): ReactElement {
  const task = useTaskRow(key);
  const named = kind === 'service' && title !== '' ? `${name}, ${title}` : title;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <SafeText bold wrap="wrap">
        {named === '' ? name : named}
      </SafeText>
      {task === undefined ? (
        <SafeText tone="dim" wrap="wrap">
          {text}
        </SafeText>
      ) : (
        <Box columnGap={1}>
          <TaskSign sign={task.sign} />
          <SafeText tone="dim" wrap="wrap">
            {task.text}
          </SafeText>
        </Box>
      )}
      <Refusal runKey={key} />
    </Box>
  );
}

function useTaskRow(key: string): TaskRow | undefined {
  const state = useDaemonState();
  const now = useNow();
  const run = isTaskId(key) ? selectRun(state, runIdIn(key)) : undefined;
  return run === undefined ? undefined : selectTaskRows(state, run, now).find(({id}) => id === key);
}

/** Why a finished run could not be accepted. */
function Refusal({runKey}: {readonly runKey: string}): ReactElement | null {
  const why = useView(({state}) => {
    const stage = isRunId(runKey) ? selectRun(state, runKey)?.stage : undefined;
    return stage?.at === 'working' ? stage.refusal?.why : undefined;
  });
  return why === undefined ? null : (
    <Box flexShrink={0}>
      <ClampedText rows={8} tone="warn">{`It could not be accepted: ${why}`}</ClampedText>
    </Box>
  );
}

function Details({row}: {readonly row: SidebarRow}): ReactElement | null {
  if (row.kind === 'run') return <RunDetails id={row.key} />;
  return row.kind === 'task' ? <TaskDetails id={row.key} /> : <ServiceDetails name={row.name} />;
}

function RunDetails({id}: {readonly id: string}): ReactElement | null {
  const state = useDaemonState();
  const now = useNow();
  const run = isRunId(id) ? selectRun(state, id) : undefined;
  const [status] = buildStatus(state, now, {run: id}).runs;
  if (run === undefined || status === undefined) return null;
  const {skill} = run.request;
  const isQueued = run.stage.at === 'queued' && state.queue.length > 1;
  return (
    <>
      <Facts>
        <Fact name="asked" text={formatAgo(Math.max(0, now - run.createdAt))} />
        <Fact name="agents" text={describeAgents(run)} />
        {skill === undefined ? null : <Fact name="skill" text={skill} />}
        <Fact name="tokens" text={formatTokens(status.tokens)} />
      </Facts>
      <Ways>
        {isQueued ? (
          <Way action="queue-earlier" text="earlier in the queue" context="workers" />
        ) : null}
        {isQueued ? <Way action="queue-later" text="later" context="workers" /> : null}
        {'proposal' in run.stage && run.request.open === undefined ? (
          <Way action="screen-plan" text="its plan" />
        ) : null}
        {'proposal' in run.stage ? (
          <Way action="screen-review" text="what it changed so far" />
        ) : null}
        <Way action="screen-timeline" text="what happened" />
      </Ways>
      <Facts>
        {selectTaskRows(state, run, now).map(({number, title, sign, text}) => (
          <Box key={number} flexShrink={0} columnGap={1}>
            <Box flexShrink={0}>
              <SafeText tone="faint">{String(number)}</SafeText>
            </Box>
            <TaskSign sign={sign} />
            <Box flexGrow={1} flexShrink={1}>
              <SafeText>{title}</SafeText>
            </Box>
            <Box flexShrink={0}>
              <SafeText tone="dim">{text}</SafeText>
            </Box>
          </Box>
        ))}
      </Facts>
    </>
  );
}

function TaskDetails({id}: {readonly id: string}): ReactElement | null {
  const state = useDaemonState();
  const now = useNow();
  const task = isTaskId(id) ? selectTask(state, id) : undefined;
  const status = buildStatus(state, now, {run: id.split('.', 1)[0] ?? ''}).runs[0]?.tasks.find(
    (one) => one.task === id,
  );
  if (task === undefined) return null;
  const {brief, files, after, services} = task.planned;
  const planned = selectRun(state, runIdIn(task.id))?.tasks ?? [];
  const before = after.map((one) => planned.findIndex((other) => other.planned.id === one) + 1);
  const checks = status?.checks ?? [];
  return (
    <>
      <Facts>
        <SafeText wrap="wrap">{brief}</SafeText>
      </Facts>
      <Facts>
        <Fact name="files" text={files.join(', ')} />
        {after.length === 0 ? null : <Fact name="after" text={before.join(', ')} />}
        {services.length === 0 ? null : <Fact name="services" text={services.join(', ')} />}
        <Fact name="tries" text={`${task.attempts.length} of ${task.allowed}`} />
        {checks.length === 0 ? null : (
          <Fact
            name="checks"
            text={checks
              .map(({name, outcome}) => `${name} ${outcome.replaceAll('-', ' ')}`)
              .join(', ')}
          />
        )}
        {status === undefined || status.tokens === 0 ? null : (
          <Fact name="tokens" text={formatTokens(status.tokens)} />
        )}
      </Facts>
    </>
  );
}

function ServiceDetails({name}: {readonly name: string}): ReactElement | null {
  const service = useView(({state}) => state.services.find(({spec}) => spec.name === name));
  return service === undefined ? null : (
    <>
      <Facts>
        <Fact name="command" text={service.spec.command} />
      </Facts>
      <Ways>
        <Way action="screen-services" text="start, stop and look at services" />
      </Ways>
    </>
  );
}

function Facts({children}: {readonly children: ReactNode}): ReactElement {
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1} maxWidth={110}>
      {children}
    </Box>
  );
}

function Fact({name, text}: {readonly name: string; readonly text: string}): ReactElement {
  return (
    <Box flexShrink={0}>
      <Box width={10} flexShrink={0}>
        <SafeText tone="dim">{name}</SafeText>
      </Box>
      <SafeText wrap="wrap">{text}</SafeText>
    </Box>
  );
}

function Ways({children}: {readonly children: ReactNode}): ReactElement {
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1}>
      {children}
    </Box>
  );
}

function Way({
  action,
  text,
  context = 'command',
}: {
  readonly action: ActionName;
  readonly text: string;
  readonly context?: Context;
}): ReactElement {
  const keys = useView(({model}) => keyFor(model, action, context));
  return <KeyHint keys={keys} text={text} action={action} />;
}

function describeAgents({request: {planner, worker, open}}: Run): string {
  if (open !== undefined) return `${worker}, without a plan`;
  return planner === worker ? `${worker} works and plans` : `${worker} works, ${planner} plans`;
}
