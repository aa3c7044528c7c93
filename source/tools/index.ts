/**
 * The server of tools (MCP) that agents call: ours, whose every answer comes from the daemon, and the one that stands between an
 * agent and somebody else's server and keeps answers short.
 *
 * Not here: decisions. Who may do what, and what is true, is the daemon's to say.
 */
export {callTool} from './call-tool.ts';
export type {ToolAnswer, ToolCall} from './call-tool.ts';
export {connectServer} from './connect-server.ts';
export type {ExternalServer} from './connect-server.ts';
export {readGrant} from './read-grant.ts';
export type {ServerAddress, ToolsGrant} from './read-grant.ts';
export {serveExternal} from './serve-external.ts';
export {instructionsFor, serveTools} from './serve-tools.ts';
export {listedTools} from './tool-table.ts';
export type {ListedTool} from './tool-table.ts';
