import {z} from 'zod';
import {parseNetworkEntry} from '../shared/index.ts';
import type {NetworkKind, NetworkRule, NetworkRules, Project} from '../domain/index.ts';
import {sandboxMode} from './allowed-values.ts';
import {
  parseMappingFields,
  type ReportProblem,
  type TextsExpected,
  withConsequence,
} from './fields.ts';
import {expectedGot, parseWithSchema} from './parse-with-schema.ts';
import {parseTexts, wordSchema} from './schemas.ts';
import type {YamlMapping, YamlValue} from '../syntax/index.ts';

const networkKinds: readonly NetworkKind[] = ['planner', 'workers', 'checks'];

/** The allowed hosts. */
const hostTexts: TextsExpected = {
  what: 'a host like registry.npmjs.org, *.github.com, host:8443 or localhost:3000',
  max: 200,
  parse: (text) => {
    const parsed = parseNetworkEntry(text);
    return 'entry' in parsed ? {text: parsed.entry.text} : parsed;
  },
};

const modeSchema = wordSchema(sandboxMode);

/** A rule that is a word; the other form is {allow: [hosts]}. */
const ruleSchema = z.enum(['all', 'none'], {
  error: ({input}) => expectedGot('all, none or {allow: [hosts]}', input),
});

/**
 * `sandbox:` is a word, or fields. An invalid network rule counts as `none`, because its author
 * wanted to restrict the network.
 */
export function parseSandbox(
  value: YamlValue,
  report: ReportProblem,
): Pick<Project, 'sandbox' | 'network'> {
  if (value.is !== 'mapping') {
    const mode = parseWithSchema(
      modeSchema,
      value,
      'sandbox',
      withConsequence('it is auto', report),
    );
    return mode === undefined ? {} : {sandbox: mode};
  }

  const {fields, isClear} = parseKnown(value, 'sandbox', ['use', 'network'], report);
  const [useField, networkField] = [fields.get('use'), fields.get('network')];
  const sandbox =
    useField &&
    parseWithSchema(modeSchema, useField, 'sandbox.use', withConsequence('it is auto', report));
  const network = isClear ? networkField && parseNetwork(networkField, report) : noNetwork;
  if (!isClear)
    report(
      value.entries[0]?.line ?? 1,
      'sandbox: it has unknown fields. Until that is changed, sandboxed sessions have no network.',
    );
  if (sandbox === 'off' && network !== undefined) {
    report(
      networkField?.line ?? value.line,
      'sandbox.network: does nothing with "use: off", because only a sandbox can ' +
        'restrict the network. Write auto or required.',
    );
    return {sandbox};
  }

  return {...(sandbox === undefined ? {} : {sandbox}), ...(network === undefined ? {} : {network})};
}

const noNetwork: NetworkRules = {planner: 'none', workers: 'none', checks: 'none'};

/**
 * One rule for all sessions, or one for each kind; a kind that is not named may reach every host.
 */
function parseNetwork(value: YamlValue, report: ReportProblem): NetworkRules {
  const isOfKinds =
    value.is === 'mapping' &&
    value.entries.length > 0 &&
    !value.entries.some(({key}) => key === 'allow');
  if (!isOfKinds) {
    const rule = parseRule(value, 'sandbox.network', report);
    return {planner: rule, workers: rule, checks: rule};
  }

  const {fields, isClear} = parseKnown(value, 'sandbox.network', networkKinds, report);
  if (!isClear)
    report(
      value.entries[0]?.line ?? 1,
      'sandbox.network: it has unknown fields. Until that is changed, every kind that is ' +
        'not named here has no network.',
    );
  return Object.fromEntries(
    networkKinds.flatMap((kind): [NetworkKind, NetworkRule][] => {
      const field = fields.get(kind);
      if (field !== undefined) return [[kind, parseRule(field, `sandbox.network.${kind}`, report)]];
      return isClear ? [] : [[kind, 'none']];
    }),
  );
}

function parseRule(value: YamlValue, path: string, report: ReportProblem): NetworkRule {
  if (value.is !== 'mapping')
    return (
      parseWithSchema(ruleSchema, value, path, withConsequence('it is none', report)) ?? 'none'
    );

  const {fields} = parseKnown(value, path, ['allow'], report);
  const hosts = fields.get('allow');
  // An empty list is valid: it allows the agent's own service only.
  return {allow: (hosts && parseTexts(hosts, `${path}.allow`, hostTexts, report)) ?? []};
}

/** `isClear`: every field is known and none is repeated. */
function parseKnown<Name extends string>(
  mapping: YamlMapping,
  path: string,
  known: readonly Name[],
  report: ReportProblem,
): {readonly fields: ReadonlyMap<Name, YamlValue>; readonly isClear: boolean} {
  let isClear = true;
  const fields = parseMappingFields(mapping, path, {known}, (line, text) => {
    isClear = false;
    report(line, text);
  });
  return {fields, isClear};
}
