/** What one thing may do without a pause, and how fast it may go on afterwards. */
export type Allowance = {
  readonly isLeft: (name: string) => boolean;
  readonly take: (name: string) => void;
};

export function createAllowance(
  {atOnce, perMinute}: {readonly atOnce: number; readonly perMinute: number},
  now: () => number,
): Allowance {
  const taken = new Map<string, {readonly amount: number; readonly at: number}>();
  const amountOf = (name: string): number => {
    const last = taken.get(name);
    return last === undefined
      ? 0
      : Math.max(0, last.amount - (Math.max(0, now() - last.at) / 60_000) * perMinute);
  };

  return {
    isLeft: (name) => amountOf(name) + 1 <= atOnce,
    take: (name) => {
      const amount = amountOf(name) + 1;
      // Nobody asks for what ended long ago; what has all its allowance again needs no place.
      for (const other of taken.keys()) if (amountOf(other) === 0) taken.delete(other);
      taken.set(name, {amount, at: now()});
    },
  };
}
