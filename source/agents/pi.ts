import type {Agent} from './agent.ts';
import {versionOnALine} from './version-on-a-line.ts';

export const pi: Agent = {
  name: 'pi',
  program: {
    command: 'pi',
    npmPackage: '@mariozechner/pi-coding-agent',
    versionArguments: ['--version'],
    readVersion: versionOnALine(),
    quiet: {PI_OFFLINE: '1', PI_TELEMETRY: '0'},
    lost: /^No session found matching '[^']*'$/,
  },
};
