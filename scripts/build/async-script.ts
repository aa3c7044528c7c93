/**
 * A bundled module as a script: one async function that takes `require` and `import.meta`, and
 * gives the export of this name. Only scripts can be loaded with the code that V8 has compiled for
 * them while they ran.
 */
export function toAsyncScript(module: string, name: string): string {
  const [exported, local] = new RegExp(
    `export\\s*\\{\\s*(?:(\\S+) as )?${name}\\s*\\};?\\s*$`,
  ).exec(module) ?? [''];
  if (exported === '') throw new Error(`expected a module that exports ${name} alone, at its end`);
  return `(async function (require, ${metaName}) {${module.slice(0, -exported.length)}return ${local ?? name};})`;
}

/** What `import.meta` has to become in the bundle. */
export const metaName = 'orchestraMeta';
