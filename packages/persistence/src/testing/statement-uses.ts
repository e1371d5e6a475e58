import path from "node:path";
import ts from "@typescript/typescript6";

/** A type as far as a value of PostgreSQL can be compared with it. */
export interface DeclaredType {
  /** A type stands for an array of it. */
  readonly kind: "string" | "number" | "boolean" | "bytes" | "object" | "unknown" | DeclaredType;
  readonly isNullable: boolean;
}

/** A call that runs a statement. */
export interface StatementUse {
  readonly file: string;
  readonly line: number;
  /** The expression of the statement, when it consists of constants of the module; null otherwise. */
  readonly statement: string | null;
  /** The declared members of a row; null when the call declares none. */
  readonly row: ReadonlyMap<string, DeclaredType> | null;
  /** The types of the values, in order or by their names; null when their number is not constant. */
  readonly values: readonly DeclaredType[] | ReadonlyMap<string, DeclaredType> | null;
}

const isStatement = (type: ts.Type): boolean =>
  type.getProperty("text") !== undefined && type.getProperty("name") !== undefined;

function declaredType(checker: ts.TypeChecker, type: ts.Type): DeclaredType {
  const parts = type.isUnion() ? type.types : [type];
  const isNullable = parts.some(({ flags }) => (flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !== 0);
  const values = parts.filter(({ flags }) => (flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) === 0);
  const kinds = values.map((value): DeclaredType["kind"] => {
    const constituents = value.isIntersection() ? value.types : [value];
    if (constituents.some(({ flags }) => (flags & ts.TypeFlags.StringLike) !== 0)) return "string";
    if (constituents.some(({ flags }) => (flags & ts.TypeFlags.NumberLike) !== 0)) return "number";
    if (constituents.some(({ flags }) => (flags & ts.TypeFlags.BooleanLike) !== 0)) return "boolean";
    if ((value.flags & ts.TypeFlags.Object) === 0) return "unknown";
    if (value.getProperty("BYTES_PER_ELEMENT")) return "bytes";
    const [element] = checker.isArrayType(value) ? checker.getTypeArguments(value as ts.TypeReference) : [];
    return element ? declaredType(checker, element) : "object";
  });
  const [kind = "unknown"] = kinds;
  const isOneKind = kinds.every((other) => JSON.stringify(other) === JSON.stringify(kind));
  return { kind: isOneKind ? kind : "unknown", isNullable };
}

function rowOf(checker: ts.TypeChecker, node: ts.TypeNode): ReadonlyMap<string, DeclaredType> | null {
  const type = checker.getTypeFromTypeNode(node);
  if ((type.flags & ts.TypeFlags.TypeParameter) !== 0 || type.getProperties().length === 0) return null;
  return membersOf(checker, type, node);
}

/** The members of a type that are not optional. */
function membersOf(checker: ts.TypeChecker, type: ts.Type, node: ts.Node): ReadonlyMap<string, DeclaredType> {
  const members = type.getProperties().filter(({ flags }) => (flags & ts.SymbolFlags.Optional) === 0);
  return new Map(
    members.map((member) => [member.name, declaredType(checker, checker.getTypeOfSymbolAtLocation(member, node))]),
  );
}

/** The text of an expression of module constants, such as `insert` or `statements.insert`. */
function constantText(checker: ts.TypeChecker, node: ts.Expression): string | null {
  let root: ts.Expression = node;
  while (ts.isPropertyAccessExpression(root)) root = root.expression;
  if (!ts.isIdentifier(root)) return null;
  const [declaration] = checker.getSymbolAtLocation(root)?.declarations ?? [];
  if (!declaration || ts.isParameter(declaration)) return null;
  const owner = ts.findAncestor(declaration, (one) => ts.isVariableStatement(one) || ts.isImportDeclaration(one));
  return owner && ts.isSourceFile(owner.parent) ? node.getText() : null;
}

/** The types of values that are written in the call or as a constant before it. */
function valuesOf(checker: ts.TypeChecker, node: ts.Expression): StatementUse["values"] {
  const typeOf = (value: ts.Expression) => declaredType(checker, checker.getTypeAtLocation(value));
  if (ts.isAsExpression(node)) return valuesOf(checker, node.expression);
  if (ts.isArrayLiteralExpression(node))
    return node.elements.some(ts.isSpreadElement) ? null : node.elements.map(typeOf);
  // `statement.values({ … })` of named-parameters.ts.
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const [named] = node.arguments;
    const isStatementCall = isStatement(checker.getTypeAtLocation(node.expression.expression));
    return named && isStatementCall ? membersOf(checker, checker.getTypeAtLocation(named), node) : null;
  }
  const declaration = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node)?.valueDeclaration : undefined;
  if (!declaration || !ts.isVariableDeclaration(declaration) || !declaration.initializer) return null;
  return (declaration.parent.flags & ts.NodeFlags.Const) === 0 ? null : valuesOf(checker, declaration.initializer);
}

/** Every call of the files that runs a statement. */
export function findStatementUses(folder: string, files: readonly string[]): StatementUse[] {
  const { config } = ts.readConfigFile(path.join(folder, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const program = ts.createProgram({ rootNames: files, options });
  const checker = program.getTypeChecker();
  const uses: StatementUse[] = [];

  const add = (node: ts.CallExpression, statement: ts.Expression, values: ts.Expression | undefined): void => {
    const file = node.getSourceFile();
    const [row] = node.typeArguments ?? [];
    uses.push({
      file: file.fileName,
      line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1,
      statement: constantText(checker, statement),
      row: row ? rowOf(checker, row) : null,
      values: values ? valuesOf(checker, values) : null,
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const [statement, values] = node.arguments;
      const callee = node.expression;
      const isRun = ts.isPropertyAccessExpression(callee) && ["rows", "execute"].includes(callee.name.text);
      const hasRowType = node.typeArguments?.length === 1;
      if (statement && (isRun || hasRowType) && isStatement(checker.getTypeAtLocation(statement)))
        add(node, statement, isRun ? values : undefined);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of files) {
    const source = program.getSourceFile(file);
    if (source) visit(source);
  }
  return uses;
}
