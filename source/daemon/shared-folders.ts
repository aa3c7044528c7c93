import {lstatSync, realpathSync} from 'node:fs';
import path from 'node:path';
import {addSharedFolders, type SharingReport} from '../documents/index.ts';
import type {SharedFolder} from '../domain/index.ts';
import {makeDirectories, readRegularFile, tryReadText, writeWhole} from '../files/index.ts';
import {
  detectDependencies,
  measureSharing,
  obstacleTo,
  pathOfShare,
  sourcePrint,
  type ShareCost,
} from '../workspace/index.ts';
import type {Workshop} from './workshop.ts';

const maxProjectBytes = 256 * 1024;

/** Dependencies of the checkout, whether tasks get them, and what sharing them would cost. */
export async function dependenciesOf(workshop: Workshop): Promise<SharingReport> {
  const shared = new Set((workshop.state().project.share ?? []).map(pathOfShare));
  const found = await detectDependencies(workshop.workspace());
  const directories = [];
  for (const {path: name, tool} of found)
    directories.push({
      path: name,
      tool,
      isShared: shared.has(name),
      ...(await costOf(workshop, name)),
    });
  return {directories, hasSetup: workshop.state().project.setup !== undefined};
}

/** Counting 100,000 files takes a second: it is done once for each state of the directory. */
async function costOf(workshop: Workshop, name: string): Promise<ShareCost> {
  const workspace = workshop.workspace();
  const file = path.join(
    workspace.private,
    'share-costs',
    `${Buffer.from(name).toString('hex').slice(0, 200)}.json`,
  );
  const print = sourcePrint(path.join(workspace.root, name));
  const kept = readKept(file);
  if (kept?.print === print) return kept.cost;
  const cost = await measureSharing(workspace, name);
  makeDirectories(path.dirname(file), {below: workspace.private});
  writeWhole(file, JSON.stringify({print, cost}), {below: workspace.private});
  return cost;
}

function readKept(file: string): {readonly print: string; readonly cost: ShareCost} | undefined {
  try {
    return JSON.parse(tryReadText(file, {maxBytes: 64 * 1024}) ?? '') as {
      readonly print: string;
      readonly cost: ShareCost;
    };
  } catch {
    return undefined;
  }
}

/** Directories of dependencies that the checkout has and this worktree has not. */
export async function absentIn(workshop: Workshop, place: string): Promise<readonly string[]> {
  const found = await detectDependencies(workshop.workspace());
  return found
    .map(({path: name}) => name)
    .filter((name) => lstatSync(path.join(place, name), {throwIfNoEntry: false}) === undefined);
}

export type SharedAnswer = {
  readonly added: readonly string[];
  readonly already: readonly string[];
  readonly file: string;
};

/** Writes into the project file, at a person's word, that these folders are shared. What cannot be shared is refused before anything is written. */
export async function shareFolders(
  workshop: Workshop,
  {
    paths,
    isDetected,
    byHardLink,
  }: {
    readonly paths: readonly string[];
    readonly isDetected: boolean;
    readonly byHardLink: boolean;
  },
): Promise<SharedAnswer> {
  const {root} = workshop;
  const workspace = workshop.workspace();
  const detected = isDetected
    ? (await detectDependencies(workspace)).map(({path: name}) => name)
    : [];
  const names = [
    ...new Set([...paths.map((name) => path.normalize(name).replace(/\/+$/, '')), ...detected]),
  ];
  if (names.length === 0)
    throw new Error(
      isDetected
        ? 'no directory of dependencies was found in your checkout, so there is nothing to share. Install them first, or name a directory: orchestra share DIR'
        : 'expected a directory to share, or --detected',
    );
  const shared = new Set((workshop.state().project.share ?? []).map(pathOfShare));
  for (const name of names) {
    const obstacle = shared.has(name) ? undefined : await obstacleTo(workspace, name);
    if (obstacle !== undefined)
      throw new Error(`${name} cannot be shared: ${obstacle.why}. Nothing was changed.`);
  }

  const added = names.filter((name) => !shared.has(name));
  const file = path.join(root, '.orchestra', 'project.yaml');
  if (added.length > 0)
    changeProjectFile(
      root,
      file,
      added.map((name): SharedFolder => (byHardLink ? {path: name, by: 'hard-link'} : name)),
    );
  return {added, already: names.filter((name) => shared.has(name)), file};
}

function changeProjectFile(root: string, file: string, folders: readonly SharedFolder[]): void {
  const reading = readRegularFile(file, {maxBytes: maxProjectBytes, below: root, links: 'inside'});
  if (reading.at === 'refused' && reading.why !== 'missing')
    throw new Error(`.orchestra/project.yaml ${reading.message}. Nothing was changed.`);
  const changed = addSharedFolders(
    reading.at === 'read' ? Buffer.from(reading.bytes).toString('utf8') : '',
    folders,
  );
  if ('refused' in changed)
    throw new Error(`.orchestra/project.yaml was not changed: ${changed.refused}`);
  // A link of the person's own stays a link.
  const real = reading.at === 'read' ? realpathSync(file) : file;
  makeDirectories(path.dirname(real), {below: root});
  writeWhole(real, changed.text, {below: realpathSync(root)});
}
