import type {Agent} from './agent.ts';
import {versionOnALine} from './version-on-a-line.ts';

/** Its updates are off only by its own settings.json. */
export const gemini: Agent = {
  name: 'gemini',
  program: {
    command: 'gemini',
    npmPackage: '@google/gemini-cli',
    versionArguments: ['--version'],
    readVersion: versionOnALine(),
    quiet: {},
    // The second is the last of three lines whose first is `Error resuming session: Invalid session identifier …`.
    lost: /^Error resuming session: (?:No previous sessions found|Invalid session identifier)|^Use --list-sessions to see available sessions, then use --resume/,
  },
};
