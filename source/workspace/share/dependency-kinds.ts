/** How a directory of dependencies is known: by what its tool puts into it or keeps beside it, never by its name alone. */
export type DependencyKind = {
  /** For people: what made it. */
  readonly tool: string;
  /** Names that it may have; none means any. */
  readonly names?: readonly string[];
  /** One of these is in it. `*` stands for one name: the first few are looked at. */
  readonly inside?: readonly string[];
  /** And one of these is beside it. */
  readonly beside?: readonly string[];
};

export const dependencyKinds: readonly DependencyKind[] = [
  {
    tool: 'Node packages',
    names: ['node_modules'],
    inside: [
      '.package-lock.json',
      '.modules.yaml',
      '.yarn-integrity',
      '.yarn-state.yml',
      '*/package.json',
      '*/*/package.json',
    ],
  },
  {tool: 'Bower packages', names: ['bower_components'], inside: ['*/.bower.json']},
  {tool: 'a Python virtualenv', inside: ['pyvenv.cfg']},
  {tool: 'tox environments', names: ['.tox'], inside: ['*/pyvenv.cfg', '.pkg']},
  {tool: 'nox environments', names: ['.nox'], inside: ['*/pyvenv.cfg']},
  {tool: 'Python packages', names: ['__pypackages__'], inside: ['*/lib']},
  {tool: 'a Conda environment', inside: ['conda-meta/history']},
  {
    tool: "Cargo's build directory",
    names: ['target'],
    inside: ['CACHEDIR.TAG', '.rustc_info.json'],
    beside: ['Cargo.toml'],
  },
  {
    tool: "Maven's build directory",
    names: ['target'],
    inside: ['maven-status', 'classes'],
    beside: ['pom.xml'],
  },
  {
    tool: "Gradle's state",
    names: ['.gradle'],
    inside: ['buildOutputCleanup', 'vcs-1', '*/fileHashes'],
  },
  {
    tool: 'Composer packages',
    names: ['vendor'],
    inside: ['autoload.php', 'composer/installed.json'],
  },
  {tool: 'Go modules', names: ['vendor'], inside: ['modules.txt'], beside: ['go.mod']},
  {
    tool: 'Ruby gems',
    names: ['vendor', 'bundle', '.bundle'],
    inside: ['bundle/ruby', 'ruby/*/gems'],
  },
  {tool: 'CocoaPods', names: ['Pods'], inside: ['Manifest.lock']},
  {tool: 'Carthage', names: ['Carthage'], inside: ['Build', 'Checkouts'], beside: ['Cartfile']},
  {
    tool: 'Swift packages',
    names: ['.build'],
    inside: ['workspace-state.json'],
    beside: ['Package.swift'],
  },
  {
    tool: 'Elixir dependencies',
    names: ['deps'],
    inside: ['*/.hex', '*/mix.exs'],
    beside: ['mix.exs'],
  },
  {tool: "Elixir's build directory", names: ['_build'], inside: ['*/lib'], beside: ['mix.exs']},
  {tool: "Dart's packages", names: ['.dart_tool'], inside: ['package_config.json']},
  {
    tool: "Haskell's build directory",
    names: ['dist-newstyle', '.stack-work'],
    inside: ['cache/plan.json', 'dist', 'install'],
  },
  {tool: 'an OPAM switch', names: ['_opam'], inside: ['.opam-switch']},
  {
    tool: 'Terraform providers',
    names: ['.terraform'],
    inside: ['providers', 'modules/modules.json'],
  },
  {
    tool: 'a package cache of Yarn',
    names: ['cache'],
    inside: ['.gitignore'],
    beside: ['install-state.gz', 'build-state.yml'],
  },
];
