/** A TCP socket that listens. */
export type Listener = {
  readonly address: string;
  readonly port: number;
  readonly uid: number;
  /** By which its holders are found on Linux. */
  readonly inode?: number;
  /** Its holder's pid, where the system tells at once (macOS). */
  readonly holder?: number;
};
