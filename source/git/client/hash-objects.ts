import {spawn} from 'node:child_process';
import {createHash, type Hash} from 'node:crypto';
import {gitArguments, gitEnvironment, type GitOptions} from './create-git.ts';

/**
 * Computes the hash of each object's content, in the order of `ids`; undefined for a missing
 * object.
 */
export type HashObjects = (
  gitDirectory: string,
  ids: readonly string[],
) => Promise<readonly (string | undefined)[]>;

/**
 * How long git may print nothing: an object file that was replaced by a FIFO would block it for
 * ever.
 */
const silenceMs = 60_000;

/**
 * Git does not verify the hash of an object that it reads, so whoever can write into the object
 * store can replace content. The content is read as bytes and hashed here.
 */
export function createHashObjects(options: GitOptions): HashObjects {
  return (gitDirectory, ids) =>
    ids.length === 0 ? Promise.resolve([]) : hashAll(options, gitDirectory, ids);
}

function hashAll(
  options: GitOptions,
  gitDirectory: string,
  ids: readonly string[],
): Promise<readonly (string | undefined)[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      options.program,
      [...gitArguments(), '--git-dir', gitDirectory, 'cat-file', '--batch', '--buffer'],
      {
        env: gitEnvironment(options, {isRead: true}),
        stdio: ['pipe', 'pipe', 'ignore'],
        cwd: gitDirectory,
      },
    );
    const reader = createBatchReader();
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, silenceMs);
    child.stdout.on('data', (chunk: Buffer) => {
      late.refresh();
      reader.read(chunk);
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(ids.map((id) => `${id}\n`).join(''));
    child.once('error', (error) => {
      clearTimeout(late);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(late);
      if (isLate || code !== 0) {
        const why = isLate
          ? `printed nothing for ${silenceMs / 1000} s`
          : 'could not read one of them';
        reject(
          new Error(
            `expected git to read the objects of ${gitDirectory}, but it ${why}. Look ` +
              'with "git fsck --full", restore what is damaged from a clone, then resume.',
          ),
        );
      } else resolve(ids.map((_, index) => reader.names[index]));
    });
  });
}

type BatchReader = {
  readonly read: (chunk: Buffer) => void;
  readonly names: readonly (string | undefined)[];
};

/**
 * Reads the output of `cat-file --batch`: `<id> <type> <size> LF <bytes> LF` or `<id> missing LF`
 * for each object.
 */
export function createBatchReader(): BatchReader {
  const names: (string | undefined)[] = [];
  let head = Buffer.alloc(0);
  let open: {readonly hash: Hash; left: number} | undefined;
  const read = (chunk: Buffer): void => {
    let rest = chunk;
    while (rest.length > 0) {
      if (open === undefined) {
        const end = rest.indexOf(0x0a);
        head = Buffer.concat([head, end === -1 ? rest : rest.subarray(0, end)]);
        if (end === -1) return;
        rest = rest.subarray(end + 1);
        const found = /^(?<id>[0-9a-f]{40,64}) (?<type>[a-z]+) (?<size>\d+)$/.exec(
          head.toString('latin1'),
        )?.groups;
        head = Buffer.alloc(0);
        if (found === undefined) names.push(undefined);
        else
          open = {
            hash: createHash((found['id'] ?? '').length === 64 ? 'sha256' : 'sha1').update(
              `${found['type'] ?? ''} ${found['size'] ?? ''}\0`,
            ),
            left: Number(found['size']),
          };
        continue;
      }

      const part = rest.subarray(0, open.left);
      open.hash.update(part);
      open.left -= part.length;
      rest = rest.subarray(part.length);
      if (open.left > 0 || rest.length === 0) continue;
      // The line break after the content.
      rest = rest.subarray(1);
      names.push(open.hash.digest('hex'));
      open = undefined;
    }
  };
  return {read, names};
}
