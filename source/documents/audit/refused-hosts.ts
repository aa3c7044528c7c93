import {sanitizeText} from '../../base/index.ts';
import type {Event} from '../../domain/index.ts';
import {describeNetworkRefusal} from '../events/describe-reason.ts';
import {columns} from '../sessions/columns.ts';

type Refused = Extract<Event, {readonly type: 'network-refused'}>;

/** A host that an agent in a restricted network asked for and did not get. `times`: as often as was counted when it was written down last. */
export type RefusedHost = Pick<Refused, 'session' | 'host' | 'port' | 'why' | 'times'> & {
  readonly about: string;
};

/** Each host and port of each session once. */
export function refusedHostsOf(
  events: readonly Event[],
  aboutOf: (session: string) => string | undefined,
): RefusedHost[] {
  const found = new Map<string, RefusedHost>();
  for (const event of events) {
    const about = event.type === 'network-refused' ? aboutOf(event.session) : undefined;
    if (event.type !== 'network-refused' || about === undefined) continue;
    const {session, host, port, why, times} = event;
    const key = [session, host, port, why].join(' ');
    found.set(key, {
      session,
      about,
      host,
      port,
      why,
      times: Math.max(times, found.get(key)?.times ?? 0),
    });
  }

  return [...found.values()];
}

/** What to add to `network:` in the project file, if it was meant to be reached. Hosts are what agents wrote. */
export function formatRefusedHosts(
  hosts: readonly RefusedHost[],
  width: number | undefined,
): string {
  if (hosts.length === 0) return '';
  const rows = hosts.map(({session, about, times, ...refusal}) => [
    session,
    about,
    String(times),
    sanitizeText(describeNetworkRefusal(refusal)),
  ]);
  return `\n${columns([['SESSION', 'FOR', 'TIMES', 'REFUSED BY THE NETWORK RULES'], ...rows], width)}`;
}
