import {sanitizeText} from '../../base/index.ts';

export type RulesFileTrouble = {
  readonly file: string;
  /** `missing`, `not a file`, `too large`; otherwise the code of the system's error. */
  readonly reason: string;
  /** Where the example is that ships with the package. */
  readonly example: string;
};

/** What to say when there is no rules file to check. */
export function rulesFileTrouble({file, reason, example}: RulesFileTrouble): string {
  return sanitizeText(
    `orchestra: cannot read the rules file ${file}: ${adviceOn(reason, file, example)}\n`,
  );
}

function adviceOn(reason: string, file: string, example: string): string {
  switch (reason) {
    case 'missing':
      return `it does not exist.\nTo begin with the example that ships with orchestra, run:\n  cp "${example}" "${file}"`;
    case 'not a file':
      return 'it is a folder or something else that is no file.\nName the file itself: orchestra rules check FILE';
    case 'too large':
      return 'it is larger than 256 kB.\nRules are read before every task; keep the file short.';
    case 'EACCES':
    case 'EPERM':
      return `it may not be read (${reason}).\nChange its permissions, or name another file: orchestra rules check FILE`;
    default:
      return `the system says ${reason}.\nCheck its path.`;
  }
}
