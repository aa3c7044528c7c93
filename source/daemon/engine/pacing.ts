import type {SessionId} from '../../domain/index.ts';

/**
 * Limits the tool calls of each session: a model that calls in a loop must not starve everybody
 * else.
 */
export type CallBudget = {
  /** Returns the function that ends the call, or the sentence that rejects it. */
  readonly enter: (session: SessionId) => (() => void) | string;
};

/**
 * Each call is a line of the journal, so the total is limited, too: an agent could poll for days.
 */
const callLimits = {atOnce: 6, perMinute: 120, inAll: 10_000};
const minute = 60_000;

export function createCallBudget(now: () => number): CallBudget {
  const calls = new Map<SessionId, {atOnce: number; inAll: number; times: number[]}>();
  return {
    enter: (session) => {
      const own = calls.get(session) ?? {atOnce: 0, inAll: 0, times: []};
      calls.set(session, own);
      const at = now();
      own.times = own.times.filter((time) => at - time < minute);
      if (own.atOnce >= callLimits.atOnce)
        return `you already have ${callLimits.atOnce} calls in progress; wait for one of them`;
      if (own.times.length >= callLimits.perMinute)
        return `you made ${callLimits.perMinute} calls within a minute, which is the limit; wait a little`;
      if (own.inAll >= callLimits.inAll)
        return (
          `you made ${callLimits.inAll} calls, which is the limit for a session; continue ` +
          'without them and finish your work'
        );
      own.inAll += 1;
      own.times.push(at);
      own.atOnce += 1;
      return () => {
        own.atOnce -= 1;
      };
    },
  };
}

/** Resolves after so many milliseconds, or when the signal is aborted. */
export function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };

    const timer = setTimeout(finish, milliseconds);
    signal.addEventListener('abort', finish);
    if (signal.aborted) finish();
  });
}

/** A leaky bucket for each name: `atOnce` without a pause, then `perMinute`. */
export type Allowance = {
  readonly isLeft: (name: string) => boolean;
  readonly take: (name: string) => void;
};

export function createAllowance(
  {atOnce, perMinute}: {readonly atOnce: number; readonly perMinute: number},
  now: () => number,
): Allowance {
  const taken = new Map<string, {readonly amount: number; readonly at: number}>();
  const getAmount = (name: string): number => {
    const last = taken.get(name);
    return last === undefined
      ? 0
      : Math.max(0, last.amount - (Math.max(0, now() - last.at) / 60_000) * perMinute);
  };

  return {
    isLeft: (name) => getAmount(name) + 1 <= atOnce,
    take: (name) => {
      const amount = getAmount(name) + 1;
      // An empty bucket needs no entry.
      for (const other of taken.keys()) if (getAmount(other) === 0) taken.delete(other);
      taken.set(name, {amount, at: now()});
    },
  };
}
