import os from 'node:os';
import {setTimeout as delay} from 'node:timers/promises';
import {eventually} from '../../test/support/eventually.ts';
import type {AppScreen} from './open-app.ts';

/** One step of a person in the app, as data: keys, and the text that shows that they worked. */
export type AppStep = {
  readonly keys?: string;
  /** A person reads before they decide; the app ignores whoever does not. */
  readonly readMs?: number;
  /**
   * Presses the keys again until the text is there: deciding keys are blocked for a moment after
   * the screen has changed.
   */
  readonly repeat?: boolean;
  readonly until: RegExp;
  /** The name of the picture that is taken then, and its title. */
  readonly take?: {readonly name: string; readonly title: string};
  /** How long this step takes in the recording. */
  readonly seconds?: number;
};

/** Performs the steps in their order. `onStep` is called when the text of a step is shown. */
export async function playSteps(
  app: AppScreen,
  steps: readonly AppStep[],
  onStep: (step: AppStep) => void,
): Promise<void> {
  for (const step of steps) {
    await press(app, step);
    await shows(app, step.until, 120_000);
    assertNothingPrivate(app.text());
    onStep(step);
  }
}

async function press(app: AppScreen, {keys, readMs = 0, repeat, until}: AppStep): Promise<void> {
  if (keys === undefined) return;
  await delay(readMs);
  if (repeat !== true) {
    app.press(keys);
    return;
  }

  await eventually(
    `what ${JSON.stringify(keys)} leads to`,
    async () => {
      app.press(keys);
      return shows(app, until, 1500).then(
        () => true,
        () => false,
      );
    },
    30_000,
  );
}

async function shows(app: AppScreen, what: RegExp, limit: number): Promise<void> {
  await eventually(what.source, () => what.test(app.text()), limit).catch((error: unknown) => {
    throw new Error(`${String(error)}; the screen shows:\n${app.text()}`, {cause: error});
  });
}

/** Throws if a screen shows anything of this machine. */
export function assertNothingPrivate(text: string): void {
  const secrets = [os.tmpdir(), os.homedir(), os.hostname(), 'orchestra-pictures-'];
  const leak = secrets.find((secret) => secret.length > 1 && text.includes(secret));
  if (leak !== undefined)
    throw new Error(`expected no name of this machine on the screen, got ${leak}:\n${text}`);
}
