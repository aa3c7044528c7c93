import path from 'node:path';
import {mkdirSync, writeFileSync} from 'node:fs';
import {Buffer} from 'node:buffer';
import type {CallToolResult} from '@modelcontextprotocol/sdk/types.js';
import {namesIn} from '../files/index.ts';

/** Saves a text or bytes where an agent can read it, and returns the path. */
export type SaveResult = (extension: string, content: string | Uint8Array) => string;

export type Cap = {
  /** In characters of JSON, about four to a token. */
  readonly characters: number;
  readonly save: SaveResult;
};

/**
 * Returns a result that fits unchanged. A longer one is saved to files, and its beginning is
 * returned with the path, so that the agent reads what it needs.
 */
export function capResult(result: CallToolResult, {characters, save}: Cap): CallToolResult {
  const {content, structuredContent, isError} = result;
  const blocks: readonly Block[] =
    content.length === 0 && structuredContent !== undefined
      ? [{type: 'text', text: JSON.stringify(structuredContent)}]
      : content;
  const plain = {content: [...blocks], ...(isError === true && {isError})};
  if (JSON.stringify(plain).length <= characters) return plain;

  const texts = blocks.map((block) => blockText(block, save));
  const whole = texts.join('\n\n');
  return {
    content: [
      {type: 'text', text: whole.length <= characters ? whole : cutText(whole, characters, save)},
    ],
    ...(isError === true && {isError}),
  };
}

type Block = CallToolResult['content'][number];

function blockText(block: Block, save: SaveResult): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return saveBytes(block.data, block.mimeType, save);
    case 'resource':
      return 'text' in block.resource
        ? block.resource.text
        : saveBytes(
            block.resource.blob,
            block.resource.mimeType ?? 'application/octet-stream',
            save,
          );
    case 'resource_link':
      return `${block.name}: ${block.uri}`;
  }
}

function saveBytes(data: string, mimeType: string, save: SaveResult): string {
  const bytes = Buffer.from(data, 'base64');
  const kind = /^[a-z]+\/([a-z0-9]{1,8})/.exec(mimeType)?.[1] ?? 'bin';
  return `[${mimeType.slice(0, 60)}, ${bytes.length} bytes: ${save(`.${kind}`, bytes)}]`;
}

function cutText(whole: string, characters: number, save: SaveResult): string {
  const file = save('.txt', whole);
  const space = Math.max(200, characters - 300);
  const cut = whole.slice(0, space).replace(/[\uD800-\uDBFF]$/, '');
  const line = cut.lastIndexOf('\n');
  const head = line > space / 2 ? cut.slice(0, line) : cut;
  return (
    `${head}\n\n[${whole.length - head.length} of ${whole.length} characters are left out. ` +
    `The full text is in ${file}: search there, or read the part that you need.]`
  );
}

const maxBytes = 512 * 1024 * 1024;

/**
 * Saves results as numbered files of a directory, readable for us alone. Existing files are never
 * overwritten.
 */
export function saveIn(directory: string, prefix: string): SaveResult {
  let savedBytes = 0;
  let number = 0;
  return (extension, content) => {
    if (savedBytes + content.length > maxBytes)
      return `(not kept: this session has kept ${savedBytes} bytes already)`;
    mkdirSync(directory, {recursive: true, mode: 0o700});
    const taken = new Set(namesIn(directory, {maxEntries: 100_000}));
    do number += 1;
    while (taken.has(`${prefix}-${number}${extension}`));
    const file = path.join(directory, `${prefix}-${number}${extension}`);
    writeFileSync(file, content, {mode: 0o600, flag: 'wx'});
    savedBytes += content.length;
    return file;
  };
}
