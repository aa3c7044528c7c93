import {isSameSize} from '../../protocol/index.ts';
import {emptyState, type SessionId, type State} from '../../domain/index.ts';
import {createInputReader} from '../input/create-input-reader.ts';
import type {Token} from '../input/key.ts';
import {createPaneSet} from '../panes/create-pane-set.ts';
import {detectColourDepth} from '../render/colour.ts';
import {createDiffWriter} from '../render/create-diff-writer.ts';
import {clampSize, isTooSmall} from '../render/frame.ts';
import type {After, App, Layout, LoopOptions, Question, UiEvent} from '../app-contract.ts';
import {createKeysAhead, routeInput} from './route-input.ts';
import {createFilePasting} from './create-file-pasting.ts';
import {afterTimeout} from './after-timeout.ts';
import {createColoursQuery} from './create-colours-query.ts';
import {createFrameScheduler} from './create-frame-scheduler.ts';
import {createFramePainter} from './create-frame-painter.tsx';
import {createEffectRunner} from './create-effect-runner.ts';
import {createPresence, maintainConnection} from './maintain-connection.ts';
import {createGuard, leaveQuietly} from './create-guard.ts';
import {createTerminalSession, toExitCode} from './create-terminal-session.ts';
import {toInputModes} from './to-input-modes.ts';
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
  let isOver = false;
  let pressedAt = Number.NEGATIVE_INFINITY;
  let stopWaiting = (): void => undefined;
  let stopHolding = (): void => undefined;
  const ahead = createKeysAhead();
  let isCachedFrameVisible = frames?.painted !== undefined && isSameSize(frames.painted, size);

  const guard = createGuard(over);
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
    expectsReply: () => coloursQuery.isPending() || filePasting.expectsReply(),
  });
  const coloursQuery = createColoursQuery({
    send: terminalSession.askColours,
    now,
    onColours: (colours) => {
      happen({type: 'terminal-colours', colours});
    },
  });
  const writer = createDiffWriter({write: terminal.write, depth, isPainted: isCachedFrameVisible});
  const uiState = persistUiState({
    uiState: options.uiState,
    after: guardedAfter,
    toUiState: () => app.toUiState?.(model),
  });
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
      if (session === typing() && now() - pressedAt < echoMs) frameScheduler.atOnce();
      else frameScheduler.soon();
    }),
    viewed: guard((session, view) => {
      happen({type: 'pane-changed', session, view});
    }),
    ended: guard((session, text) => {
      happen({type: 'pane-ended', session, text});
    }),
  });
  const typing = (): SessionId | undefined => app.input(model, state).typing;
  const painter = createFramePainter<Model>({
    app,
    writer,
    panes,
    typing,
    onPlaces: (places) => {
      panes.arrange(places, typing());
      deliverAhead();
    },
    onViewports: (viewports) => {
      happen({type: 'viewports-changed', viewports});
    },
    isHeld: () => isBeforeFirstFrame(),
    onFrame: guard(() => {
      frame?.mayHaveChanged();
    }),
    onError: guard((error) => {
      throw error;
    }),
  });
  const frame =
    frames &&
    persistFrame({
      save: frames.save,
      shown: painter.shown,
      depth,
      after: guardedAfter,
      colours: () => app.defaultColours?.(model),
    });
  /** Where things were in the last frame, and who gets the input now. */
  const layout = (): Layout => {
    const mode = app.input(model, state);
    // A pane that is not in view yet gets its keys once it is.
    const isOpening = mode.typing !== undefined && panes.get(mode.typing) === undefined;
    const holdsKeys = isOpening || filePasting.isPending(mode.typing);
    return {...mode, ...painter.places(), ...(holdsKeys && {holdsKeys})};
  };

  const apply = (action: Action | UiEvent, isByPerson: boolean): void => {
    if (isOver) return;
    const {model: next, commands, effects} = app.update(model, action, state, now());
    model = next;
    effectRunner.submit(commands);
    for (const effect of effects) effectRunner.perform(effect, isByPerson);
    uiState.mayHaveChanged();
    askColours();
  };

  const askColours = (): void => {
    if (terminalSession.isActive() && app.asksColours?.(model) === true) coloursQuery.ask();
  };

  const happen = (event: UiEvent): void => {
    apply(event, false);
    frameScheduler.soon();
  };

  const ask = (question: Question): Promise<unknown> =>
    connection.live()?.ask(question) ??
    Promise.reject(new Error('not connected to the daemon; the app keeps trying'));

  const filePasting = createFilePasting({
    options,
    pane: panes.get,
    ask,
    send: (text) => {
      if (terminalSession.isActive()) terminal.write(text);
    },
    after: guardedAfter,
    happen: guard(happen),
    settled: guard(() => {
      if (!isOver) deliverAhead();
    }),
  });

  const effectRunner = createEffectRunner({
    options,
    panes,
    ask,
    pasteImage: filePasting.pasteImage,
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
    coloursQuery.reset();
    askColours();
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

  const deliverAhead = (): void => {
    for (const token of ahead.take(layout())) if (token.type !== 'answer') route(token);
  };

  const route = (token: Exclude<Token, {readonly type: 'answer'}>): void => {
    routeInput(token, {
      layout: layout(),
      panes,
      keymap: (key) => app.keymap(model, key, state),
      apply: (action) => {
        apply(action, true);
      },
      hold: ahead.hold,
      takeFiles: filePasting.take,
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
      isCachedFrameVisible &&= token.type === 'answer' || token.type === 'focus';
      if (token.type === 'answer') {
        if (token.about === 'keyboard') terminalSession.useModernKeys();
        coloursQuery.handle(token);
        filePasting.handleAnswer(token);
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
    frameScheduler.atOnce();
  };

  /**
   * The cached frame stays until the state and the panes in view are there, or the person does
   * something.
   */
  const isBeforeFirstFrame = (): boolean => {
    isCachedFrameVisible &&=
      connection.live() === undefined ||
      painter
        .places()
        .panes.some(({session}) => panes.get(session)?.view().connection === 'opening');
    return isCachedFrameVisible;
  };

  const draw = (): boolean => {
    if (!terminalSession.isActive()) return false;
    // Nothing would be written, and rendering without a state delays the state.
    if (isCachedFrameVisible && connection.live() === undefined) return false;
    const view = {model, state, size, now: now()};
    terminalSession.setInputModes(toInputModes(app.input(model, state), panes));
    const title = app.title?.(model, state);
    if (title !== undefined) terminalSession.setTitle(title);
    writer.setDefaultColours(app.defaultColours?.(model));
    const isNew = painter.paint(view);
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
      askColours();
      // Frames that are painted meanwhile must not cancel this.
      stopHolding = guardedAfter(cachedFrameTimeoutMs, () => {
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
    stopHolding();
    frameScheduler.close();
    reader.close();
    leaveQuietly(terminalSession.leave);
    connection.close();
    panes.close();
    frame?.close();
    painter.close();
    uiState.close();
  }
}

/** How long the cached frame may stay while the daemon is starting. */
const cachedFrameTimeoutMs = 2000;

/** Output of a pane within this time after a key counts as its echo. */
const echoMs = 150;
