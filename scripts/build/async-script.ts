/**
 * A bundled module as a script: one async function that takes `require`, `import.meta` and a
 * function that imports a file beside it, and gives the export of this name. Only scripts can be
 * loaded with the code that V8 has compiled for them while they ran; and a script that imports by
 * itself makes Node print a warning.
 */
export function toAsyncScript(module: string, name: string): string {
  const [exported, local] = new RegExp(
    `export\\s*\\{\\s*(?:(\\S+) as )?${name}\\s*\\};?\\s*$`,
  ).exec(module) ?? [''];
  if (exported === '') throw new Error(`expected a module that exports ${name} alone, at its end`);
  const body = module
    .slice(0, -exported.length)
    .replaceAll(/\bimport\((?="\.\/[\w-]+\.js"\))/g, `${importName}(`);
  return `(async function (require, ${metaName}, ${importName}) {${body}return ${local ?? name};})`;
}

const importName = 'orchestraImport';

/** What `import.meta` has to become in the bundle. */
export const metaName = 'orchestraMeta';
