import fs from "node:fs";
import { expect, test } from "@jest/globals";
import { z } from "zod";
import { httpVariables, stdioVariables } from "./config.ts";
import { serverInfo } from "./protocol/server-info.ts";

const read = (file: string) => JSON.parse(fs.readFileSync(new URL(`../${file}`, import.meta.url), "utf8"));

/**
 * The parts of https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json that the entry uses. A
 * field of another name is refused, which the published schema would let pass.
 */
const input = z.strictObject({
  description: z.string(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  format: z.enum(["string", "number", "boolean", "filepath"]).optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
});
const named = input.extend({ name: z.string() });
const exactVersion = z.string().regex(/^\d+\.\d+\.\d+$/);
const entrySchema = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: exactVersion,
  remotes: z.array(
    z.strictObject({
      type: z.literal("streamable-http"),
      url: z.string().regex(/^(https?:\/\/\S+|\{[a-zA-Z_]\w*\}\S*)$/),
      variables: z.record(z.string(), input),
      headers: z.array(named),
    }),
  ),
  packages: z.array(
    z.strictObject({
      registryType: z.literal("npm"),
      identifier: z.string(),
      version: exactVersion,
      runtimeHint: z.literal("npx"),
      transport: z.strictObject({ type: z.literal("stdio") }),
      environmentVariables: z.array(named),
    }),
  ),
});

const entry = entrySchema.parse(read("server.json"));
const [remote] = entry.remotes;
const [npm] = entry.packages;

test("the registry entry has the versions of the package and of the server", () => {
  const { version } = read("package.json");
  expect([entry.version, npm?.version, serverInfo.version]).toEqual([version, version, version]);
  expect(entry.title).toBe(serverInfo.title);
});

test("its remote address is that of the server, from variables that are all described", () => {
  const defaults = Object.entries(remote?.variables ?? {}).map(([name, variable]) => [name, variable.default] as const);
  const address = defaults.reduce((url, [name, value]) => url.replace(`{${name}}`, String(value)), remote?.url ?? "");
  expect(address).toBe(`http://localhost:${httpVariables.PORT.parse(undefined)}/mcp`);
});

test("its environment variables are those of the local process, with the same defaults, the token as a secret", () => {
  const variables = npm?.environmentVariables ?? [];
  for (const { name, default: preset, isRequired } of variables) {
    expect(Object.keys(stdioVariables)).toContain(name);
    const schema = stdioVariables[name as keyof typeof stdioVariables];
    if (preset === undefined) expect([isRequired, schema.safeParse(undefined).success]).toEqual([true, false]);
    else expect(String(schema.parse(undefined))).toBe(preset);
  }
  expect(variables.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual(["SVC_API_TOKEN"]);
  expect(remote?.headers).toMatchObject([{ name: "Authorization", isSecret: true }]);
});
