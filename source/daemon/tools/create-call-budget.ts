import type {SessionId} from '../../domain/index.ts';

/** What one session may ask for: a model that calls in a loop must not keep the daemon from everybody else. */
export type CallBudget = {
  /** Ends the call; or the sentence that refuses it. */
  readonly enter: (session: SessionId) => (() => void) | string;
};

/** Each call is a line of the journal: what an agent that waits for an answer could do for days has an end, too. */
const limits = {atOnce: 6, perMinute: 120, inAll: 10_000};
const minute = 60_000;

export function createCallBudget(now: () => number): CallBudget {
  const calls = new Map<SessionId, {atOnce: number; inAll: number; times: number[]}>();
  return {
    enter: (session) => {
      const own = calls.get(session) ?? {atOnce: 0, inAll: 0, times: []};
      calls.set(session, own);
      const at = now();
      own.times = own.times.filter((time) => at - time < minute);
      if (own.atOnce >= limits.atOnce)
        return `${limits.atOnce} calls of yours are under way; wait for one of them`;
      if (own.times.length >= limits.perMinute)
        return `that were ${limits.perMinute} calls within a minute; wait a little`;
      if (own.inAll >= limits.inAll)
        return `that were ${limits.inAll} calls, which is all that one session may make; go on without them, and end your work`;
      own.inAll += 1;
      own.times.push(at);
      own.atOnce += 1;
      return () => {
        own.atOnce -= 1;
      };
    },
  };
}
