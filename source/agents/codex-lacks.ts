type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A provider of one's own in codex's `config.toml` names the variable that holds its key (`env_key`). Codex then ends with "Missing
 * environment variable", which says nothing of why a variable that the shell has is not there. Nothing when it gets it.
 */
export function codexLacks(config: string, passed: Environment): string | undefined {
  const chosen = new Set(
    [...config.matchAll(/^[ \t]*model_provider[ \t]*=[ \t]*["']([^"'\n]+)["']/gm)].map(
      ([, name]) => name,
    ),
  );
  const missing = providersIn(config).find(
    ({name, key}) => chosen.has(name) && (passed[key] ?? '') === '',
  );
  if (missing === undefined) return undefined;
  const {name, key} = missing;
  return `codex needs the variable ${key}: its config.toml names it as env_key of the provider ${name}, and agents get only what is allowed. Write it into .orchestra/project.yaml (environment: [${key}]) and set it in your shell; for a run that has begun then: orchestra env refresh`;
}

/** Sections `[model_providers.NAME]` with an `env_key`. What else TOML allows for the same is left to codex itself. */
function providersIn(config: string): readonly {readonly name: string; readonly key: string}[] {
  return config.split(/^[ \t]*(?=\[)/m).flatMap((section) => {
    const [, name] =
      /^\[[ \t]*model_providers[ \t]*\.[ \t]*["']?([^\]"'\s]+)["']?[ \t]*\]/.exec(section) ?? [];
    const [, key] = /^[ \t]*env_key[ \t]*=[ \t]*["']([^"'\n]+)["']/m.exec(section) ?? [];
    return name === undefined || key === undefined ? [] : [{name, key}];
  });
}
