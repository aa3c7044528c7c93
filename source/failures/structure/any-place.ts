import {findPlace, type Place, toPlace} from '../failure-match.ts';

/** A place in any of the forms that tools use. Each form takes linear time on a line of a log. */
export function findAnyPlace(text: string): Place | undefined {
  const line = text.length > maxLength ? text.slice(0, maxLength) : text;
  if (!/\d/.test(line)) return undefined;
  const annotation = /\bfile=([^,:;]+)(?:,line=(\d+))?(?:,[^:]*?\bcol(?:umn)?=(\d+))?/.exec(line);
  if (annotation !== null) return toPlace(annotation[1], annotation[2], annotation[3]);
  for (const form of forms) {
    const {file, line: number, column} = form.exec(line)?.groups ?? {};
    if (file !== undefined && /\w/.test(file)) return toPlace(file, number, column);
  }

  return findPlace(line);
}

const maxLength = 400;
const path = String.raw`(?<file>[\w@~+./\\-]{1,200}[\w)])`;

const forms: readonly RegExp[] = [
  // `cart.pas(4,12) Error:`, `Cart.cs(4,19): error`
  new RegExp(String.raw`(?:^|[\s"'[])${path}\((?<line>\d{1,7})(?:,\s?(?<column>\d{1,7}))?\)`),
  // `File "cart.ml", line 2, characters 29-43:`
  /\bFile "(?<file>[^"]{1,300})", lines? (?<line>\d{1,7})/,
  // `spec/cart_spec.lua @ 4`
  new RegExp(String.raw`${path} @ (?<line>\d{1,7})\b`),
  // `in broken.php on line 3`, `at t/cart.t line 3`, `at line 9 of x`
  new RegExp(
    String.raw`(?:^|\b(?:in|at|file|from) )["'(]?${path}["')]?,? (?:on |at )?[Ll]ine:? ?(?<line>\d{1,7})(?:,? (?:col(?:umn)?|char(?:acter)?):? ?(?<column>\d{1,7}))?`,
  ),
  new RegExp(
    String.raw`^["']?${path}["']?[:,] ?\(?line:? ?(?<line>\d{1,7})(?:[,:]? ?\(?(?:col(?:umn)?|char(?:acter)?):? ?(?<column>\d{1,7}))?`,
    'i',
  ),
  new RegExp(
    String.raw`\bline (?<line>\d{1,7})(?:,? (?:col(?:umn)?) (?<column>\d{1,7}))? (?:of|in) (?:file )?["']?${path}`,
  ),
];
