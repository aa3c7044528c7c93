/** What the terminal answers when it is asked for its clipboard. */
export type ClipboardReply =
  /** Whether it speaks kitty's clipboard protocol. */
  | {readonly from: 'mode'; readonly isSupported: boolean}
  /** OSC 52: text, or whatever the terminal holds. `data` is base64. */
  | {readonly from: 'osc-52'; readonly data: string}
  /** OSC 5522, of which one message has a part of the data, in base64. */
  | {readonly from: 'osc-5522'; readonly status: string; readonly data: string}
  /** It was longer than we read. */
  | {readonly from: 'too-long'};

/** The text of an OSC: `52;c;BASE64`, `5522;type=read:status=DATA:mime=…;BASE64`. */
export function parseClipboardReply(text: string): ClipboardReply | undefined {
  if (text.startsWith(`52;${cut}`)) return {from: 'too-long'};
  const plain = /^52;[a-z0-7]*;([A-Za-z0-9+/=]*)$/.exec(text);
  if (plain !== null) return {from: 'osc-52', data: plain[1] ?? ''};
  const [, fields = '', data = ''] = /^5522;([^;]*)(?:;([A-Za-z0-9+/=]*))?$/.exec(text) ?? [];
  const values = new Map(
    fields.split(':').map((field) => {
      const at = field.indexOf('=');
      return [field.slice(0, at), field.slice(at + 1)] as const;
    }),
  );
  return values.get('type') === 'read'
    ? {from: 'osc-5522', status: values.get('status') ?? '', data}
    : undefined;
}

/** The reply to DECRQM, `CSI ? 5522 ; n $ y`: 1 to 3 say that the mode is known. */
export function parseModeReply(parameters: string, final: string): ClipboardReply | undefined {
  const state = final === 'y' ? /^\?5522;(\d)\$$/.exec(parameters)?.[1] : undefined;
  return state === undefined ? undefined : {from: 'mode', isSupported: /[123]/.test(state)};
}

export function isClipboardReply(bytes: Uint8Array): boolean {
  return beginnings.some((start) => start.every((byte, index) => bytes[index] === byte));
}

const beginnings = ['\u001B]52;', '\u001B]5522;'].map((text) => new TextEncoder().encode(text));

/** As base64: an image of 12 MB. */
const maxReplyBytes = 16 * 1024 * 1024;
const cut = '!';

/** Holds a long reply while it comes in pieces, so that each byte is looked at once. */
export type LongReply = {
  /** Takes the beginning of a reply. */
  readonly begin: (bytes: Uint8Array) => void;
  readonly isOpen: () => boolean;
  /** Takes what follows. Returns the whole once its end may have come. */
  readonly add: (bytes: Uint8Array) => Uint8Array | undefined;
  readonly drop: () => void;
};

export function createLongReply(): LongReply {
  let chunks: Uint8Array[] = [];
  let length = 0;
  const drop = (): void => {
    chunks = [];
    length = 0;
  };

  const add = (bytes: Uint8Array): void => {
    chunks.push(bytes);
    length += bytes.length;
    if (length <= maxReplyBytes) return;
    chunks = [new TextEncoder().encode(`\u001B]52;${cut}`)];
    length = 0;
  };

  return {
    begin: add,
    isOpen: () => chunks.length > 0,
    drop,
    add(bytes) {
      const end = bytes.findIndex((byte) => byte === 0x07 || byte === 0x1b);
      add(end === -1 ? bytes : bytes.subarray(0, end));
      if (end === -1) return undefined;
      const whole = joinBytes([...chunks, bytes.subarray(end)]);
      drop();
      return whole;
    },
  };
}

/** Base64 as bytes; undefined if it is none. */
export function decodeBase64(data: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }

  return whole;
}
