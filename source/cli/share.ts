import {formatJson, sharingLine, type SharingReport} from '../reports/index.ts';
import {UsageError} from './repo-paths.ts';
import type {CliContext, ExitCode} from './cli-context.ts';
import {withDaemon} from './with-daemon.ts';

type Options = {readonly detected?: boolean; readonly hardLink?: boolean; readonly json?: boolean};

/** Adds directories to `share` in the project file; without any, lists what can be shared. */
export async function share(
  paths: readonly string[],
  options: Options,
  cli: CliContext,
): Promise<ExitCode> {
  return withDaemon(cli, async (daemon) => {
    if (paths.length === 0 && options.detected !== true) {
      if (options.hardLink === true)
        throw new UsageError('expected a directory to share by hard links, or --detected');
      const report = (await daemon.ask({about: 'dependencies'})) as SharingReport;
      cli.out(options.json === true ? formatJson(report) : formatSharing(report));
      return 0;
    }

    const answer = (await daemon.ask({
      about: 'share',
      paths,
      ...(options.detected === true ? {detected: true} : {}),
      ...(options.hardLink === true ? {hardLink: true} : {}),
    })) as {readonly added: readonly string[]; readonly already: readonly string[]};
    if (options.json === true) cli.out(formatJson(answer));
    else {
      const lines = [
        ...answer.added.map(
          (name) =>
            `${name} is shared. It is listed in .orchestra/project.yaml, and existing ` +
            'worktrees get it before their next session.',
        ),
        ...answer.already.map((name) => `${name} is already shared.`),
      ];
      cli.out(`${lines.join('\n')}\n`);
    }

    return 0;
  });
}

function formatSharing({directories, hasSetup}: SharingReport): string {
  if (directories.length === 0) return 'No directory of dependencies was found in your checkout.\n';
  const missing = directories.filter(({isShared}) => !isShared);
  const lines = directories.map(
    (directory) =>
      `${directory.isShared ? 'shared     ' : 'not shared '} ${sharingLine(directory)}`,
  );
  return `${[...lines, ...(missing.length === 0 ? [] : ['', `Share them: orchestra share ${missing.length === 1 ? (missing[0]?.path ?? '') : '--detected'}${hasSetup ? ' (your setup command may create them as well)' : ''}`])].join('\n')}\n`;
}
