import {type Loopback, openConnection} from './open-connection.ts';

export type TcpProbe =
  /** By the kernel, on behalf of whoever listens; whether that process takes it is another question (`explainPort`). */
  | {readonly at: 'connected'}
  | {readonly at: 'refused'; readonly code: string}
  | {readonly at: 'timed-out'};

export type TcpTarget = {
  readonly host: Loopback;
  readonly port: number;
  readonly timeoutMs: number;
};

/** Whether a connection to the port is made. */
export async function probeTcp({host, port, timeoutMs}: TcpTarget): Promise<TcpProbe> {
  const opened = await openConnection(host, port, AbortSignal.timeout(timeoutMs));
  if (opened.at !== 'connected') return opened;
  opened.socket.destroy();
  return {at: 'connected'};
}
