import {errorText} from '../../shared/index.ts';
import type {SessionId, UserCommand} from '../../domain/index.ts';
import {sanitizeLine} from '../../terminal/index.ts';
import {
  afterCopyAnchor,
  afterCopyMode,
  afterCopyMove,
  afterSearch,
  afterSearchStep,
  scrollViewport,
} from '../panes/viewport-state.ts';
import type {PaneSet} from '../panes/create-pane-set.ts';
import type {LoopOptions, Question, UiEffect, UiEvent} from '../app-contract.ts';
import {clipboardSequence} from './create-terminal-session.ts';

export type EffectRunner = {
  /**
   * Sends commands one by one, each after the answer to the one before: the daemon may handle
   * concurrent requests in any order.
   */
  readonly submit: (commands: readonly UserCommand[]) => void;
  /** `isByPerson`: it follows directly from input of the person. */
  readonly perform: (effect: UiEffect, isByPerson: boolean) => void;
  readonly onSuspend: (suspend: () => void) => void;
};

export type EffectRunnerOptions = {
  readonly options: LoopOptions;
  readonly panes: PaneSet;
  readonly ask: (question: Question) => Promise<unknown>;
  readonly happen: (event: UiEvent) => void;
  readonly quit: (code: number) => void;
  readonly redraw: () => void;
  readonly pasteImage: (session: SessionId) => void;
  /** Leaves the terminal while `use` runs. */
  readonly suspendTerminal: (use: () => Promise<void>) => Promise<void>;
};

/** Runs the effects of the app. Results come back as events. */
export function createEffectRunner({
  options,
  panes,
  ask,
  happen,
  quit,
  redraw,
  pasteImage,
  suspendTerminal,
}: EffectRunnerOptions): EffectRunner {
  const {
    terminal,
    handOver,
    edit,
    replay,
    propose,
    prepareRepository,
    prepareDemo,
    writeRules,
    env,
  } = options;
  let suspend = (): void => undefined;
  let isMakingDemo = false;

  /** One program has the terminal at a time: an editor waits until an attached session is left. */
  let terminalUse: Promise<void> = Promise.resolve();
  const runInTerminal = (use: () => Promise<UiEvent>, failed: (text: string) => UiEvent): void => {
    terminalUse = terminalUse.then(async () => {
      let event: UiEvent | undefined;
      try {
        await suspendTerminal(async () => {
          event = await use();
        });
      } catch (error) {
        event = failed(errorText(error));
      }

      if (event !== undefined) happen(event);
    });
  };

  const reportResult = (
    result: Promise<unknown>,
    succeeded: (value: unknown) => UiEvent,
    rejected: (text: string) => UiEvent,
    then?: () => void,
  ): void => {
    void result
      .then(
        (value) => {
          happen(succeeded(value));
        },
        (error: unknown) => {
          happen(rejected(errorText(error)));
        },
      )
      .then(then);
  };

  const submitInOrder = ([command, ...rest]: readonly UserCommand[]): void => {
    if (command === undefined) return;
    // A session of the person gets the environment of the shell that started the app, and the size
    // of the terminal.
    const own = {
      ...(takesEnvironment.has(command.type) && {env: withoutUndefined(env)}),
      ...(command.type === 'start-session' && {size: terminal.size()}),
    };
    reportResult(
      ask({about: 'wish', wish: command, ...own}),
      (answer) => ({type: 'wish-granted', wish: command, answer}),
      (text) => ({type: 'wish-refused', wish: command, text}),
      () => {
        submitInOrder(rest);
      },
    );
  };

  const copy = (text: string, isByPerson: boolean): void => {
    if (!isByPerson || text === '') return;
    terminal.write(clipboardSequence(text));
    happen({type: 'copied', text});
  };

  /** One demo at a time, however often the key is pressed. */
  const openDemo = async (): Promise<void> => {
    if (isMakingDemo) return;
    isMakingDemo = true;
    try {
      if (prepareDemo === undefined) throw new Error('it cannot be done from here');
      await prepareDemo();
      quit(0);
    } catch (error) {
      happen({type: 'demo-failed', text: errorText(error)});
    } finally {
      isMakingDemo = false;
    }
  };

  return {
    submit: submitInOrder,
    onSuspend(given) {
      suspend = given;
    },
    perform(effect, isByPerson) {
      switch (effect.type) {
        case 'copy':
          copy(effect.text, isByPerson);
          return;
        case 'copy-selection':
          copy(panes.get(effect.session)?.selection() ?? '', isByPerson);
          return;
        case 'type-text':
          if (isByPerson)
            panes.get(effect.session)?.write(new TextEncoder().encode(`${effect.text}\r`));
          return;
        case 'ring':
          terminal.write('\u0007');
          return;
        case 'notify':
          terminal.write(`\u001B]9;orchestra: ${sanitizeLine(effect.text)}\u001B\\\u0007`);
          return;
        case 'ask':
          // The daemon compares with the environment of the shell that started the app.
          reportResult(
            ask(
              effect.question.about === 'environment'
                ? {...effect.question, env: withoutUndefined(env)}
                : effect.question,
            ),
            (value) => ({type: 'answered', name: effect.name, value}),
            (text) => ({type: 'refused', name: effect.name, text}),
          );
          return;
        case 'hand-over':
          runInTerminal(
            () =>
              handOver(effect.session).then(() => ({type: 'handed-back', session: effect.session})),
            (text) => ({type: 'handed-back', session: effect.session, text}),
          );
          return;
        case 'replay':
          runInTerminal(
            async () => {
              if (replay === undefined) throw new Error('there is no replay here');
              await replay(effect.session, effect.at);
              return {type: 'handed-back', session: effect.session};
            },
            (text) => ({type: 'handed-back', session: effect.session, text}),
          );
          return;
        case 'edit':
          runInTerminal(
            () =>
              edit(effect.text, effect.name).then((text) => ({
                type: 'edited',
                name: effect.name,
                text,
              })),
            (text) => ({type: 'edit-failed', name: effect.name, text}),
          );
          return;
        case 'propose':
          reportResult(
            propose?.(effect.run) ?? Promise.reject(new Error('it cannot be done from here')),
            (url) => ({type: 'proposed', run: effect.run, outcome: {url: String(url)}}),
            (text) => ({type: 'proposed', run: effect.run, outcome: {rejected: text}}),
          );
          return;
        case 'write-rules':
          reportResult(
            writeRules?.(effect.text) ?? Promise.reject(new Error('it cannot be done from here')),
            () => ({type: 'rules-written'}),
            (text) => ({type: 'rules-written', text}),
          );
          return;
        case 'open-demo':
          void openDemo();
          return;
        case 'prepare-repository':
          reportResult(
            prepareRepository?.(effect.what) ??
              Promise.reject(new Error('it cannot be done from here')),
            () => ({type: 'repository-prepared'}),
            (text) => ({type: 'repository-prepared', text}),
          );
          return;
        case 'scroll':
          panes
            .get(effect.session)
            ?.look((viewport, _, extent) => scrollViewport(viewport, effect.by, extent));
          return;
        case 'search':
          panes
            .get(effect.session)
            ?.look((viewport, screen, extent) =>
              afterSearch(viewport, effect.text, screen.search(effect.text), extent),
            );
          return;
        case 'search-step':
          panes
            .get(effect.session)
            ?.look((viewport, _, extent) => afterSearchStep(viewport, effect.direction, extent));
          return;
        case 'copy-mode':
          panes
            .get(effect.session)
            ?.look((viewport, screen, extent) =>
              afterCopyMode(viewport, effect.isOn, screen.cursor, extent),
            );
          return;
        case 'copy-move':
          panes
            .get(effect.session)
            ?.look((viewport, _, extent) => afterCopyMove(viewport, effect.by, extent));
          return;
        case 'copy-anchor':
          panes.get(effect.session)?.look((viewport) => afterCopyAnchor(viewport, effect.whole));
          return;
        case 'paste-image':
          if (isByPerson) pasteImage(effect.session);
          return;
        case 'redraw':
          redraw();
          return;
        case 'suspend':
          suspend();
          return;
        case 'quit':
          quit(effect.code ?? 0);
      }
    },
  };
}

/**
 * Commands that carry the environment. The daemon saves what a session, a run or a service needs of
 * it.
 */
const takesEnvironment: ReadonlySet<UserCommand['type']> = new Set<UserCommand['type']>([
  'start-session',
  'start-run',
  'refresh-environment',
  'declare-service',
  'start-service',
  'restart-service',
]);

function withoutUndefined(env: LoopOptions['env']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
