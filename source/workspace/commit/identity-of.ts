import type {GitIdentity} from '../git/create-git.ts';
import type {Workspace} from '../open-workspace.ts';
import {aside} from '../change/aside.ts';

/** The person, as their git knows them: it is their commit. */
export async function identityOf(workspace: Workspace, at: number): Promise<GitIdentity> {
  const [name, email] = await Promise.all([
    configOf(workspace, 'user.name'),
    configOf(workspace, 'user.email'),
  ]);
  return {name: name ?? 'orchestra', email: email ?? 'orchestra@localhost', at};
}

async function configOf(workspace: Workspace, name: string): Promise<string | undefined> {
  const value = await aside(workspace, ['config', '--get', name], {isRead: true}).catch(() => '');
  const clean = value.replaceAll(/[\u0000-\u001F<>]/g, ' ').trim();
  return clean === '' ? undefined : clean;
}
