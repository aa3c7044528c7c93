/**
 * The MCP servers that agents call: our own, whose answers come from the daemon, and a proxy for
 * other servers that shortens their answers.
 *
 * Not here: decisions. The daemon decides who may do what.
 */
export {
  callTool,
  parseGrant,
  type ServerAddress,
  type ToolCallOptions,
  type ToolsGrant,
} from './call-tool.ts';
export {connectServer, type ExternalServer, serveExternal} from './external-server.ts';
export {instructionsFor, type ListedTool, listedTools, serveTools} from './serve-tools.ts';
