import {Buffer} from 'node:buffer';
import type {CallToolResult} from '@modelcontextprotocol/sdk/types.js';

/** Keeps a text or bytes somewhere an agent can read it, and says where. */
export type Keep = (name: string, content: string | Uint8Array) => string;

export type Cap = {
  /** In characters of JSON, about four to a token. */
  readonly characters: number;
  readonly keep: Keep;
};

/**
 * An answer that fits goes through as it came. Of one that does not, the whole is kept in files and its beginning handed back,
 * with where the rest is: the agent reads of it what it needs.
 */
export function capResult(result: CallToolResult, {characters, keep}: Cap): CallToolResult {
  const {content, structuredContent, isError} = result;
  const blocks: readonly Block[] =
    content.length === 0 && structuredContent !== undefined
      ? [{type: 'text', text: JSON.stringify(structuredContent)}]
      : content;
  const plain = {content: [...blocks], ...(isError === true && {isError})};
  if (JSON.stringify(plain).length <= characters) return plain;

  const texts = blocks.map((block) => textOf(block, keep));
  const whole = texts.join('\n\n');
  return {
    content: [
      {type: 'text', text: whole.length <= characters ? whole : headOf(whole, characters, keep)},
    ],
    ...(isError === true && {isError}),
  };
}

type Block = CallToolResult['content'][number];

function textOf(block: Block, keep: Keep): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return keptBytes(block.data, block.mimeType, keep);
    case 'resource':
      return 'text' in block.resource
        ? block.resource.text
        : keptBytes(
            block.resource.blob,
            block.resource.mimeType ?? 'application/octet-stream',
            keep,
          );
    case 'resource_link':
      return `${block.name}: ${block.uri}`;
  }
}

function keptBytes(data: string, mimeType: string, keep: Keep): string {
  const bytes = Buffer.from(data, 'base64');
  const kind = /^[a-z]+\/([a-z0-9]{1,8})/.exec(mimeType)?.[1] ?? 'bin';
  return `[${mimeType.slice(0, 60)}, ${bytes.length} bytes: ${keep(`.${kind}`, bytes)}]`;
}

function headOf(whole: string, characters: number, keep: Keep): string {
  const file = keep('.txt', whole);
  const room = Math.max(200, characters - 300);
  const cut = whole.slice(0, room).replace(/[\uD800-\uDBFF]$/, '');
  const line = cut.lastIndexOf('\n');
  const head = line > room / 2 ? cut.slice(0, line) : cut;
  return `${head}\n\n[${whole.length - head.length} of ${whole.length} characters are left out. All of it is in ${file}: search there, or read the part that you need.]`;
}
