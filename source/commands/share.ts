import type {SharingReport} from '../documents/index.ts';
import {formatJson, sharingLine} from '../documents/index.ts';
import {Impossible} from './here.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {withDaemon} from './with-daemon.ts';

type Options = {readonly detected?: boolean; readonly hardLink?: boolean; readonly json?: boolean};

/** Writes folders into `share` of the project file; without any, shows what there is to share. */
export async function share(
  paths: readonly string[],
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withDaemon(surroundings, async (daemon) => {
    if (paths.length === 0 && options.detected !== true) {
      if (options.hardLink === true)
        throw new Impossible('expected a directory to share by hard links, or --detected');
      const report = (await daemon.ask({about: 'dependencies'})) as SharingReport;
      surroundings.out(options.json === true ? formatJson(report) : listOf(report));
      return 0;
    }

    const answer = (await daemon.ask({
      about: 'share',
      paths,
      ...(options.detected === true ? {detected: true} : {}),
      ...(options.hardLink === true ? {hardLink: true} : {}),
    })) as {readonly added: readonly string[]; readonly already: readonly string[]};
    if (options.json === true) surroundings.out(formatJson(answer));
    else {
      const lines = [
        ...answer.added.map(
          (name) =>
            `${name} is shared: it stands in .orchestra/project.yaml, and reaches worktrees that are there before their next session.`,
        ),
        ...answer.already.map((name) => `${name} was shared already.`),
      ];
      surroundings.out(`${lines.join('\n')}\n`);
    }

    return 0;
  });
}

function listOf({directories, hasSetup}: SharingReport): string {
  if (directories.length === 0) return 'No directory of dependencies was found in your checkout.\n';
  const missing = directories.filter(({isShared}) => !isShared);
  const lines = directories.map(
    (directory) =>
      `${directory.isShared ? 'shared     ' : 'not shared '} ${sharingLine(directory)}`,
  );
  return `${[...lines, ...(missing.length === 0 ? [] : ['', `Share them: orchestra share ${missing.length === 1 ? (missing[0]?.path ?? '') : '--detected'}${hasSetup ? ' (setup may make them as well)' : ''}`])].join('\n')}\n`;
}
