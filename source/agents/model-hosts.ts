import type {Environment} from '../shared/index.ts';

/** The host of each provider, by the variable that holds its key. */
const providers: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: 'api.anthropic.com',
  ANTHROPIC_OAUTH_TOKEN: 'api.anthropic.com',
  OPENAI_API_KEY: 'api.openai.com',
  GEMINI_API_KEY: 'generativelanguage.googleapis.com',
  GOOGLE_GENERATIVE_AI_API_KEY: 'generativelanguage.googleapis.com',
  OPENROUTER_API_KEY: 'openrouter.ai',
  OPENCODE_API_KEY: 'opencode.ai',
  GROQ_API_KEY: 'api.groq.com',
  XAI_API_KEY: 'api.x.ai',
  MISTRAL_API_KEY: 'api.mistral.ai',
  DEEPSEEK_API_KEY: 'api.deepseek.com',
  CEREBRAS_API_KEY: 'api.cerebras.ai',
};

/** The hosts of the providers whose key is set. */
export function providerHosts(
  env: Environment,
  names: readonly string[] = Object.keys(providers),
): readonly string[] {
  return [
    ...new Set(names.flatMap((name) => ((env[name] ?? '') === '' ? [] : (providers[name] ?? [])))),
  ];
}

/**
 * The hosts of URLs in environment variables that replace the default endpoints. Values that are
 * not URLs are skipped.
 */
export function hostsNamedIn(env: Environment, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const url = URL.parse(env[name] ?? '');
    if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return [];
    return [url.port === '' ? url.hostname : `${url.hostname}:${url.port}`];
  });
}
