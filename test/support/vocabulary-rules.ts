import path from 'node:path';
import ts from 'typescript';
import type {SourceTree, Violation} from './module-rules.ts';

/**
 * Words of a private dialect, with the word of the field. None may stand in an identifier or in a
 * file name.
 */
export const retiredWords: Readonly<Record<string, string>> = {
  wish: 'command, options',
  wishes: 'commands, options',
  wishing: 'with commands',
  deed: 'action',
  deeds: 'actions',
  does: 'action',
  doing: 'activity, effects',
  hear: 'on…, handle…',
  hears: 'on…, handle…',
  heard: 'on…, received',
  tell: 'notify, print, send',
  tells: 'notify, print, send',
  telling: 'notification',
  told: 'notified',
  say: 'print, text',
  says: 'text',
  said: 'text, output',
  saying: 'notice',
  spoken: 'text, sent',
  words: 'text, message, label',
  workshop: 'context',
  surroundings: 'context, environment',
  house: 'module, sidebar, state, harness',
  houses: 'harnesses',
  room: 'module, space, capacity',
  rooms: 'modules',
  door: 'entry, socket',
  doors: 'entries, sockets',
  scene: 'fixture, snapshot',
  scenes: 'fixtures',
  tooth: 'directive',
  teeth: 'directives',
  sighting: 'match',
  sightings: 'matches',
  misfit: 'invalid transition',
  misfits: 'invalid transitions',
  happening: 'event',
  ground: 'base',
  homecoming: 'accept',
  furnish: 'provision',
  furnished: 'provisioned',
  most: 'max',
  least: 'min',
  longest: 'max…Length, max…Ms',
  keep: 'save, persist, retain',
  keeps: 'saves',
  kept: 'saved, retained, backup',
  impossible: 'usage error',
  refused: 'rejected, blocked',
  survey: 'inspect',
  looking: 'viewport',
  manners: 'flood throttle',
  tidying: 'idle cleanup',
  insist: 'submit with retry',
  outwait: 'wait for locks',
  guest: 'principal',
  admit: 'authenticate',
  converse: 'handle connection',
  stranger: 'orphan, foreign',
  strangers: 'orphans',
  seam: 'contract',
  plot: 'layout',
  mute: 'handshake timeout',
  hurried: 'burst',
  graced: 'guarded',
  performer: 'effect runner',
  pacer: 'frame scheduler, throttle',
  feeder: 'output scheduler',
  seldom: 'lazy',
};

/**
 * Property names that are public: events, commands, effects, state, `--json` shapes, protocols,
 * files on disk, and other people's interfaces. As properties they stay.
 */
export const publicProperties: ReadonlySet<string> = new Set([
  'words',
  'wish',
  'said',
  'refused',
  'kept',
  'ground',
  'most',
  'least',
  'tooth',
  'doing',
  'does',
  'strangers',
  'stranger',
  'misfits',
  'misfit',
  'survey',
  'house',
  'keep',
  'tell',
  'networkRefused',
  'forgetStrangers',
  'isKept',
  'wishes',
  'keepAlive',
  'keepAliveTimeout',
  'keepAliveInitialDelay',
]);

export function retiredNames(tree: SourceTree): Violation[] {
  return [...tree].flatMap(([file, text]) => [
    ...retiredIn(path.posix.basename(file).replace(/(?:\.test)?\.tsx?$/, '')).map((word) => ({
      file,
      text: `the file name has "${word}"; write ${retiredWords[word] ?? ''}`,
    })),
    ...declaredNames(file, text).flatMap(({name, isProperty}) =>
      isProperty && publicProperties.has(name)
        ? []
        : retiredIn(name).map((word) => ({
            file,
            text: `${name} has "${word}"; write ${retiredWords[word] ?? ''}`,
          })),
    ),
  ]);
}

function retiredIn(name: string): string[] {
  // Environment variables are public.
  if (/^[A-Z][A-Z0-9_]*$/.test(name)) return [];
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_$-]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => Object.hasOwn(retiredWords, word));
}

type DeclaredName = {
  readonly name: string;
  /**
   * A member of an object, or a variable of the same name that is taken out of one.
   */
  readonly isProperty: boolean;
};

function declaredNames(file: string, text: string): DeclaredName[] {
  const found: DeclaredName[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && isDeclaration(node))
      found.push({name: node.text, isProperty: isProperty(node.parent)});
    ts.forEachChild(node, visit);
  };

  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

function isDeclaration(node: ts.Identifier): boolean {
  const {parent} = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isImportSpecifier(parent)) return false;
  return 'name' in parent && parent.name === node;
}

function isProperty(parent: ts.Node): boolean {
  if (ts.isBindingElement(parent)) return parent.propertyName === undefined;
  return (
    ts.isPropertySignature(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isShorthandPropertyAssignment(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isPropertyDeclaration(parent)
  );
}
