import type {SessionId, State} from '../../domain/index.ts';
import type {PastedFile, UiEvent} from '../app-contract.ts';
import {type Result, noChange, withEffects, withNotice} from './action.ts';
import type {Model} from './model.ts';
import {explainTypingRejected} from './typing.ts';

/** Reads the clipboard; what the person types meanwhile follows the path of the image. */
export function pasteImage(model: Model, session: SessionId, state: State, now: number): Result {
  const rejected = explainTypingRejected(model, session, state);
  if (rejected !== undefined) return noChange(withNotice(model, rejected, now));
  return withEffects(
    {
      ...withNotice(model, `Looks for an image in the clipboard, for ${session} …`, now),
      mode: 'typing',
      typingSession: session,
      ...(model.isScreenReader ? {isZoomed: true} : {}),
    },
    {type: 'paste-image', session},
  );
}

export type PasteEvent = Extract<
  UiEvent,
  {readonly type: 'files-pasted' | 'image-pasted' | 'paste-failed'}
>;

/** Shows what became of files that were pasted into a pane. */
export function noticePaste(model: Model, event: PasteEvent, now: number): Model {
  const {text, isProblem} = formatPaste(event);
  return withNotice(model, text, now, isProblem ? 'bad' : 'good');
}

export function formatPaste(event: PasteEvent): {
  readonly text: string;
  readonly isProblem: boolean;
} {
  const {session} = event;
  switch (event.type) {
    case 'image-pasted':
      return {
        text: `The image is copied for ${session}, and the path of the copy typed.`,
        isProblem: false,
      };
    case 'files-pasted': {
      const blocked = event.files.find(({given}) => given.at === 'refused');
      return blocked === undefined
        ? {text: formatCopied(event.files, session), isProblem: false}
        : {text: formatBlocked(blocked, session), isProblem: true};
    }

    case 'paste-failed':
      return {
        text:
          event.what === 'image'
            ? `No image for ${session}: ${event.text}. Drag a file onto the pane, or run: ` +
              `cat shot.png | orchestra send ${session} --file -`
            : `What you pasted into ${session} is typed as it is: ${event.text}`,
        isProblem: true,
      };
  }
}

function formatCopied(files: readonly PastedFile[], session: SessionId): string {
  const copied = files.filter(({given}) => given.at === 'copied');
  const [first] = copied;
  return copied.length === 1 && first !== undefined
    ? `${session} cannot read ${fileName(first)}: it is copied, and the path of the copy typed.`
    : `${session} cannot read ${copied.length} files: they are copied, and the paths of the copies typed.`;
}

function formatBlocked(file: PastedFile, session: SessionId): string {
  const why = file.given.at === 'refused' ? file.given.why : '';
  return `${session} cannot read ${fileName(file)}, and it was not copied: it ${why}.`;
}

function fileName({path}: PastedFile): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
