/** The value without some of its members. */
export function omit<Value extends object, Name extends keyof Value & string>(
  value: Value,
  names: readonly Name[],
): Omit<Value, Name> {
  const omitted: readonly string[] = names;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !omitted.includes(name))) as Omit<Value, Name>;
}
