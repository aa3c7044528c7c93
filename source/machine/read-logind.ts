/** What systemd's login manager does to a user's programs at logout; absent where it did not say. */
export type Logind = {
  readonly killsProcesses?: boolean;
  readonly lingers?: boolean;
};

/** Without a user it is the manager itself that is shown. */
export const logindQuestion: readonly string[] = ['show-user', '--property=KillUserProcesses'];

export function userQuestion(uid: number): readonly string[] {
  return ['show-user', String(uid), '--property=Linger'];
}

/** The two answers one after the other, as `loginctl` prints them: `Name=yes`. */
export function readLogind(answers: string): Logind {
  const values = new Map(
    Array.from(answers.matchAll(/^(?<name>\w+)=(?<value>yes|no)$/gm), ({groups}) => [
      groups?.['name'],
      groups?.['value'] === 'yes',
    ]),
  );
  const killsProcesses = values.get('KillUserProcesses');
  const lingers = values.get('Linger');
  return {
    ...(killsProcesses === undefined ? {} : {killsProcesses}),
    ...(lingers === undefined ? {} : {lingers}),
  };
}
