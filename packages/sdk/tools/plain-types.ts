import ts from "@typescript/typescript6";

/**
 * Writes types out in full, so that the published declarations need neither our unpublished packages nor the library
 * that the types are inferred with. Throws for what cannot be written as plain data.
 */
export function createTypeWriter(checker: ts.TypeChecker) {
  const inProgress = new Set<ts.Type>();

  const formatProperty = (symbol: ts.Symbol, depth: number): string => {
    const declaration = symbol.declarations?.[0];
    const optional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
    const type = checker.getTypeOfSymbol(symbol);
    const name = /^[A-Za-z_$][\w$]*$/.test(symbol.name) ? symbol.name : JSON.stringify(symbol.name);
    const readonly = declaration && ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly;
    const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker));
    const indent = "  ".repeat(depth);
    const doc = comment === "" ? "" : `${indent}/** ${comment.replace(/\s*\n\s*/g, " ")} */\n`;
    const text = write(type, depth);
    return `${doc}${indent}${readonly ? "readonly " : ""}${name}${optional ? "?" : ""}: ${optional ? text.replace(/^undefined \| | \| undefined$/, "") : text};\n`;
  };

  const writeObject = (type: ts.Type, depth: number): string => {
    if (type.getCallSignatures().length > 0) throw new Error(`A function is not data: ${checker.typeToString(type)}`);
    if (inProgress.has(type)) throw new Error(`A type that contains itself: ${checker.typeToString(type)}`);
    inProgress.add(type);
    const indexes = checker
      .getIndexInfosOfType(type)
      .map(
        (info) => `${"  ".repeat(depth + 1)}[key: ${write(info.keyType, depth)}]: ${write(info.type, depth + 1)};\n`,
      );
    const members = checker.getPropertiesOfType(type).map((symbol) => formatProperty(symbol, depth + 1));
    inProgress.delete(type);
    const all = [...indexes, ...members];
    return all.length === 0 ? "object" : `{\n${all.join("")}${"  ".repeat(depth)}}`;
  };

  const write = (type: ts.Type, depth: number): string => {
    // The compiler has boolean as `false | true`, and a union's text keeps the order in which it was written.
    if (type.flags & ts.TypeFlags.Boolean) return "boolean";
    if (type.isUnion()) {
      const parts = type.types.map((part) => write(part, depth));
      const merged = parts.includes("true") && parts.includes("false");
      const unionParts = merged ? [...parts.filter((part) => part !== "true" && part !== "false"), "boolean"] : parts;
      return [...new Set(unionParts)].join(" | ");
    }
    if (checker.isTupleType(type)) {
      const items = checker.getTypeArguments(type as ts.TypeReference).map((item) => write(item, depth));
      return `[${items.join(", ")}]`;
    }
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference);
      const name = type.symbol.name === "ReadonlyArray" ? "ReadonlyArray" : "Array";
      return `${name}<${item === undefined ? "unknown" : write(item, depth)}>`;
    }
    if (type.flags & ts.TypeFlags.Object) return writeObject(type, depth);
    if (type.flags & (ts.TypeFlags.TypeParameter | ts.TypeFlags.Intersection | ts.TypeFlags.Conditional)) {
      throw new Error(`Not plain data: ${checker.typeToString(type)}`);
    }
    return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  };

  return (type: ts.Type) => write(type, 0);
}
