import type {TaskId} from '../ids.ts';
import type {ServiceCondition, ServiceFailure, ServiceSpec} from '../service.ts';

export type ServiceEvents = {
  'service-declared': {readonly spec: ServiceSpec};
  'service-wanted': {readonly service: string; readonly by: 'person' | TaskId};
  /**
   * `by` a task: its agent no longer needs the service. Without `by`: a person stopped it, and only
   * a person starts it again.
   */
  'service-stopped': {readonly service: string; readonly by?: TaskId};
  'service-restarted': {readonly service: string};
  'service-observed': {readonly service: string; readonly condition: ServiceCondition};
  'port-taken': {readonly service: string; readonly owner: string};
  'service-went-down': {readonly service: string};
  /** `deaths`: how often in a row it died early. */
  'service-backed-off': {
    readonly service: string;
    readonly until: number;
    readonly deaths?: number;
  };
  'service-failed': {readonly service: string; readonly why: ServiceFailure};
};
