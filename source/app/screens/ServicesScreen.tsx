import {Box} from 'ink';
import type {ReactElement} from 'react';
import {
  isSessionId,
  runIdIn,
  selectRun,
  selectSession,
  type State,
  type TaskId,
} from '../../domain/index.ts';
import {buildStatus, selectTaskNumber, type ServiceStatus} from '../../reports/index.ts';
import {formatClock} from '../../shared/index.ts';
import {ScreenTitle} from '../components/ScreenTitle.tsx';
import {SafeText} from '../components/SafeText.tsx';
import {SelectRow} from '../components/SelectRow.tsx';
import {useDaemonState, useNow, useSigns, useView} from '../hooks/use-view.ts';
import {Clickable, Item, Scroll} from '../ink/regions.tsx';
import type {FactAnswer} from '../model/model.ts';
import type {SignName} from '../theme/signs.ts';
import type {Token} from '../theme/tokens.ts';

/** Services from the journal, and which session listens on which port, as the kernel says. */
export function ServicesScreen(): ReactElement {
  const state = useDaemonState();
  const now = useNow();
  const {services} = buildStatus(state, now);
  const cursor = useView(({model}) => Math.min(services.length - 1, model.places.services.cursor));
  return (
    <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0}>
      <ScreenTitle title="Services" />
      <Scroll list="services">
        {services.length === 0 ? (
          <Box flexShrink={0} paddingX={2}>
            <SafeText tone="dim" wrap="wrap">
              No services. Declare them in .orchestra/project.yaml: a name, a command, a port.
            </SafeText>
          </Box>
        ) : null}
        {services.map((service, index) => (
          <Item key={service.service} id={service.service} isCursor={index === cursor}>
            <Clickable target={{type: 'item', list: 'services', index}}>
              <ServiceRow status={service} isMarked={index === cursor} />
            </Clickable>
          </Item>
        ))}
        <Ports />
      </Scroll>
    </Box>
  );
}

function ServiceRow({
  status: {service, words, port, stage, session},
  isMarked,
}: {
  readonly status: ServiceStatus;
  readonly isMarked: boolean;
}): ReactElement {
  const {sign} = useSigns();
  const [mark, tone] = marks[stage] ?? ['wait', 'dim'];
  return (
    <SelectRow isSelected={isMarked} flexGrow={1} flexShrink={1} paddingRight={1} columnGap={2}>
      <Box width={18} flexShrink={0}>
        <SafeText bold={isMarked}>
          <SafeText tone={tone} isHidden>{` ${mark === '!' ? '!' : sign[mark]} `}</SafeText>
          {service}
        </SafeText>
      </Box>
      <Box width={8} flexShrink={0}>
        <SafeText tone="dim">{port === null ? 'no port' : `:${port}`}</SafeText>
      </Box>
      <Box flexGrow={1} flexShrink={1}>
        <SafeText tone={tone === 'faint' ? 'dim' : tone}>{words}</SafeText>
      </Box>
      <Box flexShrink={0}>
        <SafeText tone="faint">{session ?? ''}</SafeText>
      </Box>
    </SelectRow>
  );
}

const marks: Readonly<Record<string, readonly [SignName | '!', Token]>> = {
  up: ['work', 'good'],
  down: ['wait', 'faint'],
  failed: ['!', 'bad'],
  'foreign-port': ['!', 'bad'],
  'backing-off': ['!', 'warn'],
};

function Ports(): ReactElement {
  const fact = useView(({model}) => model.answers.facts?.find(({name}) => name === 'ports'));
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1} paddingX={1}>
      <SafeText>
        <SafeText bold>Ports</SafeText>
        <SafeText tone="dim">
          {fact === undefined
            ? '  asking the kernel …'
            : `  read from the kernel at ${formatClock(fact.at)}`}
        </SafeText>
      </SafeText>
      {fact === undefined ? null : <PortRows fact={fact} />}
    </Box>
  );
}

function PortRows({fact}: {readonly fact: FactAnswer}): ReactElement {
  const state = useDaemonState();
  if ('unknown' in fact) return <SafeText tone="warn">{` unknown: ${fact.unknown}`}</SafeText>;
  const ports = (Array.isArray(fact.value) ? fact.value : []).flatMap(parsePort);
  if (ports.length === 0) return <SafeText tone="dim"> none of ours listens</SafeText>;
  return (
    <>
      {ports.slice(0, maxPorts).map(({port, pid, session}) => (
        <Box key={`${port} ${pid}`} flexShrink={0} columnGap={2}>
          <Box width={7} flexShrink={0} justifyContent="flex-end">
            <SafeText bold>{String(port)}</SafeText>
          </Box>
          <Box flexGrow={1} flexShrink={1}>
            <SafeText>{formatOwner(state, session)}</SafeText>
          </Box>
          <SafeText tone="faint">{`${session}  process ${pid}`}</SafeText>
        </Box>
      ))}
      {ports.length > maxPorts ? (
        <SafeText tone="dim">{` and ${ports.length - maxPorts} more`}</SafeText>
      ) : null}
    </>
  );
}

const maxPorts = 12;

type Port = {readonly port: number; readonly pid: number; readonly session: string};

function parsePort(value: unknown): Port[] {
  const {port, pid, session} = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  return typeof port === 'number' && typeof pid === 'number' && typeof session === 'string'
    ? [{port, pid, session}]
    : [];
}

function formatOwner(state: State, id: string): string {
  const purpose = isSessionId(id) ? selectSession(state, id)?.purpose : undefined;
  if (purpose === undefined) return 'unknown';
  if (purpose.for === 'service') return `service ${purpose.service}`;
  if ('task' in purpose)
    return `${purpose.for === 'attempt' ? 'agent' : purpose.for} of ${nameTask(state, purpose.task)}`;
  return purpose.for === 'person' ? purpose.name : `${purpose.for} of ${purpose.run}`;
}

function nameTask(state: State, id: TaskId): string {
  const run = selectRun(state, runIdIn(id));
  const number = run === undefined ? undefined : selectTaskNumber(run, id);
  return number === undefined ? id : `task ${number}`;
}
