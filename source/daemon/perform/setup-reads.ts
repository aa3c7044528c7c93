import {setupReadsOf} from '../../workspace/index.ts';
import type {Workshop} from '../workshop.ts';

/** Fingerprint of what the project's setup command reads in a commit or tree; nothing where the project has none. */
export async function setupReads(
  workshop: Workshop,
  tree: string,
): Promise<{readonly reads?: string}> {
  const {setup} = workshop.state().project;
  return setup === undefined
    ? {}
    : {reads: await setupReadsOf(workshop.workspace(), {tree, command: setup})};
}
