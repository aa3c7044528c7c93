import type {Wish} from '../../domain/index.ts';
import {sanitizeLine} from '../../terminal/index.ts';
import {
  afterCopyAnchor,
  afterCopyMode,
  afterCopyMove,
  afterScroll,
  afterSearch,
  afterSearchStep,
} from '../panes/looking.ts';
import type {PaneSet} from '../panes/create-pane-set.ts';
import type {LoopOptions, Question, UiEffect, UiEvent} from '../seam.ts';
import {clipboardSequence} from './clipboard-sequence.ts';

export type Performer = {
  /** One after the other, each when the one before is answered: the daemon decides about what is asked at once in any order. */
  readonly wish: (wishes: readonly Wish[]) => void;
  /** `isByPerson`: it follows at once from something that the person did. */
  readonly perform: (effect: UiEffect, isByPerson: boolean) => void;
  readonly onSuspend: (suspend: () => void) => void;
};

export type PerformerOptions = {
  readonly options: LoopOptions;
  readonly panes: PaneSet;
  readonly ask: (question: Question) => Promise<unknown>;
  readonly happen: (event: UiEvent) => void;
  readonly quit: (code: number) => void;
  readonly redraw: () => void;
  /** Lets go of the terminal for as long as it is used. */
  readonly letGo: (use: () => Promise<void>) => Promise<void>;
};

/** Does what the app wants done. What comes of it happens to the app like anything else. */
export function createPerformer({
  options,
  panes,
  ask,
  happen,
  quit,
  redraw,
  letGo,
}: PerformerOptions): Performer {
  const {terminal, handOver, edit, replay, propose, prepareRepository, env} = options;
  let suspend = (): void => undefined;

  /** The terminal goes to one at a time: an editor waits until the session before it is left. */
  let lent: Promise<void> = Promise.resolve();
  const lend = (use: () => Promise<UiEvent>, failed: (words: string) => UiEvent): void => {
    lent = lent.then(async () => {
      let came: UiEvent | undefined;
      try {
        await letGo(async () => {
          came = await use();
        });
      } catch (error) {
        came = failed(wordsOf(error));
      }

      if (came !== undefined) happen(came);
    });
  };

  const tellOf = (
    asked: Promise<unknown>,
    came: (value: unknown) => UiEvent,
    refused: (words: string) => UiEvent,
    then?: () => void,
  ): void => {
    void asked
      .then(
        (value) => {
          happen(came(value));
        },
        (error: unknown) => {
          happen(refused(wordsOf(error)));
        },
      )
      .then(then);
  };

  const wishInTurn = ([wish, ...rest]: readonly Wish[]): void => {
    if (wish === undefined) return;
    // A command of the person's own has what their shell gave to the app, and the size that they look at.
    const own =
      wish.type === 'start-session'
        ? {env: given(env), size: terminal.size()}
        : takesEnvironment.has(wish.type)
          ? {env: given(env)}
          : {};
    tellOf(
      ask({about: 'wish', wish, ...own}),
      (answer) => ({type: 'wish-granted', wish, answer}),
      (words) => ({type: 'wish-refused', wish, words}),
      () => {
        wishInTurn(rest);
      },
    );
  };

  const copy = (text: string, isByPerson: boolean): void => {
    if (!isByPerson || text === '') return;
    terminal.write(clipboardSequence(text));
    happen({type: 'copied', text});
  };

  return {
    wish: wishInTurn,
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
        case 'ring':
          terminal.write('\u0007');
          return;
        case 'notify':
          terminal.write(`\u001B]9;orchestra: ${sanitizeLine(effect.words)}\u001B\\\u0007`);
          return;
        case 'ask':
          // What differs is told of the shell that the app was started from.
          tellOf(
            ask(
              effect.question.about === 'environment'
                ? {...effect.question, env: given(env)}
                : effect.question,
            ),
            (value) => ({type: 'answered', name: effect.name, value}),
            (words) => ({type: 'refused', name: effect.name, words}),
          );
          return;
        case 'hand-over':
          lend(
            () =>
              handOver(effect.session).then(() => ({type: 'handed-back', session: effect.session})),
            (words) => ({type: 'handed-back', session: effect.session, words}),
          );
          return;
        case 'replay':
          lend(
            async () => {
              if (replay === undefined) throw new Error('there is no replay here');
              await replay(effect.session, effect.at);
              return {type: 'handed-back', session: effect.session};
            },
            (words) => ({type: 'handed-back', session: effect.session, words}),
          );
          return;
        case 'edit':
          lend(
            () =>
              edit(effect.text, effect.name).then((text) => ({
                type: 'edited',
                name: effect.name,
                text,
              })),
            (words) => ({type: 'edit-failed', name: effect.name, words}),
          );
          return;
        case 'propose':
          tellOf(
            propose?.(effect.run) ?? Promise.reject(new Error('it cannot be done from here')),
            (url) => ({type: 'proposed', run: effect.run, outcome: {url: String(url)}}),
            (words) => ({type: 'proposed', run: effect.run, outcome: {refused: words}}),
          );
          return;
        case 'prepare-repository':
          tellOf(
            prepareRepository?.(effect.what) ??
              Promise.reject(new Error('it cannot be done from here')),
            () => ({type: 'repository-prepared'}),
            (words) => ({type: 'repository-prepared', words}),
          );
          return;
        case 'scroll':
          panes
            .get(effect.session)
            ?.look((looking, _, extent) => afterScroll(looking, effect.by, extent));
          return;
        case 'search':
          panes
            .get(effect.session)
            ?.look((looking, screen, extent) =>
              afterSearch(looking, effect.words, screen.search(effect.words), extent),
            );
          return;
        case 'search-step':
          panes
            .get(effect.session)
            ?.look((looking, _, extent) => afterSearchStep(looking, effect.direction, extent));
          return;
        case 'copy-mode':
          panes
            .get(effect.session)
            ?.look((looking, screen, extent) =>
              afterCopyMode(looking, effect.isOn, screen.cursor, extent),
            );
          return;
        case 'copy-move':
          panes
            .get(effect.session)
            ?.look((looking, _, extent) => afterCopyMove(looking, effect.by, extent));
          return;
        case 'copy-anchor':
          panes.get(effect.session)?.look((looking) => afterCopyAnchor(looking, effect.whole));
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

/** The daemon keeps what counts of it: for the sessions of a run, or for a service. */
const takesEnvironment: ReadonlySet<Wish['type']> = new Set<Wish['type']>([
  'start-run',
  'refresh-environment',
  'declare-service',
  'start-service',
  'restart-service',
]);

function given(env: LoopOptions['env']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
