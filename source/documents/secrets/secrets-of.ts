/** What the environment holds and nobody may read in a prompt, a summary or the journal. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    isSecretName(name) && value !== undefined ? [value] : [],
  );
}

/** Whether a variable of this name is kept from agents unless somebody names it. */
export function isSecretName(name: string): boolean {
  return /KEY|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIAL/i.test(name);
}
