import {addressOf} from './address-of.ts';

/** One line of `/proc/net/tcp` or `tcp6`. */
export type SocketRow = {
  readonly address: string;
  readonly port: number;
  readonly remotePort: number;
  /** As include/net/tcp_states.h counts. */
  readonly state: number;
  readonly uid: number;
  /** 0 while no process has it: a connection that waits to be accepted, or that is being closed. */
  readonly inode: number;
};

export const listening = 10;

const row =
  /^ *\d+: (?<address>[\dA-F]{8}|[\dA-F]{32}):(?<port>[\dA-F]{4}) [\dA-F]+:(?<remotePort>[\dA-F]{4}) (?<state>[\dA-F]{2}) \S+ \S+ \S+ +(?<uid>\d+) +\d+ (?<inode>\d+)/;

/** A busy machine has thousands of rows: only those that are wanted are read to the end. */
export function readSocketTable(
  text: string,
  isWanted: (row: Omit<SocketRow, 'address'>) => boolean,
): SocketRow[] {
  return text.split('\n').flatMap((line) => {
    const {address, port, remotePort, state, uid, inode} = row.exec(line)?.groups ?? {};
    if (address === undefined) return [];
    const hex = (digits: string | undefined): number => Number.parseInt(digits ?? '', 16);
    const found = {
      port: hex(port),
      remotePort: hex(remotePort),
      state: hex(state),
      uid: Number(uid),
      inode: Number(inode),
    };
    return isWanted(found) ? [{...found, address: addressOf(address)}] : [];
  });
}
