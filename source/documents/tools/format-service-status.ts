import type {Service} from '../../domain/index.ts';
import {serviceInWords} from '../story/stage-in-words.ts';

/** One line for each declared service: what it is at, and where. */
export function formatServiceStatus(services: readonly Service[], now: number): string {
  if (services.length === 0) return 'No service is declared in .orchestra/project.yaml.';
  return services
    .map(
      (service) =>
        `${service.spec.name}: ${serviceInWords(service, now)}${service.spec.port === undefined ? '' : `; port ${service.spec.port}`}${userOf(service)}; command: ${service.spec.command}`,
    )
    .join('\n');
}

function userOf({desire, wantedBy}: Service): string {
  return desire !== 'wanted' || wantedBy === undefined
    ? ''
    : `; started for ${wantedBy === 'person' ? 'a person' : wantedBy}`;
}
