/** The variables of a process, handed in: only `cli.ts` reads the real ones. */
export type Environment = Readonly<Record<string, string | undefined>>;
