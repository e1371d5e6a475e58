/**
 * `node scripts/lint-openapi.ts`: two public linters over the committed description of the API. Exit code 1 when one
 * finds anything.
 */
import fs from "node:fs";
import path from "node:path";
import { createConfig, lint } from "@redocly/openapi-core";
import spectralCore, { type RulesetDefinition } from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";

const file = path.resolve(import.meta.dirname, "../docs/api/openapi.json");

/** Redocly's recommended rules, warnings included. */
async function redocly(): Promise<string[]> {
  const rules = {
    // The committed description names the address of `npm start`; a service names its own.
    "no-server-example.com": "off",
    // A resource that is only ever included has no operation of its own.
    "no-unused-components": "off",
  } as const;
  const config = await createConfig({ extends: ["recommended"], rules });
  const problems = await lint({ ref: file, config });
  return problems.map(({ ruleId, message, location }) => `redocly ${ruleId} ${location[0]?.pointer ?? ""}: ${message}`);
}

/** Spectral's recommended rules for OpenAPI, warnings included. */
async function spectral(): Promise<string[]> {
  const rules = {
    // Whom to ask is the affair of those who run the service.
    "info-contact": "off",
    "oas3-unused-component": "off",
  } as const;
  const linter = new spectralCore.Spectral();
  // The types of the two packages differ about the rules that one of them publishes.
  const recommended = spectralRulesets.oas as unknown as RulesetDefinition;
  linter.setRuleset({ extends: [[recommended, "recommended"]], rules });
  const problems = await linter.run(fs.readFileSync(file, "utf8"));
  return problems.map(({ code, message, path: at }) => `spectral ${code} #/${at.join("/")}: ${message}`);
}

const problems = [...(await redocly()), ...(await spectral())];
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
