import {environmentLines, type EnvironmentReport} from '../../documents/index.ts';
import {isRunId} from '../../domain/index.ts';
import type {Model} from './model.ts';

/** Shows which environment a run has, and asks whether it shall have the one that the app was started in. Whoever writes or is asked meanwhile is not disturbed. */
export function askedForEnvironment(model: Model, value: unknown, now: number): Model {
  const report = value as Partial<EnvironmentReport> | null;
  const isBusy =
    model.field !== undefined || model.asking !== undefined || model.mode !== 'command';
  if (
    isBusy ||
    typeof report?.run !== 'string' ||
    !isRunId(report.run) ||
    !Array.isArray(report.path) ||
    !Array.isArray(report.names) ||
    !Array.isArray(report.missing)
  )
    return model;
  const lines = environmentLines(report as EnvironmentReport, now).filter(
    (line) => !line.includes('orchestra env refresh'),
  );
  return {
    ...model,
    asking: {
      question: `Give ${report.run} the environment of the shell that you started this app from?`,
      lines: [...lines, 'Sessions that begin from now on get it; what runs keeps what it has.'],
      yes: {does: 'refresh-environment', run: report.run},
    },
  };
}
