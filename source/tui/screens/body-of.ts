import {auditBody} from './audit-body.ts';
import type {Body, ScreenView} from './body.ts';
import {briefBody} from './brief-body.ts';
import {helpBody} from './help-body.ts';
import {keysBody} from './keys-body.ts';
import {knowledgeBody} from './knowledge-body.ts';
import {needsBody} from './needs-body.ts';
import {planBody} from './plan-body.ts';
import {reviewBody} from './review-body.ts';
import {servicesBody} from './services-body.ts';
import {settingsBody} from './settings-body.ts';
import {startBody} from './start-body.ts';
import {timelineBody} from './timeline-body.ts';

/** What stands between header and status line; nothing for the workers, whose place is their panes'. */
export function bodyOf(view: ScreenView): Body | undefined {
  switch (view.model.screen) {
    case 'workers':
      return undefined;
    case 'start':
      return startBody(view);
    case 'brief':
      return briefBody(view);
    case 'plan':
      return planBody(view);
    case 'needs':
      return needsBody(view);
    case 'review':
      return reviewBody(view);
    case 'services':
      return servicesBody(view);
    case 'timeline':
      return timelineBody(view);
    case 'audit':
      return auditBody(view);
    case 'knowledge':
      return knowledgeBody(view);
    case 'help':
      return helpBody(view);
    case 'settings':
      return settingsBody(view);
    case 'keys':
      return keysBody(view);
  }
}
