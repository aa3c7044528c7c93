import ts from 'typescript';
import type {SourceTree, Violation} from './module-rules.ts';

/**
 * Exported names that stand for two things all the same, each with the reason. An entry that is no
 * longer needed is a violation.
 */
export const sharedNames: Readonly<Record<string, string>> = {
  Session:
    'the same noun from two sides: the record in the journal, and the terminal in its keeper',
  Connection:
    "the keeper's end of one socket, and the app's link to the daemon; neither is imported by the other's module",
  ConnectionOptions: 'the options of the two connections above',
  Frame: 'the unit of the socket protocol, and the unit of drawing: both are the field’s only word',
  Token:
    'a design token of the theme, and a token of terminal input: both are the field’s only word',
  Throttle: 'the same idea for two streams, each inside its own module',
  toColourUnit: 'the same bits of a cell, from the names of a theme and from the colours of Ink',
};

/**
 * One exported name of a type, class or function means one thing in all of `source/`. Re-exports do
 * not count. Neither do components, which are named after the data that they draw: `<TaskSign>`
 * draws a `TaskSign`. They are compared among themselves.
 */
export function nameViolations(
  tree: SourceTree,
  allowed: Readonly<Record<string, string>> = {},
): Violation[] {
  const places = new Map<string, string[]>();
  for (const [file, text] of tree) {
    for (const name of exportedNames(file, text)) {
      const key = isComponent(file, name) ? `<${name.text}>` : name.text;
      places.set(key, [...(places.get(key) ?? []), file]);
    }
  }

  const shared = [...places].filter(([, files]) => files.length > 1);
  return [
    ...shared
      .filter(([name]) => !Object.hasOwn(allowed, name))
      .map(([name, files]) => ({
        file: files.at(-1) ?? '',
        text: `exports ${name}, which is another thing in ${files.slice(0, -1).join(', ')}`,
      })),
    ...Object.keys(allowed)
      .filter((name) => !shared.some(([other]) => other === name))
      .map((name) => ({
        file: 'test/support/name-rules.ts',
        text: `allows ${name}, which only one file exports`,
      })),
  ];
}

type ExportedName = {readonly text: string; readonly kind: 'type' | 'function'};

function exportedNames(file: string, text: string): ExportedName[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  return source.statements.filter(isExported).flatMap((statement): ExportedName[] => {
    if (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement))
      return [{text: statement.name.text, kind: 'type'}];
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
      return statement.name === undefined ? [] : [{text: statement.name.text, kind: 'function'}];
    return ts.isVariableStatement(statement) ? functionsIn(statement) : [];
  });
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({kind}) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

function functionsIn({declarationList}: ts.VariableStatement): ExportedName[] {
  return declarationList.declarations.flatMap(({name, initializer}) =>
    ts.isIdentifier(name) && initializer !== undefined && ts.isArrowFunction(initializer)
      ? [{text: name.text, kind: 'function' as const}]
      : [],
  );
}

function isComponent(file: string, {text, kind}: ExportedName): boolean {
  return file.endsWith('.tsx') && kind === 'function' && /^[A-Z]/.test(text);
}
