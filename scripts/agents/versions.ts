/**
 * What was driven, and what docs/agents.md speaks of. A newer one is tried by changing it here and
 * running `npm run test:agents`.
 */
export const versions: readonly AgentVersion[] = [
  {name: 'claude', npmPackage: '@anthropic-ai/claude-code', version: '2.1.325', scripts: true},
  {name: 'codex', npmPackage: '@openai/codex', version: '0.166.0', scripts: false},
  {name: 'gemini', npmPackage: '@google/gemini-cli', version: '0.61.0', scripts: false},
  {name: 'opencode', npmPackage: 'opencode-ai', version: '1.18.33', scripts: true},
  {name: 'pi', npmPackage: '@mariozechner/pi-coding-agent', version: '0.73.1', scripts: false},
];

export type AgentVersion = {
  readonly name: string;
  readonly npmPackage: string;
  readonly version: string;
  /** Its program is put in place by its own install script. */
  readonly scripts: boolean;
};
