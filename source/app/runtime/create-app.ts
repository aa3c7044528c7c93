import {emptyState, type State} from '../../domain/index.ts';
import {createInputReader} from '../input/create-input-reader.ts';
import type {Token} from '../input/key.ts';
import {createPaneSet} from '../panes/create-pane-set.ts';
import {detectColourDepth} from '../render/colour.ts';
import {createDiffWriter} from '../render/create-diff-writer.ts';
import {isSameSize, isTooSmall, type Size} from '../render/frame.ts';
import type {After, App, Layout, LoopOptions, UiEvent} from '../app-contract.ts';
import {createKeysAhead, routeInput} from './route-input.ts';
import {createFrameScheduler} from './create-frame-scheduler.ts';
import {createPainter} from './create-painter.ts';
import {createEffectRunner} from './create-effect-runner.ts';
import {createPresence, maintainConnection} from './maintain-connection.ts';
import {createTerminalSession, isTerminalGone, toExitCode} from './create-terminal-session.ts';
import {persistFrame, persistUiState} from './persist.ts';

export type RunningApp = {
  /**
   * Enters the terminal and runs until the person leaves the app. The terminal is restored in any
   * case. Returns the exit code.
   */
  readonly run: () => Promise<number>;
};

/**
 * The loop: keys, events of the daemon and output of panes become a model, a layout and a frame.
 * The app itself is pure functions; clock, terminal, connection and panes meet only here.
 */
export function createApp<Model, Action>(
  app: App<Model, Action>,
  options: LoopOptions,
): RunningApp {
  return {run: () => run(app, options)};
}

async function run<Model, Action>(app: App<Model, Action>, options: LoopOptions): Promise<number> {
  const {terminal, now, after = afterTimeout, frames} = options;
  const depth = detectColourDepth(options.env);
  const over = Promise.withResolvers<number>();
  let {model} = app;
  let state: State = emptyState;
  let size = clampSize(terminal.size());
  let layout: Layout = {panes: []};
  let arranged: readonly unknown[] = [];
  let isOver = false;
  let pressedAt = Number.NEGATIVE_INFINITY;
  let stopWaiting = (): void => undefined;
  const ahead = createKeysAhead();
  let isCachedFrameVisible = frames?.painted !== undefined && isSameSize(frames.painted, size);

  /** An error in a callback ends the app, so that the terminal is restored. */
  const guard =
    <T extends readonly unknown[]>(act: (...given: T) => void) =>
    (...given: T): void => {
      try {
        act(...given);
      } catch (error) {
        if (isTerminalGone(error)) over.resolve(toExitCode('SIGHUP'));
        else over.reject(error instanceof Error ? error : new Error(String(error)));
      }
    };

  const guardedAfter: After = (ms, call) => after(ms, guard(call));
  const terminalSession = createTerminalSession(
    terminal,
    guard((bytes) => {
      reader.read(bytes);
    }),
    frames?.painted !== undefined,
  );
  const reader = createInputReader({
    after: guardedAfter,
    onTokens: (tokens) => {
      handleTokens(tokens);
    },
  });
  const writer = createDiffWriter({write: terminal.write, depth, isPainted: isCachedFrameVisible});
  const painter = createPainter(app, writer);
  const uiState = persistUiState({
    uiState: options.uiState,
    after: guardedAfter,
    toUiState: () => app.toUiState?.(model),
  });
  const frame =
    frames && persistFrame({save: frames.save, shown: painter.shown, depth, after: guardedAfter});
  const frameScheduler = createFrameScheduler({
    now,
    after: guardedAfter,
    backlog: () => terminal.backlog?.() ?? 0,
    draw: () => draw(),
  });
  const panes = createPaneSet({
    openPane: options.openPane,
    now,
    after: guardedAfter,
    drawn: guard((session) => {
      if (session === layout.typing && now() - pressedAt < echoMs) frameScheduler.atOnce();
      else frameScheduler.soon();
    }),
    viewed: guard((session, view) => {
      happen({type: 'pane-changed', session, view});
    }),
    ended: guard((session, text) => {
      happen({type: 'pane-ended', session, text});
    }),
  });
  const apply = (action: Action | UiEvent, isByPerson: boolean): void => {
    if (isOver) return;
    const {model: next, commands, effects} = app.update(model, action, state, now());
    model = next;
    effectRunner.submit(commands);
    for (const effect of effects) effectRunner.perform(effect, isByPerson);
    uiState.mayHaveChanged();
  };

  const happen = (event: UiEvent): void => {
    apply(event, false);
    frameScheduler.soon();
  };

  const effectRunner = createEffectRunner({
    options,
    panes,
    ask: (question) =>
      connection.live()?.ask(question) ??
      Promise.reject(new Error('not connected to the daemon; the app keeps trying')),
    happen: guard(happen),
    quit: over.resolve,
    redraw: () => {
      writer.forget();
      frameScheduler.atOnce();
    },
    suspendTerminal: async (use) => {
      // An editor or replay that waited for the terminal does not start after the app has ended.
      if (isOver) return;
      reader.close();
      terminalSession.leave();
      try {
        await use();
      } finally {
        enterAgain();
      }
    },
  });

  /** Another program may have used the terminal meanwhile: everything is drawn again. */
  const enterAgain = guard(() => {
    if (isOver) return;
    size = clampSize(terminal.size());
    terminalSession.enter();
    writer.forget();
    frameScheduler.atOnce();
  });

  const connection = maintainConnection({
    connect: options.connect,
    after: guardedAfter,
    onEvent: guard((event, next) => {
      state = next;
      happen({type: 'event-heard', event});
      // Its pane may have been opened before the session ran.
      if (event.type === 'session-running') panes.retry();
    }),
    onConnect: guard((next) => {
      state = next;
      happen({type: 'connected'});
      panes.retry();
    }),
    onJournal: guard((news) => {
      happen({type: 'journal-changed', journal: news});
    }),
    onDisconnect: guard((text) => {
      isCachedFrameVisible = false;
      happen({type: 'disconnected', text});
    }),
  });

  const arrange = (): void => {
    if (
      isTooSmall(size) ||
      (arranged[0] === model && arranged[1] === state && arranged[2] === size)
    )
      return;
    arranged = [model, state, size];
    layout = app.layout(size, model, state);
    panes.arrange(layout.panes, layout.typing);
    for (const token of ahead.take(layout)) if (token.type !== 'answer') route(token);
  };

  const route = (token: Exclude<Token, {readonly type: 'answer'}>): void => {
    routeInput(token, {
      layout,
      panes,
      keymap: (key) => app.keymap(model, key, state),
      apply: (action) => {
        apply(action, true);
      },
      hold: ahead.hold,
    });
  };

  const presence = createPresence({
    now,
    isKnown: true,
    notify: () => {
      connection
        .live()
        ?.ask({about: 'seen'})
        .catch(() => undefined);
    },
  });

  const handleTokens = (tokens: readonly Token[]): void => {
    pressedAt = now();
    if (tokens.some(({type}) => type !== 'answer' && type !== 'focus')) presence.pressed();
    const before = model;
    for (const token of tokens) {
      arrange();
      isCachedFrameVisible &&= token.type === 'answer' || token.type === 'focus';
      if (token.type === 'answer') {
        if (token.about === 'keyboard') terminalSession.useModernKeys();
      } else if (isTooSmall(size)) {
        if (
          token.type === 'key' &&
          (token.key.name === 'q' || (token.key.ctrl && token.key.name === 'c'))
        )
          over.resolve(0);
      } else {
        route(token);
      }
    }

    // Input for a pane changes nothing here: its echo draws the next frame.
    if (model === before) return;
    arrange();
    frameScheduler.atOnce();
  };

  /**
   * The cached frame stays until the state and the panes in view are there, or the person does
   * something.
   */
  const isBeforeFirstFrame = (): boolean => {
    isCachedFrameVisible &&=
      connection.live() === undefined ||
      layout.panes.some(({session}) => panes.get(session)?.view().connection === 'opening');
    return isCachedFrameVisible;
  };

  const draw = (): boolean => {
    if (!terminalSession.isActive()) return false;
    arrange();
    if (isBeforeFirstFrame()) return false;
    const view = {model, state, size, now: now()};
    const pane = layout.typing === undefined ? undefined : panes.get(layout.typing);
    const modes = pane?.modes();
    const own = layout.mouse === true ? 'click' : 'off';
    terminalSession.setInputModes({
      mouse: modes === undefined || modes.mouseTracking === 'off' ? own : modes.mouseTracking,
      applicationCursorKeys: modes?.applicationCursorKeys ?? false,
      applicationKeypad: modes?.applicationKeypad ?? false,
    });
    const isNew = painter.paint(view, layout, panes);
    if (isNew) frame?.mayHaveChanged();
    stopWaiting();
    const ms = isTooSmall(size) ? undefined : app.nextChange?.(view);
    stopWaiting =
      ms === undefined
        ? stopWaiting
        : guardedAfter(Math.max(1, ms), () => {
            painter.timePassed();
            happen({type: 'time-passed'});
          });
    return isNew;
  };

  const resized = guard(() => {
    size = clampSize(terminal.size());
    isCachedFrameVisible = false;
    // Even at the same size: in between, the terminal may have moved or cut its content.
    writer.forget();
    happen({type: 'resized', size});
  });

  const suspend = guard(() => {
    if (!terminalSession.isActive() || options.suspend === undefined) return;
    reader.close();
    terminalSession.leave();
    options.suspend();
    enterAgain();
  });

  const stopSignals = options.onSignal?.(
    guard((signal) => {
      if (signal === 'exit') terminalSession.leave();
      else if (signal === 'SIGTSTP') suspend();
      else if (signal === 'SIGCONT') resumeAfterSuspend();
      else over.resolve(toExitCode(signal));
    }),
  );

  /** After a SIGSTOP the terminal was not restored, and another program may have changed it. */
  const resumeAfterSuspend = (): void => {
    if (!terminalSession.isActive()) return;
    terminalSession.leave();
    enterAgain();
  };

  effectRunner.onSuspend(suspend);
  const stopResizes = terminal.onResize(resized);
  try {
    if (isCachedFrameVisible) {
      terminalSession.enter();
      stopWaiting = guardedAfter(cachedFrameTimeoutMs, () => {
        isCachedFrameVisible = false;
        frameScheduler.soon();
      });
    } else {
      enterAgain();
    }

    return await over.promise;
  } finally {
    isOver = true;
    stopSignals?.();
    stopResizes();
    stopWaiting();
    frameScheduler.close();
    reader.close();
    leaveQuietly(terminalSession.leave);
    connection.close();
    panes.close();
    frame?.close();
    uiState.close();
  }
}

/** How long the cached frame may stay while the daemon is starting. */
const cachedFrameTimeoutMs = 2000;

/** Output of a pane within this time after a key counts as its echo. */
const echoMs = 150;

function afterTimeout(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms);
  return () => {
    clearTimeout(timer);
  };
}

function clampSize({columns, rows}: Size): Size {
  return {columns: Math.max(1, columns), rows: Math.max(1, rows)};
}

/** On exit the terminal may be gone already. */
function leaveQuietly(leave: () => void): void {
  try {
    leave();
  } catch (error) {
    if (!isTerminalGone(error)) throw error;
  }
}
