/**
 * The network of a sandbox that may reach listed hosts only: which host is listed, the proxy that asks this, the supervisor
 * that runs it beside a session, the bridge that hands it the sockets from inside, and what was refused.
 *
 * Not here: which session may reach what; bubblewrap's options (`sandbox`); the journal.
 */
export {isAddressAllowed, permissionFor} from './allow-list.ts';
export type {RefusalReason} from './allow-list.ts';
export {createProxy} from './create-proxy.ts';
export type {Proxy, ProxyOptions} from './create-proxy.ts';
export {createRefusals} from './create-refusals.ts';
export {isPublicAddress} from './is-public-address.ts';
export {parseSocksGreeting, parseSocksRequest, socksReply} from './parse-socks.ts';
export {parseAbsoluteUrl, parseAuthority} from './parse-target.ts';
export {refusalText, shownHost} from './refusal-text.ts';
export {maxRefusals, parseRefusals} from './refusal.ts';
export type {Refusal} from './refusal.ts';
export {
  bridged,
  filtered,
  inheritedFiles,
  portsOf,
  proxyVariables,
  supervised,
  unbridged,
  unsupervised,
} from './supervised.ts';
export type {SupervisorOrders} from './supervised.ts';
