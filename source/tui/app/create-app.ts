import {type State, emptyState} from '../../domain/index.ts';
import {createInputReader} from '../input/create-input-reader.ts';
import type {Token} from '../input/key.ts';
import {createPaneSet} from '../panes/create-pane-set.ts';
import {colourDepthOf} from '../render/colour-depth.ts';
import {createDiffWriter} from '../render/create-diff-writer.ts';
import type {Size} from '../render/rect.ts';
import type {After, App, Layout, LoopOptions, UiEvent} from '../seam.ts';
import {createKeysAhead} from './create-keys-ahead.ts';
import {createPacer} from './create-pacer.ts';
import {createPainter} from './create-painter.ts';
import {createPerformer} from './create-performer.ts';
import {createPresence} from './create-presence.ts';
import {holdTerminal} from './hold-terminal.ts';
import {keepConnection} from './keep-connection.ts';
import {keepFrame} from './keep-frame.ts';
import {keepMemory} from './keep-memory.ts';
import {routeInput} from './route-input.ts';
import {isTooSmall} from './too-small.ts';
import {exitCodeOf, isGone} from './ways-out.ts';

export type RunningApp = {
  /** Takes the terminal and runs until the app is left; then the terminal is the person's again, whatever happened. Gives the exit code. */
  readonly run: () => Promise<number>;
};

/**
 * The loop: keys, events of the daemon and what panes draw become a model, a layout and a frame. What the app is, is given as pure
 * functions; here are its clock, its terminal, its connection and its panes, and the one place where they meet.
 */
export function createApp<Model, Action>(
  app: App<Model, Action>,
  options: LoopOptions,
): RunningApp {
  return {run: () => run(app, options)};
}

async function run<Model, Action>(app: App<Model, Action>, options: LoopOptions): Promise<number> {
  const {terminal, now, after = later, frames} = options;
  const depth = colourDepthOf(options.env);
  const over = Promise.withResolvers<number>();
  let {model} = app;
  let state: State = emptyState;
  let size = sizeOf(terminal.size());
  let layout: Layout = {panes: []};
  let arranged: readonly unknown[] = [];
  let isOver = false;
  let pressedAt = Number.NEGATIVE_INFINITY;
  let stopWaiting = (): void => undefined;
  const ahead = createKeysAhead();
  let shouldStay = frames?.painted !== undefined && isOfSize(frames.painted, size);

  /** Nothing that happens in here leaves the terminal in disorder: the app ends, and the terminal is given back. */
  const guard =
    <T extends readonly unknown[]>(act: (...given: T) => void) =>
    (...given: T): void => {
      try {
        act(...given);
      } catch (error) {
        // Nobody is left to be told.
        if (isGone(error)) over.resolve(exitCodeOf('SIGHUP'));
        else over.reject(error instanceof Error ? error : new Error(String(error)));
      }
    };

  const guardedAfter: After = (ms, call) => after(ms, guard(call));
  const held = holdTerminal(
    terminal,
    guard((bytes) => {
      reader.read(bytes);
    }),
    frames?.painted !== undefined,
  );
  const reader = createInputReader({
    after: guardedAfter,
    heard: (tokens) => {
      hear(tokens);
    },
  });
  const writer = createDiffWriter({write: terminal.write, depth, isPainted: shouldStay});
  const painter = createPainter(app, writer);
  const memory = keepMemory({
    memory: options.memory,
    after: guardedAfter,
    memoryOf: () => app.memoryOf?.(model),
  });
  const frame =
    frames && keepFrame({keep: frames.keep, shown: painter.shown, depth, after: guardedAfter});
  const pacer = createPacer({
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
      if (session === layout.typing && now() - pressedAt < echoMs) pacer.atOnce();
      else pacer.soon();
    }),
    viewed: guard((session, view) => {
      happen({type: 'pane-changed', session, view});
    }),
    ended: guard((session, words) => {
      happen({type: 'pane-ended', session, words});
    }),
  });
  const apply = (action: Action | UiEvent, isByPerson: boolean): void => {
    if (isOver) return;
    const {model: next, wishes, effects} = app.update(model, action, state, now());
    model = next;
    performer.wish(wishes);
    for (const effect of effects) performer.perform(effect, isByPerson);
    memory.mayHaveChanged();
  };

  const happen = (event: UiEvent): void => {
    apply(event, false);
    pacer.soon();
  };

  const performer = createPerformer({
    options,
    panes,
    ask: (question) =>
      connection.live()?.ask(question) ??
      Promise.reject(new Error('not connected to the daemon; it is tried again')),
    happen: guard(happen),
    quit: over.resolve,
    redraw: () => {
      writer.forget();
      pacer.atOnce();
    },
    letGo: async (use) => {
      // What waited for the terminal when the app ended is not begun any more.
      if (isOver) return;
      reader.close();
      held.release();
      try {
        await use();
      } finally {
        takeAgain();
      }
    },
  });

  /** Whatever was on the terminal meanwhile: all of it is drawn anew. */
  const takeAgain = guard(() => {
    if (isOver) return;
    size = sizeOf(terminal.size());
    held.take();
    writer.forget();
    pacer.atOnce();
  });

  const connection = keepConnection({
    connect: options.connect,
    after: guardedAfter,
    heard: guard((event, next) => {
      state = next;
      happen({type: 'event-heard', event});
      // Its pane may have been opened before it was there.
      if (event.type === 'session-running') panes.retry();
    }),
    connected: guard((next) => {
      state = next;
      happen({type: 'connected'});
      panes.retry();
    }),
    journal: guard((news) => {
      happen({type: 'journal-changed', journal: news});
    }),
    lost: guard((words) => {
      shouldStay = false;
      happen({type: 'disconnected', words});
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
    tell: () => {
      connection
        .live()
        ?.ask({about: 'seen'})
        .catch(() => undefined);
    },
  });

  const hear = (tokens: readonly Token[]): void => {
    pressedAt = now();
    if (tokens.some(({type}) => type !== 'answer' && type !== 'focus')) presence.pressed();
    const before = model;
    for (const token of tokens) {
      arrange();
      shouldStay &&= token.type === 'answer' || token.type === 'focus';
      if (token.type === 'answer') {
        if (token.about === 'keyboard') held.useModernKeys();
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

    // What is typed into a pane is drawn when the program has drawn it.
    if (model === before) return;
    arrange();
    pacer.atOnce();
  };

  /** The frame that was painted before the app was there stays until the state is known and its panes have come, or the person does something. */
  const isTooEarly = (): boolean => {
    shouldStay &&=
      connection.live() === undefined ||
      layout.panes.some(({session}) => panes.get(session)?.view().connection === 'opening');
    return shouldStay;
  };

  const draw = (): boolean => {
    if (!held.isHeld()) return false;
    arrange();
    if (isTooEarly()) return false;
    const view = {model, state, size, now: now()};
    const pane = layout.typing === undefined ? undefined : panes.get(layout.typing);
    const modes = pane?.modes();
    const own = layout.mouse === true ? 'click' : 'off';
    held.listenAs({
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
    size = sizeOf(terminal.size());
    shouldStay = false;
    // Also when it is what it was: in between, the terminal may have moved or cut what it showed.
    writer.forget();
    happen({type: 'resized', size});
  });

  const suspend = guard(() => {
    if (!held.isHeld() || options.suspend === undefined) return;
    reader.close();
    held.release();
    options.suspend();
    takeAgain();
  });

  const stopSignals = options.onSignal?.(
    guard((signal) => {
      if (signal === 'exit') held.release();
      else if (signal === 'SIGTSTP') suspend();
      else if (signal === 'SIGCONT') continueHere();
      else over.resolve(exitCodeOf(signal));
    }),
  );

  /** Stopped from outside without a word, we could not give the terminal back; whoever had it meanwhile has changed it. */
  const continueHere = (): void => {
    if (!held.isHeld()) return;
    held.release();
    takeAgain();
  };

  performer.onSuspend(suspend);
  const stopResizes = terminal.onResize(resized);
  try {
    if (shouldStay) {
      held.take();
      stopWaiting = guardedAfter(longestStay, () => {
        shouldStay = false;
        pacer.soon();
      });
    } else {
      takeAgain();
    }

    return await over.promise;
  } finally {
    isOver = true;
    stopSignals?.();
    stopResizes();
    stopWaiting();
    pacer.close();
    reader.close();
    releaseQuietly(held.release);
    connection.close();
    panes.close();
    frame?.close();
    memory.close();
  }
}

/** A daemon that has to be started first takes a moment; longer than this, nobody is left with what was. */
const longestStay = 2000;

/** How long after a key what the pane draws is taken for its echo. */
const echoMs = 150;

function later(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms);
  return () => {
    clearTimeout(timer);
  };
}

function isOfSize(one: Size, other: Size): boolean {
  return one.columns === other.columns && one.rows === other.rows;
}

function sizeOf({columns, rows}: Size): Size {
  return {columns: Math.max(1, columns), rows: Math.max(1, rows)};
}

function releaseQuietly(release: () => void): void {
  try {
    release();
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
