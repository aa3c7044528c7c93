import {usualPorts, type Project} from '../../domain/index.ts';

/** Where tasks run: in a sandbox where the machine has one, unless the project says otherwise. */
export function sandboxOf({sandbox}: Pick<Project, 'sandbox'>): NonNullable<Project['sandbox']> {
  return sandbox ?? 'auto';
}

/** What the names of our branches begin with. */
export function branchPrefixOf({branch}: Pick<Project, 'branch'>): string {
  return branch ?? 'orchestra';
}

export function portRangeOf({ports}: Pick<Project, 'ports'>): NonNullable<Project['ports']> {
  return ports ?? usualPorts;
}
