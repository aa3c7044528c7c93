import type {Agent} from './agent.ts';
import {versionOnALine} from './version-on-a-line.ts';

/** Its update check is off only by a line in its own config.toml. */
export const codex: Agent = {
  name: 'codex',
  program: {
    command: 'codex',
    npmPackage: '@openai/codex',
    versionArguments: ['--version'],
    readVersion: versionOnALine('codex-cli '),
    quiet: {},
    // Headless, and on its own screen.
    lost: /^Error: thread\/resume: .*no rollout found for thread id \S+|^ERROR: No saved session found with ID \S+/,
  },
};
