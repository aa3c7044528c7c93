/** Reports how often a promise was tried and how often it held. */
export type Report = (promise: string, tried: number, held: number, note?: string) => void;
