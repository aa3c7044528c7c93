import {type CodePlace, findPlace, toPlace} from '../failure-match.ts';

/** A place in any of the forms that tools use. Each form takes linear time on a line of a log. */
export function findAnyPlace(text: string): CodePlace | undefined {
  const line = text.slice(0, maxLength).replaceAll(/ {24,}/g, ' '.repeat(24));
  if (!/\d/.test(line)) return undefined;
  const annotation = /\bfile=([^,:;]+)(?:,line=(\d+))?(?:,[^:]*?\bcol(?:umn)?=(\d+))?/.exec(line);
  if (annotation !== null) return toPlace(annotation[1], annotation[2], annotation[3]);
  for (const form of forms) {
    const {file, line: number, column} = form.exec(line)?.groups ?? {};
    // `items.name (19)` and `Shop.pay(20)` are no places.
    if (column === undefined && form === forms[0] && !sourceFile.test(file ?? '')) continue;
    if (file !== undefined && /[A-Za-z]/.test(file) && !/^https?:/.test(file))
      return toPlace(file, number, column);
  }

  const found = findPlace(line);
  return found === undefined || notFile.test(found.file) ? undefined : found;
}

const maxLength = 240;
const path = String.raw`(?<file>[\w@~+.\/\\-]{0,100}\.[A-Za-z]\w{0,9}|[\w@~+.\/-]{0,100}[/](?:Makefile|Dockerfile|BUILD|[Jj]ustfile)|Makefile|Dockerfile|[Jj]ustfile)`;
/** `localhost:3000`, versions and domains are no files. */
const notFile = /^(?:localhost|[\d.]+|v\d[\w.]*|.*\.(?:com|org|io|dev|net|local|internal))$/;

const forms: readonly RegExp[] = [
  // `cart.pas(4,12) Error:`, `Cart.cs(4,19): error`, `(src/main.js (1:7)`
  new RegExp(
    String.raw`(?:^|[\s"'[(])${path} ?\((?<line>\d{1,7})(?:[,:]\s?(?<column>\d{1,7}))?\)(?=[:\s,]|$)`,
  ),
  // `File "cart.ml", line 2, characters 29-43:`
  /\b[Ff]ile "(?<file>[^"]{1,300})", lines? (?<line>\d{1,7})/,
  // `spec/cart_spec.lua @ 4`
  new RegExp(String.raw`${path} @ (?<line>\d{1,7})\b`),
  // `in broken.php on line 3`, `at t/cart.t line 3`, `on main.tf line 4, in`, `Cart.cs:line 12`
  new RegExp(
    String.raw`(?:^|\b(?:[Ii]n|at|file|from|on|[Nn]ear|of) (?:test )?(?:file )?)["'(\x60]?(?:file:\/\/)?${path}["')\x60]?(?:,|:)? ?(?:on |at )?[Ll]ine:? ?(?<line>\d{1,7})(?:,? (?:col(?:umn)?|char(?:acter)?):? ?(?<column>\d{1,7}))?`,
  ),
  new RegExp(
    String.raw`(?:^|[\s"'])${path}["']?[:,] ?\(?line:? ?(?<line>\d{1,7})(?:[,:]? ?\(?(?:col(?:umn)?|char(?:acter)?|position):? ?(?<column>\d{1,7}))?`,
    'i',
  ),
  new RegExp(
    String.raw`\b[Ll]ine (?<line>\d{1,7})(?:,? (?:col(?:umn)?) (?<column>\d{1,7}))? (?:of|in) (?:file )?["']?${path}`,
  ),
  // `(cart.erl, line 11)`, `lighttpd.conf line: 4`, `line: 14 tax_test.cpp`
  new RegExp(String.raw`(?:^|[\s("'[])${path}["']?,? [Ll]ine:? (?<line>\d{1,7})\b`),
  // `sshd_config: line 3: …`
  /^(?!(?:ba|z|da|k)?sh:|-c:)(?<file>[\w./-]{2,200}): line (?<line>\d{1,7}): /,
  new RegExp(String.raw`\bline:? (?<line>\d{1,7}) ${path}(?:\s|$)`),
  // `lib/Shop.pm: Code before strictures at line 2, column 1.`
  new RegExp(
    String.raw`^${path}: .{1,200}\bat line (?<line>\d{1,7})(?:,? col(?:umn)? (?<column>\d{1,7}))?`,
  ),
  // `Assert_failure("total.ml", 2, 9)`
  /\("(?<file>[^"]{1,200}\.\w{1,10})", (?<line>\d{1,7}), (?<column>\d{1,7})\)/,
  // `./src/cart.js 3:7`, `test/cart_test.dart 8:5   main`, `src/cart.scss 3:10  root`
  new RegExp(String.raw`(?:^|\s)${path} (?<line>\d{1,7}):(?<column>\d{1,7})(?:-\d+)?(?:\s|$)`),
  // `cart.1:11:2: ERROR`
  /(?:^|\s)(?<file>[\w@~+./-]{1,200}\.\d):(?<line>\d{1,7}):(?<column>\d{1,7}): /,
  // `cannot format broken.py: Cannot parse: 2:4: …`
  new RegExp(String.raw`(?:^|\s)${path}: .{0,80}\s(?<line>\d{1,7}):(?<column>\d{1,7})(?:: |$)`),
  // `a.sh: 3: Syntax error`, as dash prints it.
  new RegExp(String.raw`^${path}: (?<line>\d{1,7}): `),
];

/**
 * A file without a line: at the beginning of the line after a level or a verb (`would reformat
 * src/cart.py`), or at its end (`Merge conflict in shop.conf`). Any other file is only mentioned.
 */
export function findBareFile(text: string): CodePlace | undefined {
  const line = text.slice(0, maxLength).trim();
  const subject = line.replace(leading, '').replace(/^["'<([]+/, '');
  const first = /^[^\s"'>)\]]{1,200}/.exec(subject)?.[0].replace(/[:,;]+$/, '') ?? '';
  if (sourceFile.test(first)) return toPlace(first);
  const named = /^(\S{1,200}\.[a-z]{2,10}): (?:error|warning)/i.exec(line)?.[1];
  if (named !== undefined) return toPlace(named);
  const last = / (?:in|for|file) (\S{1,200})$/.exec(line)?.[1] ?? '';
  return sourceFile.test(last) ? toPlace(last) : undefined;
}

/** Levels, marks, the tool's name and verbs before a file. */
const leading =
  /^(?:(?:\W{1,10}(?=[\w/.<]))?(?:\[?(?:warn(?:ing)?|error|info|err|fail(?:ed)?)\]?:?\s+|would (?:reformat|change|be reformatted)\s+|cannot (?:format|parse|read)\s+|Diff in |FILE: ?|File:? |Line +|Linting |Checking |Processing |Running |--- (?:a\/)?|== \[|<?file name=|\d+\) |L: |ERROR in |browser: \w+ )){0,4}(?:[^\w/.]{1,10}(?=[\w/.]))?/i;

const sourceFile =
  /^(?:\/|\.{1,2}\/)?(?:[\w@.+-]{1,80}\/){0,20}(?:[\w@+-][\w@.+-]{0,80}\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|pyi|ipynb|rb|php|go|rs|java|kts?|scala|groovy|gradle|clj[cs]?|edn|exs?|erl|hs|ml|mli|elm|swift|m|mm|c|cc|cpp|cxx|h|hh|hpp|cs|fs|vb|dart|lua|pl|pm|t|r|R|jl|nim|zig|cr|d|pas|sh|bash|zsh|fish|bats|ps1|sql|css|scss|sass|less|html?|xml|xsd|svg|json[c5]?|ya?ml|toml|ini|cfg|tf|tfvars|hcl|nix|proto|graphql|gql|md|mdx|rst|adoc|tex|bib|cmake|mk|feature|robot|tcl|v|sv|vhdl?|f90|asm|s|wat|sol|conf|exp|lisp|scm|rkt|el)|Makefile|Dockerfile|CMakeLists\.txt|[Jj]ustfile|Gemfile|Rakefile)$/;
