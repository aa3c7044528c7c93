import {memo, type ReactElement} from 'react';
import {
  isInteractive,
  isLive,
  isTaskId,
  runIdIn,
  selectRun,
  selectSession,
  type SessionId,
  type State,
} from '../../domain/index.ts';
import {formatCost, formatTokens, isSame} from '../../shared/index.ts';
import {
  useDaemonState,
  useNow,
  useSigns,
  useSizeClass,
  useTheme,
  useView,
} from '../hooks/use-view.ts';
import {Clickable, Pane} from '../ink/regions.tsx';
import {formatRunningTime, formatTaskTime} from '../model/format-age.ts';
import type {PaneSlot} from '../model/pane-grid.ts';
import type {PaneView} from '../panes/viewport-state.ts';
import {formatSilence} from '../model/select-terminals.ts';
import {selectMessageSign} from '../select/message-sign.ts';
import {selectTaskRows, type TaskRow} from '../select/task-rows.ts';
import type {Token} from '../theme/tokens.ts';
import {Frame} from './Frame.tsx';
import {SafeText} from './SafeText.tsx';
import {toneOfSign} from './TaskSign.tsx';

type PaneFrameProps = {readonly pane: PaneSlot};

/**
 * A session in its frame: title and state above, facts below. The slots of the grid are made anew
 * for each model; a key changes the content of two of them.
 */
export const PaneFrame = memo(function PaneFrame({pane}: PaneFrameProps): ReactElement {
  const theme = useTheme();
  const sizeClass = useSizeClass();
  const frames = useView(({model}) => model.settings.frames);
  const isTyping = useView(({model}) => model.mode === 'typing') && pane.isFocused;
  const scrolled = useView(({model}) => model.scrolled[pane.key]);
  const isDefault = useView(({model}) => model.terminal === undefined) || !pane.isFocused;
  const task = useTaskRow(pane.key);
  const isSmall = sizeClass === 'phone' || sizeClass === 'small';
  const kind = frames === 'full' && sizeClass === 'narrow' ? 'rules' : frameKinds[frames];
  const facts = usePaneFacts(pane, task);
  const clock = usePaneClock(pane, task);
  // Two panes beside each other in 120 columns need every cell.
  const hasMargin = !isSmall && sizeClass !== 'medium';
  const focusTone: Token = isTyping ? 'mode' : 'accent';
  return (
    <Clickable
      target={{type: 'pane', key: pane.key, session: pane.session}}
      flexGrow={1}
      flexShrink={1}
      flexBasis={0}
    >
      <Frame
        flexGrow={1}
        kind={isSmall ? 'top' : kind}
        tone={pane.isFocused ? focusTone : 'border'}
        isHeavy={isTyping || (pane.isFocused && theme.frames === 'heavy')}
        title={<PaneTitle pane={pane} isTyping={isTyping} />}
        state={<PaneState pane={pane} task={task} isTyping={isTyping} />}
        foot={facts}
        footState={clock}
      >
        <Pane
          session={pane.session}
          scroll={isDefault ? scrolled : undefined}
          isFocused={pane.isFocused}
          marginX={hasMargin ? 1 : 0}
        >
          <Silence session={pane.session} />
        </Pane>
      </Frame>
    </Clickable>
  );
}, isSame);

const frameKinds = {full: 'full', rules: 'rules', none: 'top'} as const;

/** The task that a pane belongs to. */
function useTaskRow(key: string): TaskRow | undefined {
  const state = useDaemonState();
  const now = useNow();
  const run = isTaskId(key) ? selectRun(state, runIdIn(key)) : undefined;
  return run === undefined ? undefined : selectTaskRows(state, run, now).find(({id}) => id === key);
}

/** Shown until the program prints: an empty pane would look broken. */
function Silence({session}: {readonly session: SessionId}): ReactElement | null {
  const isOpen = useView(({model}) => isOpenPane(model.views[session]?.connection));
  const text = useView(({state}) => (isOpen ? formatSilence(state, session) : ''));
  return text === '' ? null : <SafeText tone="faint">{text}</SafeText>;
}

function isOpenPane(connection: PaneView['connection'] | undefined): boolean {
  return connection === 'live' || connection === 'ended';
}

function PaneTitle({
  pane: {number, row, isFocused, terminal},
}: {
  readonly pane: PaneSlot;
  readonly isTyping: boolean;
}): ReactElement {
  const name = number === undefined ? row.name : String(number);
  const title = row.title === '' ? name : `${name} ${row.title}`;
  return (
    <SafeText tone={isFocused ? 'text' : 'dim'} bold={isFocused}>
      {title}
      {terminal === '' ? null : <SafeText tone="dim">{`  ${terminal}`}</SafeText>}
    </SafeText>
  );
}

function PaneState({
  pane,
  task,
  isTyping,
}: {
  readonly pane: PaneSlot;
  readonly task: TaskRow | undefined;
  readonly isTyping: boolean;
}): ReactElement {
  const connection = useView(({model}) => model.views[pane.session]?.connection);
  if (isTyping)
    return (
      <SafeText on="mode" bold>
        {' TYPING '}
      </SafeText>
    );
  if (connection === 'failed') return <SafeText tone="warn">reconnecting …</SafeText>;
  if (task === undefined) return <SafeText tone="dim">{pane.row.word}</SafeText>;
  const tone = toneOfSign(task.sign);
  return (
    <SafeText tone={tone} bold={tone === 'warn' || tone === 'bad'}>
      {stateText(task)}
    </SafeText>
  );
}

function stateText({sign, text, words}: TaskRow): string {
  return sign === 'works' ? (text.split(/,? /)[0] ?? words) : words;
}

/** `try 1/2 · 47k · $0.18`, or how far the pane is scrolled back. */
function usePaneFacts(pane: PaneSlot, task: TaskRow | undefined): ReactElement | undefined {
  const {separator} = useSigns();
  const now = useNow();
  const state = useDaemonState();
  const message = isTaskId(pane.key) ? selectMessageSign(state, pane.key, now) : undefined;
  const view = useView(({model}) => model.views[pane.session]);
  const interfaceText = useView(({state}) => formatInterface(state, pane.session));
  if (view?.copying !== undefined && view.copying.lines > 0)
    return <SafeText tone="warn">{`${view.copying.lines} lines marked`}</SafeText>;
  if (view !== undefined && view.scroll > 0)
    return <SafeText tone="warn">{`${view.scroll} lines back ${separator} [ ]`}</SafeText>;
  if (view?.connection === 'ended') return <SafeText tone="faint">{view.text ?? 'ended'}</SafeText>;
  if (task === undefined) return undefined;
  const facts = [
    interfaceText,
    task.agent ?? '',
    task.tries.used === 0
      ? ''
      : `try ${task.tries.used}/${Math.max(task.tries.used, task.tries.max)}`,
    task.tokens === 0 ? '' : formatTokens(task.tokens),
    task.cost === undefined ? '' : formatCost(task.cost),
  ].filter((text) => text !== '');
  if (facts.length === 0 && message === undefined) return undefined;
  return (
    <SafeText tone="dim">
      {message === undefined ? null : (
        <SafeText tone={message.isBad ? 'bad' : 'text'}>{message.text}</SafeText>
      )}
      {`${message === undefined || facts.length === 0 ? '' : ` ${separator} `}${facts.join(` ${separator} `)}`}
    </SafeText>
  );
}

/** `own interface, turn open`: what is only inferred from the screen is said so. */
function formatInterface(state: State, id: SessionId): string {
  const session = selectSession(state, id);
  if (session === undefined || !isInteractive(session) || !isLive(session)) return '';
  const {turn} = session;
  if (turn === undefined) return 'own interface';
  if (turn.at === 'open') return 'own interface, turn open';
  return turn.source === 'screen'
    ? 'own interface, turn over (inferred)'
    : 'own interface, turn over';
}

function usePaneClock(pane: PaneSlot, task: TaskRow | undefined): ReactElement | undefined {
  const {pulse} = useSigns();
  const bytes = useView(({model}) => model.answers.usage?.[pane.session]?.pulse);
  const now = useNow();
  const since = pane.row.since;
  const own = since === undefined ? '' : formatRunningTime(now - since);
  const elapsed =
    task?.elapsedMs === undefined
      ? own
      : formatTaskTime({sign: task.sign, elapsedMs: task.elapsedMs});
  const hasPulse = pane.isLive && bytes !== undefined;
  if (!hasPulse && elapsed === '') return undefined;
  return (
    <SafeText>
      {hasPulse ? (
        <SafeText tone="run" isHidden>
          {`${pulse(bytes)} `}
        </SafeText>
      ) : null}
      <SafeText tone="dim">{elapsed}</SafeText>
    </SafeText>
  );
}
