import {execFile} from 'node:child_process';
import {Buffer} from 'node:buffer';
import {detectImageType} from '../shared/index.ts';
import {findProgram} from '../system/index.ts';
import {maxGivenBytes} from '../protocol/index.ts';
import type {ClipboardImage} from '../app/index.ts';
import type {CliContext} from './cli-context.ts';

/** A program that prints what the clipboard has. */
type ClipboardTool = {
  readonly program: string;
  readonly argv: readonly string[];
  /** Lists the types that the clipboard has, where it can. */
  readonly types?: readonly string[];
  readonly parse?: (output: Buffer) => Buffer;
};

const wlPaste: ClipboardTool = {
  program: 'wl-paste',
  argv: ['--no-newline', '--type', 'image/png'],
  types: ['--list-types'],
};
const xclip: ClipboardTool = {
  program: 'xclip',
  argv: ['-selection', 'clipboard', '-t', 'image/png', '-o'],
  types: ['-selection', 'clipboard', '-t', 'TARGETS', '-o'],
};
const pngpaste: ClipboardTool = {program: 'pngpaste', argv: ['-']};
const osascript: ClipboardTool = {
  program: 'osascript',
  argv: ['-e', 'get the clipboard as «class PNGf»'],
  parse: (output) =>
    Buffer.from(/«data PNGf([\dA-F]*)»/.exec(output.toString('utf8'))?.[1] ?? '', 'hex'),
};

/**
 * Reads an image from the clipboard of this machine, with a program outside of the repository. Over
 * SSH that is somebody else's clipboard, unless a display is forwarded.
 */
export async function readClipboardImage(
  {env}: Pick<CliContext, 'env'>,
  root: string,
  platform: NodeJS.Platform = process.platform,
): Promise<ClipboardImage> {
  const tools = selectTools(env, platform);
  if (tools.length === 0)
    return {at: 'unavailable', text: 'this machine has no display whose clipboard could be read'};
  for (const tool of tools) {
    const {file} = findProgram(tool.program, {path: env['PATH'] ?? '', outside: root});
    if (file !== undefined) return readWith(file, tool, env);
  }

  const names = tools.map(({program}) => program).join(' or ');
  return {at: 'unavailable', text: `${names} is needed to read the clipboard, and not installed`};
}

function selectTools(env: CliContext['env'], platform: NodeJS.Platform): readonly ClipboardTool[] {
  const has = (name: string): boolean => (env[name] ?? '') !== '';
  if (platform === 'darwin')
    return has('SSH_CONNECTION') || has('SSH_TTY') ? [] : [pngpaste, osascript];
  return [...(has('WAYLAND_DISPLAY') ? [wlPaste] : []), ...(has('DISPLAY') ? [xclip] : [])];
}

async function readWith(
  file: string,
  {program, argv, types, parse = (output): Buffer => output}: ClipboardTool,
  env: CliContext['env'],
): Promise<ClipboardImage> {
  const listed = types === undefined ? undefined : await run(file, types, env);
  if (listed?.at === 'failed') return {at: 'unavailable', text: `${program}: ${listed.why}`};
  if (listed !== undefined && !listed.output.toString('utf8').includes('image/png'))
    return {at: 'no-image', text: noImage};
  const read = await run(file, argv, env);
  if (read.at === 'failed')
    return types === undefined
      ? {at: 'no-image', text: noImage}
      : {at: 'unavailable', text: `${program}: ${read.why}`};
  const bytes = parse(read.output);
  return detectImageType(bytes) === undefined
    ? {at: 'no-image', text: noImage}
    : {at: 'image', bytes};
}

const noImage = 'there is no image in the clipboard';
const timeoutMs = 3000;

type Outcome =
  {readonly at: 'read'; readonly output: Buffer} | {readonly at: 'failed'; readonly why: string};

function run(file: string, argv: readonly string[], env: CliContext['env']): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      file,
      argv,
      {
        env,
        encoding: 'buffer',
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        // As hexadecimal text it is twice as long.
        maxBuffer: 2 * maxGivenBytes + 1024,
      },
      (error, output, problem) => {
        if (error === null) {
          resolve({at: 'read', output});
          return;
        }

        const [line] = problem.toString('utf8').trim().split('\n', 1);
        const why = line === undefined || line === '' ? error.message : line;
        resolve({at: 'failed', why: why.split('\n', 1)[0]?.slice(0, 200) ?? ''});
      },
    );
  });
}
