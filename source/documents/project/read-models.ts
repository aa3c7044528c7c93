import {agentName, modelName} from './project-words.ts';
import {type Report, pathInto, readEntries, until} from './read-fields.ts';
import {readWord} from './read-values.ts';
import {type YamlValue, describeYaml} from './yaml-value.ts';

/** Which model each agent uses, by the agents' own names for models. */
export function readModels(
  value: YamlValue,
  report: Report,
): Readonly<Record<string, string>> | undefined {
  const refuse = until('the agent chooses by itself', report);
  if (value.is !== 'mapping') {
    refuse(
      value.line,
      `models: expected agents with their models, each as "claude: NAME", got ${describeYaml(value)}. Change it.`,
    );
    return undefined;
  }

  return Object.fromEntries(
    readEntries(value, 'models', report).flatMap(({key, line, value: model}) => {
      const path = pathInto('models', key);
      if (!agentName.isMeant(key))
        refuse(line, `${path}: expected ${agentName.expectation}. Change it.`);
      const name = agentName.isMeant(key) ? readWord(model, path, modelName, refuse) : undefined;
      return name === undefined ? [] : [[key, name]];
    }),
  );
}
