import { z } from "zod";

/** Invalid environment variables. The message has one line for each problem and contains no values. */
export class ConfigError extends Error {
  constructor(service: string, problems: readonly string[]) {
    super(`${service} cannot start: ${problems.length} problem(s) in its environment.\n${problems.join("\n")}`);
    this.name = "ConfigError";
  }
}

/** Variables that every service reads in addition to its own. */
export const processVariables = {
  PORT: z.coerce.number().int().min(0).max(65_535).describe("port of the service's HTTP server; 0 selects a free port"),
  HOST: z.string().default("127.0.0.1").describe("address to listen on"),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("least severe level that is logged"),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe("port that serves /metrics alone, for a network that only the operator reaches"),
  SVC_METRICS_TOKEN: z
    .string()
    .min(8)
    .optional()
    .describe(
      "bearer token for /metrics on the service's own port; without it /metrics is closed on ports that users reach",
    ),
  SVC_DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(60)
    .default(0)
    .describe(
      "how long a stopping service that users reach still accepts requests, so that load balancers notice: 5 behind one",
    ),
};

/** The values of `processVariables`. */
export type ProcessConfig = z.output<z.ZodObject<typeof processVariables>>;

/** A boolean variable: true for `true` and `1`, otherwise false. */
export const flag = z
  .enum(["true", "false", "1", "0"])
  .default("false")
  .transform((value) => value === "true" || value === "1");

const isSecretKey = (key: string): boolean => Buffer.from(key, "base64").length === 32;
const notKeys = "must be 32 bytes in base64, or several such keys separated by commas";

/**
 * Keys that encrypt secrets in the database: the current key, then former keys that only decrypt, separated by commas.
 */
export const secretKeys = z.string().refine((keys) => keys.split(",").every(isSecretKey), notKeys);

/**
 * Reads a service's variables from the environment and checks all of them before anything starts.
 * An empty variable counts as absent. Throws ConfigError naming all problems at once.
 */
export function readConfig<S extends z.ZodRawShape>(
  service: string,
  variables: S,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<z.output<z.ZodObject<S>>> {
  const presentVariables = Object.fromEntries(
    Object.keys(variables).flatMap((name) => {
      const value = environment[name];
      return value === undefined || value.trim() === "" ? [] : [[name, value.trim()]];
    }),
  );
  const result = z.object(variables).safeParse(presentVariables);
  if (result.success) return Object.freeze(result.data);
  const problems = result.error.issues.map((issue) => {
    const name = String(issue.path[0] ?? "");
    const about = (variables[name] as z.ZodType | undefined)?.description;
    const what = name in presentVariables ? `is not valid: ${issue.message}` : "is missing";
    return `  ${name} ${what}${about ? ` (${about})` : ""}`;
  });
  throw new ConfigError(service, problems);
}
