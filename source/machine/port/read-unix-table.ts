import {printable} from '../printable.ts';

export type UnixListener = {
  /** Safe to print. `@` begins an abstract name. */
  readonly path: string;
  readonly inode: number;
};

/** `__SO_ACCEPTCON` of a stream or a packet socket that has a name. */
const row =
  /^[\da-f]+: [\dA-F]{8} [\dA-F]{8} 00010000 000[15] [\dA-F]{2} +(?<inode>\d+) (?<path>.+)$/;

/**
 * The listening sockets in `/proc/net/unix`. A path may hold a newline, and what follows it may look like a line of
 * the kernel's: a path is the word of whoever made the socket. Who holds the socket is not.
 */
export function readUnixTable(text: string): UnixListener[] {
  return text.split('\n').flatMap((line) => {
    const {inode, path} = row.exec(line)?.groups ?? {};
    return inode === undefined || path === undefined
      ? []
      : [{path: printable(path), inode: Number(inode)}];
  });
}
