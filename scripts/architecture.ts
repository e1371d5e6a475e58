import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { cruise, type IForbiddenRuleType, type IReporterOutput } from "dependency-cruiser";
import { bundledApps, dependenciesOf, inlinedDependencies } from "./bundle-dependencies.ts";

export interface Violation {
  readonly rule: string;
  /** A path, or a path and a line. */
  readonly where: string;
  readonly message: string;
}

interface Module {
  readonly source: string;
  readonly dependencies: readonly { readonly resolved: string }[];
}

interface ImportViolation {
  readonly rule: { readonly name: string };
  readonly from: string;
  readonly to: string;
}

const { forbidden, mayImport, webReadsDatabase, options } = createRequire(import.meta.url)(
  "../.dependency-cruiser.cjs",
) as {
  mayImport: Readonly<Record<string, readonly string[]>>;
  /** Patterns of the files of `from` that may import `to`. */
  webReadsDatabase: { readonly files: readonly string[]; readonly from: string; readonly to: string };
  forbidden: (IForbiddenRuleType & { name: string; comment: string })[];
  options: object;
};

const members = ["packages", "apps", "scripts", "tests", "bench", "examples"];
const skipped = new Set(["node_modules", "dist", "generated", "coverage", ".turbo"]);
const source = /\.(ts|tsx|mjs|cjs|js)$/;
const test = /\.test\.ts$|\/testing\//;
const linesMax = 350;

function sourceFiles(root: string): string[] {
  const walk = (folder: string): string[] =>
    fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const relative = path.join(folder, entry.name);
      if (skipped.has(entry.name)) return [];
      if (entry.isDirectory()) return walk(relative);
      return entry.isFile() && source.test(entry.name) ? [relative] : [];
    });
  return members.filter((member) => fs.existsSync(path.join(root, member))).flatMap(walk);
}

/** The name of a file or folder that says nothing about what is inside. */
const vague = /^(utils?|helpers?|common|types|misc)$|[-.](utils?|helpers?)$|\.types$/;

/** A snake_case property of an object, type or destructuring, at the start of a line. */
const snakeCaseProperty = /^\s*(?:readonly )?"?([a-z][a-z0-9]*(?:_[a-z0-9]+)+)"?\??:/;
/**
 * A file with that many properties that the wire has too is a serializer. One or two may be a table by status or sort
 * key.
 */
const wireNamesMax = 2;
const camelCaseOnly =
  /^(packages\/(domain|queue|carriers|service-kit)|apps\/(api|webhook-worker|tracking-worker|deeplink|web))\/src\//;

interface SourceFile {
  readonly file: string;
  readonly lines: readonly string[];
  /** The snake_case properties of packages/jsonapi, without the values of the domain's enumerations. */
  readonly wireNames: ReadonlySet<string>;
}

type Complaint = readonly [line: number, message: string];

function matches(lines: readonly string[], pattern: RegExp, complain: (found: string) => string | null): Complaint[] {
  return lines.flatMap((line, index) => {
    const found = pattern.exec(line);
    const complaint = found && complain(found[1] ?? found[0]);
    return complaint ? [[index + 1, complaint] as const] : [];
  });
}

/** Rules that imports alone do not show. Each looks at one file. */
const fileRules: Readonly<Record<string, (source: SourceFile) => Complaint[]>> = {
  "no-vague-names": ({ file }) => {
    const stem = path
      .basename(file)
      .replace(source, "")
      .replace(/\.test$/, "");
    const words = [...path.dirname(file).split(path.sep), stem];
    return words.filter((word) => vague.test(word)).map((word) => [1, `"${word}" says nothing; name what it holds.`]);
  },
  "line-limit": ({ lines }) =>
    lines.length > linesMax ? [[linesMax + 1, `${lines.length} lines; at most ${linesMax}. Split it by purpose.`]] : [],
  "domain-reads-no-clock": ({ file, lines }) => {
    if (!file.startsWith("packages/domain/src/") || test.test(file)) return [];
    return matches(lines, /new Date\(\s*\)/, () => "The domain reads no clock; take a Clock.");
  },
  "wire-names-only-in-jsonapi": ({ file, lines, wireNames }) => {
    if (!camelCaseOnly.test(file) || test.test(file)) return [];
    const found = matches(lines, snakeCaseProperty, (name) => (wireNames.has(name) ? name : null));
    if (found.length <= wireNamesMax) return [];
    return found.map(([line, name]) => [line, `${name} is a wire name; packages/jsonapi writes and reads those.`]);
  },
};

interface SourceText {
  readonly file: string;
  readonly text: string;
}

function wireNamesOf(sources: readonly SourceText[]): ReadonlySet<string> {
  const textsIn = (folder: string) =>
    sources.filter(({ file }) => file.startsWith(folder) && !test.test(file)).map(({ text }) => text);
  const domainValues = new Set(
    textsIn("packages/domain/src/").flatMap((text) =>
      [...text.matchAll(/"([a-z0-9]+(?:_[a-z0-9]+)+)"/g)].map(([, word]) => word),
    ),
  );
  const properties = textsIn("packages/jsonapi/src/").flatMap((text) =>
    matches(text.split("\n"), snakeCaseProperty, (name) => name).map(([, name]) => name),
  );
  return new Set(properties.filter((name) => !domainValues.has(name)));
}

function checkFiles(root: string, files: readonly string[]): Violation[] {
  const sources = files.map((file) => ({
    file,
    text: fs.readFileSync(path.join(root, file), "utf8").replace(/\n$/, ""),
  }));
  const wireNames = wireNamesOf(sources);
  return sources.flatMap(({ file, text }) =>
    Object.entries(fileRules).flatMap(([rule, check]) =>
      check({ file, lines: text.split("\n"), wireNames }).map(([line, message]) => ({
        rule,
        where: `${file}:${line}`,
        message,
      })),
    ),
  );
}

const bundleRule = "apps-declare-what-they-inline";

function checkBundles(root: string): Violation[] {
  return bundledApps(root).flatMap((app) => {
    const declared = new Set(dependenciesOf(root, app));
    const missing = inlinedDependencies(root, app).filter((name) => !declared.has(name));
    return missing.map((name) => ({
      rule: bundleRule,
      where: `${app}/package.json`,
      message: `The bundle needs ${name}: add it to the dependencies.`,
    }));
  });
}

const rootRule = "root-depends-on-no-member";

/** turbo takes a dependency of the root for one of every member, so that each edit of it would affect all of them. */
function checkRootManifest(root: string): Violation[] {
  const file = path.join(root, "package.json");
  if (!fs.existsSync(file)) return [];
  const { dependencies, devDependencies } = JSON.parse(fs.readFileSync(file, "utf8")) as {
    dependencies?: Readonly<Record<string, string>>;
    devDependencies?: Readonly<Record<string, string>>;
  };
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([, version]) => version.startsWith("workspace:"))
    .map(([name]) => ({
      rule: rootRule,
      where: "package.json",
      message: `Move ${name} to the manifest of the member that uses it: an edit of it would affect every member.`,
    }));
}

const permissionRule = "permissions-are-used";

/** Permissions that no import uses, between members with a manifest: trees of tests have only some members. */
function unusedPermissions(root: string, modules: readonly Module[]): Violation[] {
  const { files, from: web, to: persistence } = webReadsDatabase;
  const isPresent = (member: string): boolean => fs.existsSync(path.join(root, member, "package.json"));
  const table = Object.entries(mayImport).flatMap(([member, allowed]) =>
    allowed.map((to) => ({ member, isUser: (file: string) => file.startsWith(`${member}/`), named: member, to })),
  );
  const pageRules = files.map((pattern) => {
    const isUser = (file: string) => new RegExp(pattern).test(file) && !test.test(file);
    return { member: web, isUser, named: pattern, to: persistence };
  });
  return [...table, ...pageRules]
    .filter(({ member, to }) => isPresent(member) && isPresent(to))
    .filter(({ isUser, to }) => {
      const users = modules.filter(({ source: file }) => isUser(file));
      return !users.some(({ dependencies }) => dependencies.some(({ resolved }) => resolved.startsWith(`${to}/`)));
    })
    .map(({ named, to }) => ({
      rule: permissionRule,
      where: ".dependency-cruiser.cjs",
      message: `${named} does not import ${to}. Remove the permission.`,
    }));
}

async function checkImports(root: string, files: string[]): Promise<Violation[]> {
  const { output }: IReporterOutput = await cruise(files, {
    ...options,
    baseDir: root,
    outputType: "json",
    ruleSet: { forbidden },
    validate: true,
  });
  const { summary, modules } = JSON.parse(output as string) as {
    summary: { violations: ImportViolation[] };
    modules: Module[];
  };
  const violations = summary.violations.map(({ rule, from, to }) => ({
    rule: rule.name,
    where: from,
    message: `imports ${to}. ${forbidden.find(({ name }) => name === rule.name)?.comment}`,
  }));
  return [...violations, ...unusedPermissions(root, modules)];
}

export const ruleNames: readonly string[] = [
  ...forbidden.map(({ name }) => name),
  ...Object.keys(fileRules),
  bundleRule,
  rootRule,
  permissionRule,
];

/**
 * Checks that a tree keeps to ARCHITECTURE.md: the import rules of .dependency-cruiser.cjs, and what imports alone do
 * not show. `root` is the repository, or a tree that looks like it.
 */
export async function checkArchitecture(root: string): Promise<{ files: number; violations: Violation[] }> {
  const files = sourceFiles(root);
  const imports = await checkImports(root, files);
  return {
    files: files.length,
    violations: [...imports, ...checkFiles(root, files), ...checkBundles(root), ...checkRootManifest(root)],
  };
}

if (process.argv[1] === import.meta.filename) {
  const { files, violations } = await checkArchitecture(path.resolve(import.meta.dirname, ".."));
  for (const { rule, where, message } of violations) console.log(`${rule}: ${where} ${message}`);
  console.log(`${files} files, ${violations.length} violations`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
