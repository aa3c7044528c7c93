declare const ORCHESTRA_VERSION: string | undefined;

/** Put in by the build; a program run from its sources has none. */
export const version =
  typeof ORCHESTRA_VERSION === 'undefined' ? '0.0.0-source' : ORCHESTRA_VERSION;
