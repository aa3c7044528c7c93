// For app/model/handle-event.ts and cli/runs/plan.ts, until they import it from shared. `export …
// from` would not do:
// scripts/build/direct-imports.ts resolves `import` only.
import {formatProblems} from '../shared/index.ts';

export {formatProblems};
