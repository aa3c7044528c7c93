import type {Agent} from './agent.ts';
import {versionOnALine} from './version-on-a-line.ts';

export const claude: Agent = {
  name: 'claude',
  program: {
    command: 'claude',
    npmPackage: '@anthropic-ai/claude-code',
    versionArguments: ['--version'],
    readVersion: versionOnALine('', ' (Claude Code)'),
    quiet: {DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1'},
    lost: /^No conversation found with session ID: \S+$/,
  },
};
