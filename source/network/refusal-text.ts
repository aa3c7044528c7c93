import {parseHost, sanitizeText} from '../base/index.ts';
import type {RefusalReason} from './allow-list.ts';
import type {Target} from './parse-target.ts';

const reasons: Readonly<Record<RefusalReason, string>> = {
  'not-listed': 'it is not among the hosts in sandbox.network of .orchestra/project.yaml',
  'port-not-listed':
    'the host is in sandbox.network of .orchestra/project.yaml, but not with this port',
  'private-address':
    'the name leads to this machine or into a private network; list that address itself in sandbox.network of .orchestra/project.yaml if it is meant',
  'not-a-host': 'it is neither the name of a host nor an address',
  'too-many': 'too much was refused to tell each',
};

/** What a program asked for, safe to print and to keep: it chose every byte of it. */
export function shownHost(host: string): string {
  return (
    parseHost(host)?.text ?? sanitizeText(host.replaceAll(/[\s\u0080-\uFFFF]/g, '?')).slice(0, 253)
  );
}

export function refusalText({host, port}: Target, why: RefusalReason): string {
  return `orchestra: the network refused ${shownHost(host)}:${port}: ${reasons[why]}.`;
}
