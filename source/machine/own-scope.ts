import type {Logind} from './read-logind.ts';

/**
 * What to put before a command so that logging out does not end it: a scope of systemd's own user manager. Only where that
 * manager outlives the login (lingering is on): without it the manager ends some seconds after the last logout and takes its
 * scopes along, while a plain process would have lived on (tmux #428).
 */
export function ownScope({
  systemdRun,
  lingers,
}: Pick<Logind, 'lingers'> & {readonly systemdRun: string | undefined}): readonly string[] {
  return systemdRun !== undefined && lingers === true
    ? [systemdRun, '--user', '--scope', '--quiet', '--collect', '--']
    : [];
}
