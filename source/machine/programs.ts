import type {Program} from './inspect-program.ts';

/** Apple adds `(Apple Git-154)`, Windows a fourth number. */
export const git: Program = {
  command: 'git',
  versionArguments: ['--version'],
  readVersion: (output) => /^git version (?<version>\d\S*)/m.exec(output)?.groups?.['version'],
};

export const gh: Program = {
  command: 'gh',
  versionArguments: ['--version'],
  readVersion: (output) => /^gh version (?<version>\d\S*)/m.exec(output)?.groups?.['version'],
  quiet: {GH_NO_UPDATE_NOTIFIER: '1'},
};
