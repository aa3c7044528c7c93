import net from 'node:net';

export type PortBlock = {readonly first: number; readonly last: number};

/** The ports of the n-th worktree, counted from 0. Blocks are contiguous. */
export function allocatePortBlock(
  number: number,
  {from, perTask}: {readonly from: number; readonly perTask: number},
): PortBlock {
  const first = from + number * perTask;
  const last = first + perTask - 1;
  if (!Number.isInteger(number) || number < 0 || perTask < 1 || first < 1 || last > 65_535)
    throw new Error(
      `Expected a block of ${perTask} ports below 65536 for worktree ${number}, counted ` +
        `from ${from}, but it would be ${first} to ${last}. Start lower, or give each task ` +
        'fewer ports.',
    );
  return {first, last};
}

/** Environment variables that tell a session its ports. */
export function portVariables({
  first,
  last,
}: PortBlock): Readonly<Record<'PORT' | 'ORCHESTRA_PORT_FIRST' | 'ORCHESTRA_PORT_LAST', string>> {
  return {
    PORT: String(first),
    ORCHESTRA_PORT_FIRST: String(first),
    ORCHESTRA_PORT_LAST: String(last),
  };
}

/** The first block that is not taken and in which no port is in use. */
export async function freePortBlock(options: {
  readonly from: number;
  readonly perTask: number;
  readonly taken: readonly PortBlock[];
}): Promise<PortBlock> {
  for (let number = 0; ; number++) {
    const block = allocatePortBlock(number, options);
    if (
      !options.taken.some(({first, last}) => first <= block.last && block.first <= last) &&
      (await isPortBlockFree(block))
    )
      return block;
  }
}

/** Whether every port can be bound, on loopback and on all addresses. */
export async function isPortBlockFree({first, last}: PortBlock): Promise<boolean> {
  for (let port = first; port <= last; port++) {
    for (const host of ['127.0.0.1', '0.0.0.0', '::'])
      if (!(await canListen(port, host))) return false;
  }

  return true;
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    // Without IPv6 nothing can listen there either.
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'EAFNOSUPPORT' || error.code === 'EADDRNOTAVAIL');
    });
    server.listen({port, host, exclusive: true, ipv6Only: host === '::'}, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
