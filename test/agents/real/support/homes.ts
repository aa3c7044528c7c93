import path from 'node:path';
import {mkdirSync, writeFileSync} from 'node:fs';

export type Home = {readonly env: Readonly<Record<string, string>>; readonly model: string};

/**
 * A clean home in which an agent's service is the scripted model, and nothing else: no account or
 * key of this machine is there. What each needs to reach another endpoint is its own affair;
 * drivers know nothing of it.
 */
export const homes: Readonly<
  Record<string, (home: string, url: string, directory: string) => Home>
> = {
  claude: (home, url, directory) => {
    const key = 'sk-ant-test-0123456789';
    // What a person answers once, before they ever take over.
    write(
      path.join(home, '.claude.json'),
      JSON.stringify({
        hasCompletedOnboarding: true,
        theme: 'dark',
        customApiKeyResponses: {approved: [key.slice(-20)], rejected: []},
        projects: {[directory]: {hasTrustDialogAccepted: true}},
      }),
    );
    return {
      model: 'claude-sonnet-4-5',
      env: {ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key, CLAUDE_CODE_MAX_RETRIES: '0'},
    };
  },
  codex: (home, url, directory) => {
    write(
      path.join(home, '.codex', 'config.toml'),
      [
        'model_provider = "scripted"',
        '[model_providers.scripted]',
        'name = "scripted"',
        `base_url = "${url}/v1"`,
        'env_key = "SCRIPTED_KEY"',
        'wire_api = "responses"',
        'request_max_retries = 0',
        'stream_max_retries = 0',
        'supports_websockets = false',
        `[projects."${directory}"]`,
        'trust_level = "trusted"',
      ].join('\n'),
    );
    return {model: 'gpt-5', env: {SCRIPTED_KEY: 'test', CODEX_HOME: path.join(home, '.codex')}};
  },
  gemini: (home, url, directory) => {
    write(
      path.join(home, '.gemini', 'settings.json'),
      JSON.stringify({
        security: {auth: {selectedType: 'gemini-api-key'}},
        general: {maxAttempts: 1},
      }),
    );
    write(
      path.join(home, '.gemini', 'trustedFolders.json'),
      JSON.stringify({[directory]: 'TRUST_FOLDER'}),
    );
    return {model: 'gemini-2.5-flash', env: {GEMINI_API_KEY: 'test', GOOGLE_GEMINI_BASE_URL: url}};
  },
  opencode: (home, url) => {
    write(
      path.join(home, '.config', 'opencode', 'opencode.json'),
      JSON.stringify({
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            name: 'scripted',
            options: {baseURL: `${url}/v1`, apiKey: 'test'},
            models: {
              scripted: {
                name: 'scripted',
                tool_call: true,
                limit: {context: 200_000, output: 8000},
              },
            },
          },
        },
        model: 'scripted/scripted',
        small_model: 'scripted/scripted',
      }),
    );
    return {model: 'scripted/scripted', env: {}};
  },
  pi: (home, url) => {
    write(
      path.join(home, '.pi', 'agent', 'models.json'),
      JSON.stringify({
        providers: {
          scripted: {
            baseUrl: `${url}/v1`,
            apiKey: 'test',
            api: 'openai-completions',
            models: [
              {
                id: 'scripted',
                name: 'scripted',
                reasoning: false,
                input: ['text'],
                cost: {input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0},
                contextWindow: 200_000,
                maxTokens: 8000,
              },
            ],
          },
        },
      }),
    );
    return {model: 'scripted/scripted', env: {}};
  },
};

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), {recursive: true});
  writeFileSync(file, text);
}
