import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectAgentEnvironment, variableFilter} from '../../source/secrets/index.ts';

const usual = variableFilter({allow: []});

test('what version managers and toolchains need is passed by itself', () => {
  for (const name of 'PATH VIRTUAL_ENV CONDA_PREFIX ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR MISE_TRUSTED_CONFIG_PATHS FNM_DIR NVM_DIR NVM_BIN PYENV_ROOT RBENV_ROOT VOLTA_HOME PNPM_HOME GOPATH GOROOT CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN JAVA_HOME SDKMAN_DIR DOTNET_ROOT npm_config_cache'.split(
    ' ',
  ))
    assert.ok(usual(name), name);
});

test('neither secrets nor what changes which code runs is, and none of it by a family', () => {
  const retained =
    'NODE_OPTIONS NODE_PATH LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES PYTHONPATH PYTHONHOME PYTHONSTARTUP PERL5LIB PERL5OPT RUBYOPT RUBYLIB GEM_PATH CLASSPATH JAVA_TOOL_OPTIONS _JAVA_OPTIONS MAVEN_OPTS GOFLAGS RUSTFLAGS CARGO_BUILD_RUSTC_WRAPPER BASH_ENV ENV PROMPT_COMMAND PYENV_HOOK_PATH RBENV_HOOK_PATH GIT_SSH_COMMAND GIT_DIR SSH_AUTH_SOCK EDITOR DIRENV_DIFF DIRENV_DIR MISE_GITHUB_TOKEN ASDF_GITHUB_API_TOKEN UV_INDEX_URL ORCHESTRA_FAILPOINTS TMUX';
  for (const name of retained.split(' ')) assert.ok(!usual(name), name);
  const family = variableFilter({allow: ['MISE_*', 'AWS_*', 'DIRENV_*']});
  assert.deepEqual(
    ['MISE_GITHUB_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION', 'DIRENV_DIR'].map((name) =>
      family(name),
    ),
    [false, false, true, true],
  );
  assert.ok(
    variableFilter({allow: ['NODE_OPTIONS', 'AWS_SECRET_ACCESS_KEY']})('AWS_SECRET_ACCESS_KEY'),
    'named whole it is',
  );
});

test('what is not set is not passed, and nothing asks or pages', () => {
  assert.deepEqual(
    selectAgentEnvironment({PATH: '/bin', HOME: undefined, X: 'y', PAGER: 'less'}, {allow: ['X']}),
    {
      PATH: '/bin',
      X: 'y',
      GIT_TERMINAL_PROMPT: '0',
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      DEBIAN_FRONTEND: 'noninteractive',
    },
  );
});
