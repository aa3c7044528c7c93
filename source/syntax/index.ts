/**
 * JSON and YAML with positions: parsers that give a value together with problems and their lines,
 * and never throw.
 * Not here: what the values mean.
 */
export {lineNumberAt, maxDocumentBytes, parseText, withPlainLines} from './parse-text.ts';
export {
  describeYaml,
  parseYaml,
  type YamlEntry,
  type YamlMapping,
  yamlOptions,
  type YamlValue,
} from './parse-yaml.ts';
export {jsonPath, type JsonScan, lastJsonBlock, scanJson} from './scan-json.ts';
export {type YamlSteps, yamlToJson} from './yaml-to-json.ts';
