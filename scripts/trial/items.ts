import {setupInMerges} from './items/01-setup-in-merges.ts';
import {baseline} from './items/02-baseline.ts';
import {environment} from './items/03-environment.ts';
import {limitsInFlight} from './items/04-limits-in-flight.ts';
import {headlessDecisions} from './items/05-headless-decisions.ts';
import {killedAgent} from './items/06-killed-agent.ts';
import {mergesWhenGreen} from './items/07-merges-when-green.ts';
import {headlessPanes} from './items/08-headless-panes.ts';
import {repositoryNotes} from './items/09-repository-notes.ts';
import {reviewIsFresh} from './items/10-review-is-fresh.ts';
import {trustDialogs} from './items/11-trust-dialogs.ts';
import {silentService} from './items/12-silent-service.ts';
import {partialMessages} from './items/13-partial-messages.ts';
import {dependenciesMadeAhead} from './items/14-dependencies-made-ahead.ts';
import {livePanes} from './items/15-live-panes.ts';
import {detachedHead} from './items/16-detached-head.ts';
import {sameConversation} from './items/17-same-conversation.ts';
import {handBack} from './items/18-hand-back.ts';
import {acceptSquash} from './items/19-accept-squash.ts';
import {servicePerTask} from './items/20-service-per-task.ts';
import type {Item} from './item.ts';

/** In the order in which a day meets them. */
export const items: readonly Item[] = [
  setupInMerges,
  baseline,
  environment,
  limitsInFlight,
  headlessDecisions,
  killedAgent,
  mergesWhenGreen,
  headlessPanes,
  repositoryNotes,
  reviewIsFresh,
  trustDialogs,
  silentService,
  partialMessages,
  dependenciesMadeAhead,
  livePanes,
  detachedHead,
  sameConversation,
  handBack,
  acceptSquash,
  servicePerTask,
];
