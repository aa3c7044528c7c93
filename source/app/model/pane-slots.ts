/** A row that can be shown in a pane. */
export type SlotCandidate = {
  readonly key: string;
  /** It is at work. Others give way to those that are. */
  readonly isLive: boolean;
};

/**
 * Which row each pane shows, by the place of the pane. A row keeps its place for as long as it can;
 * one that is over stays until another needs its place; the selected row always has one. When a
 * pane is added, all of them are in the order of the list.
 */
export function assignSlots(
  before: readonly string[],
  candidates: readonly SlotCandidate[],
  capacity: number,
  selected: string,
): readonly string[] {
  const order = candidates.map(({key}) => key);
  const known = new Map(candidates.map((candidate) => [candidate.key, candidate]));
  const slots = before.filter((key) => known.has(key)).slice(0, capacity);
  const retained = slots.length;
  const isFree = (key: string): boolean => key !== selected && known.get(key)?.isLive !== true;
  const place = (key: string, otherwise?: number): void => {
    if (slots.includes(key)) return;
    const free = slots.length < capacity ? slots.length : slots.findIndex(isFree);
    const at = free === -1 ? otherwise : free;
    if (at !== undefined) slots[at] = key;
  };

  if (known.has(selected))
    place(selected, candidates.findIndex(({key}) => key === selected) % capacity);
  for (const {key, isLive} of candidates) if (isLive) place(key);
  for (const {key} of candidates) if (slots.length < capacity) place(key);
  // One more pane moves the others anyway: then they are in the order of the list.
  if (slots.length > retained) slots.sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return isSameList(slots, before) ? before : slots;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}
