import type {Agent} from './agent.ts';
import {versionOnALine} from './version-on-a-line.ts';

export const opencode: Agent = {
  name: 'opencode',
  program: {
    command: 'opencode',
    npmPackage: 'opencode-ai',
    versionArguments: ['--version'],
    readVersion: versionOnALine(),
    quiet: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    },
    // On its own screen it says which.
    lost: /^Error: Session not found(?:: \S+)?$/,
  },
};
