import { type ServiceVariable, serviceVariables, unknownVariables } from "@svc/service-kit/service-variables";
import { Argument, type Command } from "commander";
import type { AdminSession } from "../admin-session.ts";
import { showRows } from "../show-rows.ts";

const mask = "********";
const urlName = /_(URL|ENDPOINT)$/;

/** A URL without its password; what is not a URL of a host may have one anywhere. */
function withoutPassword(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url?.host) return address.includes("@") ? mask : address;
  if (url.password) url.password = mask;
  for (const name of url.searchParams.keys()) {
    if (/password|secret|token|key/i.test(name)) url.searchParams.set(name, mask);
  }
  return url.href;
}

interface Setting {
  readonly variable: string;
  readonly value: string;
  readonly source: "environment" | "default" | "not set" | "missing";
}

function settingOf(variable: ServiceVariable, environment: AdminSession["world"]["environment"]): Setting {
  const { name, isRequired, isSecret } = variable;
  // As the services read it: an empty variable counts as absent.
  const given = environment[name]?.trim();
  if (given) {
    const shown = urlName.test(name) ? withoutPassword(given) : given;
    return { variable: name, value: isSecret ? mask : shown, source: "environment" };
  }
  if (isRequired) return { variable: name, value: "", source: "missing" };
  const value = variable.default ?? "";
  return { variable: name, value, source: variable.default === null ? "not set" : "default" };
}

export function addConfigCommand(program: Command, session: AdminSession): void {
  const { world } = session;
  program
    .command("config")
    .description("Print what a service would run with in this environment. Secrets are masked.")
    .addArgument(new Argument("<service>", "name of the service").choices(Object.keys(serviceVariables)))
    .action((service: string) => {
      const settings = (serviceVariables[service] ?? []).map((variable) => settingOf(variable, world.environment));
      showRows(world, settings);
      for (const { variable, nearest } of unknownVariables(world.environment)) {
        world.writeError(`${variable} is read by no service${nearest ? `; is ${nearest} meant?` : "."}\n`);
      }
      const missing = settings.filter(({ source }) => source === "missing").map(({ variable }) => variable);
      if (missing.length === 0) return;
      world.writeError(`${service} does not start: ${missing.join(", ")} missing.\n`);
      session.end(1);
    });
}
