import {detectImageType} from '../../shared/index.ts';
import type {After, ClipboardImage} from '../app-contract.ts';
import {decodeBase64, joinBytes} from '../input/clipboard-reply.ts';
import type {Token} from '../input/key.ts';

export type ClipboardQuery = {
  /** Asks the terminal for the image in its clipboard. One question at a time. */
  readonly read: () => Promise<ClipboardImage>;
  readonly handle: (token: Extract<Token, {readonly type: 'answer'}>) => void;
  /** Whether the end of the replies has not come yet. */
  readonly isPending: () => boolean;
};

/** Asks whether the terminal speaks kitty's protocol; every terminal answers the second question. */
const supportQuery = '\u001B[?5522$p\u001B[c';
/** OSC 5522 for `image/png`, in base64. */
const imageQuery = '\u001B]5522;type=read;aW1hZ2UvcG5n\u001B\\';
/** OSC 52: the clipboard as text, which a few terminals also use for other data. */
const textQuery = '\u001B]52;c;?\u0007';

const supportMs = 1000;
/** Many terminals never answer OSC 52. */
const textMs = 3000;
/** A terminal with kitty's protocol may ask the person first. */
const imageMs = 30_000;
const maxImageBytes = 32 * 1024 * 1024;

/** Reads an image from the clipboard of the terminal, which over SSH is on another machine. */
export function createClipboardQuery({
  send,
  after,
}: {
  readonly send: (text: string) => void;
  readonly after: After;
}): ClipboardQuery {
  let stage: 'idle' | 'support' | 'image' | 'text' = 'idle';
  let isSupported = false;
  let chunks: Uint8Array[] = [];
  let length = 0;
  let settled = Promise.withResolvers<ClipboardImage>();
  let cancel = (): void => undefined;

  const finish = (image: ClipboardImage): void => {
    cancel();
    stage = 'idle';
    chunks = [];
    length = 0;
    settled.resolve(image);
  };

  const askImage = (): void => {
    cancel();
    stage = isSupported ? 'image' : 'text';
    send(isSupported ? imageQuery : textQuery);
    cancel = after(isSupported ? imageMs : textMs, () => {
      finish({at: 'unavailable', text: 'the terminal did not send its clipboard'});
    });
  };

  const finishWith = (bytes: Uint8Array | undefined): void => {
    finish(
      bytes !== undefined && detectImageType(bytes) !== undefined
        ? {at: 'image', bytes}
        : {at: 'no-image', text: 'there is no image in the clipboard of the terminal'},
    );
  };

  const addPart = (status: string, data: string): void => {
    if (status === 'DONE') {
      finishWith(joinBytes(chunks));
      return;
    }

    if (status === 'DATA') {
      const bytes = decodeBase64(data) ?? new Uint8Array(0);
      chunks.push(bytes);
      length += bytes.length;
      if (length > maxImageBytes) finish({at: 'no-image', text: tooLarge});
      return;
    }

    if (status !== 'OK')
      finish({
        at: 'unavailable',
        text: status === 'EPERM' ? 'the terminal denied access' : 'the terminal has no clipboard',
      });
  };

  return {
    isPending: () => stage !== 'idle',
    read() {
      if (stage !== 'idle') return settled.promise;
      stage = 'support';
      isSupported = false;
      settled = Promise.withResolvers();
      send(supportQuery);
      cancel = after(supportMs, askImage);
      return settled.promise;
    },
    handle(token) {
      if (stage === 'support' && token.about === 'attributes') askImage();
      if (token.about !== 'clipboard') return;
      const {reply} = token;
      if (stage === 'support' && reply.from === 'mode') ({isSupported} = reply);
      if (stage === 'image' && reply.from === 'osc-5522') addPart(reply.status, reply.data);
      if (stage === 'text' && reply.from === 'osc-52') finishWith(decodeBase64(reply.data));
      if (stage !== 'support' && stage !== 'idle' && reply.from === 'too-long')
        finish({at: 'no-image', text: tooLarge});
    },
  };
}

const tooLarge = 'what is in the clipboard of the terminal is too large';
