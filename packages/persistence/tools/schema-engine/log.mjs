/** Writes one line of the form that the Prisma command line reads from the engine's stderr. */
export function log(level, message, fields = {}) {
  const line = {
    level,
    target: "schema_engine::logger",
    timestamp: new Date().toISOString(),
    fields: { message, ...fields },
  };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}
