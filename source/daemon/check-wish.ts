import {planHash, readPlan} from '../documents/index.ts';
import type {Plan, Wish} from '../domain/index.ts';
import {describeIssue} from './schemas/fields.ts';
import {commandSchemas} from './schemas/commands.ts';

/** In characters of its JSON. */
const maxWishCharacters = 512 * 1024;

/**
 * The wish, with the fields that this daemon knows and no others: what is malformed would stay in the journal for ever. Throws
 * with a sentence when it is none. What only the world can report is no wish.
 */
export function checkWish(value: unknown): Wish {
  const type = typeOf(value);
  const schema =
    type === undefined || !Object.hasOwn(commandSchemas, type) ? undefined : commandSchemas[type];
  if (schema === undefined || type === undefined)
    throw new Error(
      `this daemon knows no wish ${JSON.stringify((type ?? '').slice(0, 60))}; \`orchestra daemon restart\` keeps every session`,
    );
  const reading = schema.safeParse(value);
  if (!reading.success) throw new Error(describeIssue(type, reading.error));
  const wish = reading.data as Wish;
  if (sizeOf(wish) > maxWishCharacters)
    throw new Error(`expected a ${type} of at most ${maxWishCharacters} characters`);
  if (wish.type === 'edit-plan') return {...wish, plan: checkPlan(wish.plan, wish.hash)};
  return wish.type === 'choose-baseline' && wish.plan !== undefined
    ? {...wish, plan: checkPlan(wish.plan, wish.hash)}
    : wish;
}

/** A plan is as hostile when it comes from a client as when it comes from a planner; and an approval binds its hash. */
function checkPlan(given: Plan, hash: string | undefined): Plan {
  const {objective} = given as {readonly objective?: unknown};
  const {value, problems} = readPlan(JSON.stringify(given), {
    objective: typeof objective === 'string' ? objective : '',
  });
  if (value === undefined)
    throw new Error(
      `expected a plan, but ${problems.find(({level}) => level === 'error')?.text ?? 'it is none'}`.slice(
        0,
        500,
      ),
    );
  if (planHash(value) !== hash)
    throw new Error(
      'expected the hash of the plan that was sent, got another one; read the plan again and edit that',
    );
  return value;
}

function typeOf(value: unknown): string | undefined {
  const {type} = (typeof value === 'object' && value !== null ? value : {}) as {
    readonly type?: unknown;
  };
  return typeof type === 'string' ? type : undefined;
}

/** What is too deep to be written is too large. */
function sizeOf(wish: Wish): number {
  try {
    return JSON.stringify(wish).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
