import {parseNetworkEntry} from '../../base/index.ts';
import type {NetworkKind, NetworkRule, NetworkRules, Project} from '../../domain/index.ts';
import {sandboxWish} from './project-words.ts';
import {type Report, readFields, until} from './read-fields.ts';
import {type TextsExpected, readTexts} from './read-texts.ts';
import {readWord} from './read-values.ts';
import {type YamlMapping, type YamlValue, describeYaml} from './yaml-value.ts';

const networkKinds: readonly NetworkKind[] = ['planner', 'workers', 'checks'];

/** Hosts that may be reached. */
const hostTexts: TextsExpected = {
  what: 'a host like registry.npmjs.org, *.github.com, host:8443 or localhost:3000',
  most: 200,
  read: (text) => {
    const reading = parseNetworkEntry(text);
    return 'entry' in reading ? {text: reading.entry.text} : reading;
  },
};

/**
 * `sandbox:` is a word, or fields. What is said of the network and cannot be understood counts as `none`: whoever wrote something
 * there wanted less than everything.
 */
export function readSandboxField(
  value: YamlValue,
  report: Report,
): Pick<Project, 'sandbox' | 'network'> {
  if (value.is !== 'mapping') {
    const wish = readWord(value, 'sandbox', sandboxWish, until('it is auto', report));
    return wish === undefined ? {} : {sandbox: wish};
  }

  const {fields, isClear} = readKnown(value, 'sandbox', ['use', 'network'], report);
  const [useField, networkField] = [fields.get('use'), fields.get('network')];
  const sandbox =
    useField && readWord(useField, 'sandbox.use', sandboxWish, until('it is auto', report));
  const network = isClear ? networkField && readNetwork(networkField, report) : nothing;
  if (!isClear)
    report(
      value.entries[0]?.line ?? 1,
      'sandbox: what else was meant cannot be told. Until that is changed, sandboxed sessions have no network.',
    );
  if (sandbox === 'off' && network !== undefined) {
    report(
      networkField?.line ?? value.line,
      'sandbox.network: does nothing with "use: off", because only a sandbox can restrict the network. Write auto or required.',
    );
    return {sandbox};
  }

  return {...(sandbox === undefined ? {} : {sandbox}), ...(network === undefined ? {} : {network})};
}

const nothing: NetworkRules = {planner: 'none', workers: 'none', checks: 'none'};

/** One rule for all, or one for each kind of session; a kind that is not named reaches everything. */
function readNetwork(value: YamlValue, report: Report): NetworkRules {
  const isOfKinds =
    value.is === 'mapping' &&
    value.entries.length > 0 &&
    !value.entries.some(({key}) => key === 'allow');
  if (!isOfKinds) {
    const rule = readRule(value, 'sandbox.network', report);
    return {planner: rule, workers: rule, checks: rule};
  }

  const {fields, isClear} = readKnown(value, 'sandbox.network', networkKinds, report);
  if (!isClear)
    report(
      value.entries[0]?.line ?? 1,
      'sandbox.network: what else was meant cannot be told. Until that is changed, every kind that is not named here has no network.',
    );
  return Object.fromEntries(
    networkKinds.flatMap((kind): [NetworkKind, NetworkRule][] => {
      const field = fields.get(kind);
      if (field !== undefined) return [[kind, readRule(field, `sandbox.network.${kind}`, report)]];
      return isClear ? [] : [[kind, 'none']];
    }),
  );
}

function readRule(value: YamlValue, path: string, report: Report): NetworkRule {
  if (value.is === 'text' && (value.text === 'all' || value.text === 'none')) return value.text;
  if (value.is !== 'mapping') {
    report(
      value.line,
      `${path}: expected all, none or {allow: [hosts]}, got ${describeYaml(value)}. Change it. Until then it is none.`,
    );
    return 'none';
  }

  const {fields} = readKnown(value, path, ['allow'], report);
  const hosts = fields.get('allow');
  // An empty list is one: the agent's own service, and nothing else.
  return {allow: (hosts && readTexts(hosts, `${path}.allow`, hostTexts, report)) ?? []};
}

/** `isClear`: nothing else stands there. */
function readKnown<Name extends string>(
  mapping: YamlMapping,
  path: string,
  known: readonly Name[],
  report: Report,
): {readonly fields: ReadonlyMap<Name, YamlValue>; readonly isClear: boolean} {
  let isClear = true;
  const fields = readFields(mapping, path, {known}, (line, text) => {
    isClear = false;
    report(line, text);
  });
  return {fields, isClear};
}
