import {errorText, parsePastedPaths, quotePath} from '../../shared/index.ts';
import type {SessionId} from '../../domain/index.ts';
import type {GivenFile, Question} from '../../protocol/index.ts';
import type {PasteEvent} from '../model/pasted-files.ts';
import type {After, ClipboardImage, LoopOptions} from '../app-contract.ts';
import type {Token} from '../input/key.ts';
import {type ClipboardQuery, createClipboardQuery} from './create-clipboard-query.ts';
import type {Pane} from '../panes/create-pane.ts';

/** Pastes into panes that are files or an image. */
export type FilePasting = {
  /** Takes a paste that may be files, or an image. False if it is text. */
  readonly take: (
    session: SessionId,
    paste: Pick<Extract<Token, {readonly type: 'paste'}>, 'text' | 'bytes'>,
  ) => boolean;
  /** Reads an image from the clipboard, and types the path of a copy. */
  readonly pasteImage: (session: SessionId) => void;
  /** Whether later input of this session must wait, so that it keeps its order. */
  readonly isPending: (session: SessionId | undefined) => boolean;
  readonly handleAnswer: ClipboardQuery['handle'];
  /** Whether the terminal has not answered yet. */
  readonly expectsReply: () => boolean;
};

export type FilePastingOptions = {
  readonly options: Pick<LoopOptions, 'readClipboardImage' | 'saveTemporarily'>;
  readonly pane: (session: SessionId) => Pick<Pane, 'write' | 'modes'> | undefined;
  readonly ask: (question: Question) => Promise<unknown>;
  /** Asks the terminal, if the app has it. */
  readonly send: (text: string) => void;
  readonly after: After;
  readonly happen: (event: PasteEvent) => void;
  /** Input that waited can be delivered. */
  readonly settled: () => void;
};

/** After this time a path is typed as it was pasted. */
const answerMs = 5000;

/**
 * A terminal pastes a dragged file as its path, and an image not at all. What the program of a
 * session cannot read is copied for it by the daemon.
 */
export function createFilePasting({
  options: {readClipboardImage, saveTemporarily},
  pane,
  ask,
  send,
  after,
  happen,
  settled,
}: FilePastingOptions): FilePasting {
  const clipboardQuery = createClipboardQuery({send, after});
  const pending = new Map<SessionId, number>();

  /** Later input of the session waits until it is done. */
  const inOrder = (session: SessionId, what: 'files' | 'image', act: () => Promise<void>): void => {
    pending.set(session, (pending.get(session) ?? 0) + 1);
    void act()
      .catch((error: unknown) => {
        happen({type: 'paste-failed', session, what, text: errorText(error)});
      })
      .finally(() => {
        const left = (pending.get(session) ?? 1) - 1;
        if (left > 0) pending.set(session, left);
        else pending.delete(session);
        settled();
      });
  };

  const type = (session: SessionId, text: string): void => {
    const target = pane(session);
    target?.write(
      new TextEncoder().encode(
        target.modes().bracketedPaste ? `\u001B[200~${text}\u001B[201~` : text,
      ),
    );
  };

  const give = async (
    session: SessionId,
    files: readonly string[],
    copies?: 'all',
  ): Promise<readonly GivenFile[]> => {
    const late = Promise.withResolvers<never>();
    const cancel = after(answerMs, () => {
      late.reject(new Error('the daemon did not answer in time'));
    });
    try {
      const answer = ask({about: 'give-files', session, files, ...(copies && {copies})});
      return ((await Promise.race([answer, late.promise])) as {files: readonly GivenFile[]}).files;
    } finally {
      cancel();
    }
  };

  const pastePaths = async (
    session: SessionId,
    text: string,
    paths: readonly string[],
  ): Promise<void> => {
    let given: readonly GivenFile[] = [];
    try {
      given = await give(session, paths);
    } finally {
      const isCopied = given.some(({at}) => at === 'copied');
      const end = /\s*$/.exec(text)?.[0] ?? '';
      type(session, isCopied ? `${given.map(({path}) => quotePath(path)).join(' ')}${end}` : text);
    }

    const files = paths.flatMap((path, index) => {
      const one = given[index];
      return one === undefined ? [] : [{path, given: one}];
    });
    // Any text that begins with a slash may look like a path.
    if (files.some((file) => file.given.at === 'copied' || file.given.at === 'refused'))
      happen({type: 'files-pasted', session, files});
  };

  const readImage = async (): Promise<ClipboardImage> => {
    const here = await readClipboardImage?.();
    if (here !== undefined && here.at !== 'unavailable') return here;
    const there = await clipboardQuery.read();
    return there.at === 'unavailable' && here?.at === 'unavailable'
      ? {at: 'unavailable', text: `${here.text}; ${there.text}`}
      : there;
  };

  const giveImage = async (session: SessionId, bytes: Uint8Array): Promise<void> => {
    if (saveTemporarily === undefined) throw new Error('images cannot be pasted here');
    const saved = saveTemporarily(bytes);
    try {
      const [image] = await give(session, [saved.file], 'all');
      if (image?.at !== 'copied')
        throw new Error(image?.at === 'refused' ? `it ${image.why}` : 'it could not be copied');
      type(session, `${quotePath(image.path)} `);
      happen({type: 'image-pasted', session});
    } finally {
      saved.remove();
    }
  };

  return {
    handleAnswer: clipboardQuery.handle,
    expectsReply: clipboardQuery.isPending,
    isPending: (session) => session !== undefined && pending.has(session),
    take(session, {text, bytes}) {
      // Terminals paste an empty text when the clipboard has an image and no text.
      if (text === '' && readClipboardImage !== undefined) {
        inOrder(session, 'image', async () => {
          const image = await readClipboardImage();
          if (image.at === 'image') await giveImage(session, image.bytes);
          else if (pane(session)?.modes().bracketedPaste === true) pane(session)?.write(bytes);
        });
        return true;
      }

      const paths = parsePastedPaths(text);
      if (paths === undefined) return false;
      inOrder(session, 'files', () => pastePaths(session, text, paths));
      return true;
    },
    pasteImage(session) {
      inOrder(session, 'image', async () => {
        const image = await readImage();
        if (image.at === 'image') await giveImage(session, image.bytes);
        else happen({type: 'paste-failed', session, what: 'image', text: image.text});
      });
    },
  };
}
