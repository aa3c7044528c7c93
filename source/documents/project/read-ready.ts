import type {Readiness} from '../../domain/index.ts';
import {excerpt} from '../excerpt.ts';
import {type Report, readFields} from './read-fields.ts';
import {readLogPattern} from './read-log-pattern.ts';
import {type YamlValue, describeYaml} from './yaml-value.ts';

export type ReadyContext = {
  readonly path: string;
  /** A port that is asked needs one; a log line needs none, and proves none. */
  readonly hasPort: boolean;
  readonly report: Report;
  readonly refuse: Report;
};

/** `port`, `{http: /path}` or `{log: pattern}`. */
export function readReady(value: YamlValue, context: ReadyContext): Readiness | undefined {
  const {path, report, refuse} = context;
  if (value.is === 'text' && value.text === 'port')
    return needingPort({by: 'port'}, value, context);
  if (value.is !== 'mapping') {
    refuse(value.line, `${path}: ${expectation}, got ${describeYaml(value)}. Change it.`);
    return undefined;
  }

  const fields = readFields(value, path, {known: ['http', 'log']}, report);
  const [http, log] = [fields.get('http'), fields.get('log')];
  if (http !== undefined && log === undefined) return readHttp(http, context);
  if (log !== undefined && http === undefined) return readLog(log, context);
  refuse(
    value.line,
    `${path}: ${expectation}, got ${http === undefined ? 'neither "http" nor "log"' : 'both "http" and "log"'}. Write one of them.`,
  );
  return undefined;
}

const expectation = 'expected port, {http: "/path"} or {log: "pattern"}';

function needingPort(
  ready: Readiness,
  {line}: YamlValue,
  {path, hasPort, refuse}: ReadyContext,
): Readiness | undefined {
  if (hasPort) return ready;
  refuse(line, `${path}: asks the port of the service, but it has none. Add "port:".`);
  return undefined;
}

/**
 * What may follow `http://localhost:3000` and still ask nobody but that port: no `//host`, no backslash (which a URL
 * takes for a slash), no blank.
 */
const httpPath = /^\/(?![/\\])[!"$-[\]-~]{0,499}$/;

function readHttp(value: YamlValue, context: ReadyContext): Readiness | undefined {
  if (value.is === 'text' && httpPath.test(value.text))
    return needingPort({by: 'http', path: value.text}, value, context);
  context.refuse(
    value.line,
    `${context.path}.http: expected a path like "/health" (it begins with one "/", printable ASCII, no blank, "\\" or "#", at most 500 characters), got ${describeYaml(value)}. Change it.`,
  );
  return undefined;
}

function readLog(value: YamlValue, {path, refuse}: ReadyContext): Readiness | undefined {
  if (value.is !== 'text') {
    refuse(
      value.line,
      `${path}.log: expected a regular expression, got ${describeYaml(value)}. Put it in single quotes.`,
    );
    return undefined;
  }

  const reading = readLogPattern(value.text);
  if ('pattern' in reading) return {by: 'log', pattern: reading.pattern};
  refuse(value.line, `${path}.log: the pattern "${excerpt(value.text)}" ${reading.refused}`);
  return undefined;
}
