import {toSha256} from '../../shared/index.ts';
import {runOnObjects, splitByNul} from '../client/plumbing.ts';
import type {Workspace} from '../open-workspace.ts';

/**
 * Manifests and lock files of common package and version managers, which a setup command reads
 * without naming them.
 */
const manifests: ReadonlySet<string> = new Set(
  (
    'package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml ' +
    'pnpm-workspace.yaml bun.lock bun.lockb .npmrc .yarnrc .yarnrc.yml deno.json ' +
    'deno.lock lerna.json ' +
    'pyproject.toml setup.py setup.cfg poetry.lock pdm.lock uv.lock Pipfile Pipfile.lock ' +
    'environment.yml conda-lock.yml tox.ini ' +
    'Cargo.toml Cargo.lock rust-toolchain rust-toolchain.toml go.mod go.sum go.work go.work.sum ' +
    'Gemfile Gemfile.lock composer.json composer.lock mix.exs mix.lock pubspec.yaml ' +
    'pubspec.lock Package.swift Package.resolved ' +
    'pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts ' +
    'gradle.properties gradle.lockfile libs.versions.toml ' +
    'packages.lock.json Directory.Packages.props global.json conanfile.txt conanfile.py ' +
    'vcpkg.json flake.nix flake.lock ' +
    '.tool-versions mise.toml .mise.toml .nvmrc .node-version .python-version ' +
    '.ruby-version .java-version .envrc Makefile GNUmakefile makefile justfile Justfile ' +
    'Taskfile.yml Dockerfile'
  ).split(' '),
);

const manifestPatterns: readonly RegExp[] = [
  /^(?:dev-|test-)?requirements[\w.-]*\.(?:txt|in)$/,
  /^constraints[\w.-]*\.txt$/,
  /\.(?:gemspec|cabal|csproj|fsproj)$/,
];

export type SetupFiles = {
  /** A commit or a tree. */
  readonly tree: string;
  /** The setup command. Files and folders that it names count as well. */
  readonly command: string;
};

/**
 * Fingerprint of the files in a tree that a setup command reads. When it changes, the command has
 * to run again.
 */
export async function fingerprintSetupFiles(
  workspace: Workspace,
  {tree, command}: SetupFiles,
): Promise<string> {
  const isRead = createSetupFileFilter(command);
  const entries = splitByNul(
    await runOnObjects(workspace, ['ls-tree', '-r', '-z', '--full-tree', tree], {isRead: true}),
  );
  return toSha256(
    entries.filter((entry) => isRead(entry.slice(entry.indexOf('\t') + 1))).join('\0'),
  );
}

/** Makes a filter for the paths that a setup command reads. */
export function createSetupFileFilter(command: string): (file: string) => boolean {
  const named = parseNamedPaths(command);
  return (file) => {
    const base = file.slice(file.lastIndexOf('/') + 1);
    return (
      manifests.has(base) ||
      manifestPatterns.some((pattern) => pattern.test(base)) ||
      named.some(
        (name) => file === name || file.endsWith(`/${name}`) || file.startsWith(`${name}/`),
      )
    );
  };
}

/** Arguments that can be paths: `sh scripts/setup.sh --fast` names `scripts/setup.sh`. */
function parseNamedPaths(command: string): readonly string[] {
  const candidates = command
    .split(/[\s;&|()<>"'`=,]+/)
    .filter((word) => /[./]/.test(word) && !/^(?:-|\/|\.{1,2}\/*$|\.\.\/)/.test(word));
  return [
    ...new Set(candidates.map((word) => word.replace(/^(?:\.\/)+/, '').replace(/\/+$/, ''))),
  ].filter((word) => word !== '');
}
