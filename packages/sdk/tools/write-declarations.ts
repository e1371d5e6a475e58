import fs from "node:fs";
import path from "node:path";
import ts from "@typescript/typescript6";
import { createTypeWriter } from "./plain-types.ts";

const packageFolder = path.resolve(import.meta.dirname, "..");
const source = path.join(packageFolder, "src");
/** Name of the file with the types that the declarations take from our unpublished packages. */
const wireFile = "wire-types.d.ts";

function createProgram(entries: readonly string[], outDir: string): ts.Program {
  const configFile = path.join(packageFolder, "tsconfig.json");
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(configFile, ts.sys.readFile).config,
    ts.sys,
    packageFolder,
  );
  return ts.createProgram(entries, {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rewriteRelativeImportExtensions: true,
    rootDir: path.resolve(packageFolder, "../.."),
    outDir,
  });
}

/** Every exported type of our unpublished packages, by its name, as the sources import them. */
function unpublishedTypes(program: ts.Program): ReadonlyMap<string, ts.Type> {
  const checker = program.getTypeChecker();
  const found = new Map<string, ts.Type>();
  for (const file of program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${source}${path.sep}`))) {
    for (const statement of file.statements) {
      if (!ts.isImportDeclaration(statement) || !statement.moduleSpecifier.getText(file).startsWith('"@svc/')) continue;
      const module = checker.getSymbolAtLocation(statement.moduleSpecifier);
      for (const exported of module === undefined ? [] : checker.getExportsOfModule(module)) {
        const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
        if (symbol.flags & ts.SymbolFlags.Type) found.set(exported.name, checker.getDeclaredTypeOfSymbol(symbol));
      }
    }
  }
  return found;
}

const unpublished = /"@svc\/[^"]+"/g;
/**
 * `import { A, type B } from "@svc/…"`, the same with `export`, and `import("@svc/…").A`, which are all the ways that
 * the compiler writes.
 */
const namedImport = /(?:import|export) (?:type )?\{([^}]*)\} from "@svc\/[^"]+"/g;
const inlineImport = /import\("@svc\/[^"]+"\)\.(\w+)/g;

function namesTakenBy(text: string): string[] {
  const named = [...text.matchAll(namedImport)].flatMap(([, names = ""]) => names.split(","));
  const inline = [...text.matchAll(inlineImport)].map(([, name = ""]) => name);
  return [...named.map((name) => name.replace("type ", "").trim()), ...inline].filter((name) => name !== "");
}

/**
 * Writes the package's declarations to a folder: one file for each source file that the entries reach, free of every
 * import but those of each other. Throws for a type that cannot be
 * written without our unpublished packages; that the sources are right, `npm run check` proves.
 */
export function writeDeclarations(entries: readonly string[], folder: string): void {
  const program = createProgram(
    entries.map((entry) => path.join(source, entry)),
    folder,
  );
  const below = path.join(path.relative(path.resolve(packageFolder, "../.."), source), path.sep);
  const names = new Set<string>();
  program.emit(
    undefined,
    (fileName, text) => {
      const relative = path.relative(folder, fileName);
      if (!relative.startsWith(below)) return;
      const file = path.join(folder, relative.slice(below.length));
      for (const name of namesTakenBy(text)) names.add(name);
      const toWire = path.relative(path.dirname(file), path.join(folder, wireFile)).replace(/\.d\.ts$/, ".js");
      const specifier = toWire.startsWith(".") ? toWire : `./${toWire}`;
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text.replace(unpublished, `"${specifier}"`).replace(/("\.[^"]*)\.ts"/g, '$1.js"'));
    },
    undefined,
    true,
  );
  const write = createTypeWriter(program.getTypeChecker());
  const types = unpublishedTypes(program);
  const texts = [...names].sort().map((name) => {
    const type = types.get(name);
    if (type === undefined) throw new Error(`The declarations name ${name}, which is not a type of our packages.`);
    return `export type ${name} = ${write(type)};\n`;
  });
  fs.writeFileSync(path.join(folder, wireFile), texts.join("\n"));
}
