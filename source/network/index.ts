/**
 * The network of a sandbox that may reach only listed hosts: the allow-list, the proxy that applies
 * it, the supervisor that runs the proxy beside a session, the bridge that passes sockets out of
 * the sandbox, and the record of refusals.
 *
 * Not here: which session may reach what; bubblewrap's options (`sandbox`); the journal.
 */
export {isAddressAllowed, isPublicAddress, permissionFor} from './allow-list.ts';
export {createProxy, type Proxy, type ProxyOptions} from './create-proxy.ts';
export {parseAbsoluteUrl, parseAuthority} from './open-target.ts';
export {
  createRefusals,
  formatHost,
  formatRefusal,
  maxRefusals,
  parseRefusals,
  type BlockedRequest,
} from './refusals.ts';
export {parseSocksGreeting, parseSocksRequest, socksReply} from './socks.ts';
export {
  bridged,
  filtered,
  inheritedFiles,
  proxyVariables,
  selectLoopbackPorts,
  supervised,
  type SupervisorOrders,
  unbridged,
  unsupervised,
} from './supervised.ts';
