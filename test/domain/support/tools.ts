import type {Decision, Observation} from '../../../source/domain/index.ts';
import {type Harness, report} from './harness.ts';

export function openShell(
  harness: Harness,
  more: Partial<Extract<Observation, {type: 'shell-asked'}>> = {},
): Decision {
  return report(harness, {type: 'shell-asked', session: 's2', name: 'main', ...more});
}
