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
  },
};
