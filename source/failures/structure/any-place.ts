import {type CodePlace, findPlace, toPlace} from '../failure-match.ts';

/** A place in any of the forms that tools use. Each form takes linear time on a line of a log. */
export function findAnyPlace(text: string): CodePlace | undefined {
  const line = text.length > maxLength ? text.slice(0, maxLength) : text;
  if (!/\d/.test(line)) return undefined;
  const annotation = /\bfile=([^,:;]+)(?:,line=(\d+))?(?:,[^:]*?\bcol(?:umn)?=(\d+))?/.exec(line);
  if (annotation !== null) return toPlace(annotation[1], annotation[2], annotation[3]);
  for (const form of forms) {
    const {file, line: number, column} = form.exec(line)?.groups ?? {};
    if (file !== undefined && /[A-Za-z]/.test(file) && !/^https?:/.test(file))
      return toPlace(file, number, column);
  }

  const found = findPlace(line);
  return found === undefined || notFile.test(found.file) ? undefined : found;
}

const maxLength = 400;
const path = String.raw`(?<file>[\w@~+.\/\\-]{0,200}\.[A-Za-z]\w{0,9}|[\w@~+.\/-]{0,200}[/](?:Makefile|Dockerfile|BUILD|[Jj]ustfile)|Makefile|Dockerfile|[Jj]ustfile)`;
/** `localhost:3000`, versions and domains are no files. */
const notFile = /^(?:localhost|[\d.]+|v\d[\w.]*|.*\.(?:com|org|io|dev|net|local|internal))$/;

const forms: readonly RegExp[] = [
  // `cart.pas(4,12) Error:`, `Cart.cs(4,19): error`, `(src/main.js (1:7)`
  new RegExp(String.raw`(?:^|[\s"'[(])${path} ?\((?<line>\d{1,7})(?:[,:]\s?(?<column>\d{1,7}))?\)`),
  // `File "cart.ml", line 2, characters 29-43:`
  /\b[Ff]ile "(?<file>[^"]{1,300})", lines? (?<line>\d{1,7})/,
  // `spec/cart_spec.lua @ 4`
  new RegExp(String.raw`${path} @ (?<line>\d{1,7})\b`),
  // `in broken.php on line 3`, `at t/cart.t line 3`, `on main.tf line 4, in`, `Cart.cs:line 12`
  new RegExp(
    String.raw`(?:^|\b(?:[Ii]n|at|file|from|on|[Nn]ear|of) (?:test )?(?:file )?)["'(\x60]?(?:file:\/\/)?${path}["')\x60]?(?:,|:)? ?(?:on |at )?[Ll]ine:? ?(?<line>\d{1,7})(?:,? (?:col(?:umn)?|char(?:acter)?):? ?(?<column>\d{1,7}))?`,
  ),
  new RegExp(
    String.raw`^["']?${path}["']?[:,] ?\(?line:? ?(?<line>\d{1,7})(?:[,:]? ?\(?(?:col(?:umn)?|char(?:acter)?|position):? ?(?<column>\d{1,7}))?`,
    'i',
  ),
  new RegExp(
    String.raw`\b[Ll]ine (?<line>\d{1,7})(?:,? (?:col(?:umn)?) (?<column>\d{1,7}))? (?:of|in) (?:file )?["']?${path}`,
  ),
  // `./src/cart.js 3:7`, `test/cart_test.dart 8:5   main`, `src/cart.scss 3:10  root`
  new RegExp(String.raw`(?:^|\s)${path} (?<line>\d{1,7}):(?<column>\d{1,7})(?:\s|$)`),
  // `a.sh: 3: Syntax error`, as dash prints it.
  new RegExp(String.raw`^${path}: (?<line>\d{1,7}): `),
];

/** A file without a line. */
export function findBareFile(line: string): CodePlace | undefined {
  const file =
    /(?:^|[\s"'`([:])((?:\/|\.{1,2}\/)?(?:[\w@.+-]{1,80}\/){0,20}(?:[\w@+-][\w@.+-]{0,80}\.[A-Za-z]\w{0,7}|Makefile|Dockerfile|CMakeLists\.txt))(?=$|[\s"'`)\]:,])/.exec(
      line.slice(0, maxLength),
    )?.[1];
  return file === undefined ||
    /^(?:\d|www\.|v\d)|\.(?:com|org|io|dev|net|js\.org)$|^(?:[A-Z]\w*\.)+[a-z]\w*$|^(?:e\.g|i\.e|Node\.js)$/.test(
      file,
    )
    ? undefined
    : toPlace(file);
}
