import { type ServiceVariable, serviceVariables, unknownVariables } from "@svc/service-kit/service-variables";
import { Argument, type Command } from "commander";
import type { AdminContext, AdminSession } from "../admin-session.ts";
import { showRows } from "../show-rows.ts";

const mask = "********";
const urlName = /_(URL|ENDPOINT)$/;

/** The part after the credentials may list several hosts, as of Redis Sentinel, so this is not always a URL. */
const addressForm = /^(?<scheme>[a-z][a-z0-9+.-]*:\/\/)(?:(?<user>[^:@/?#]*)(?<password>:[^@/?#]*)?@)?(?<rest>[^@]*)$/i;
const secretOption = /([?&][^=&#]*(?:password|secret|token|key)[^=&#]*=)[^&#]*/gi;

/** An address without its passwords; what does not read as one may have a password anywhere. */
function withoutPassword(address: string): string {
  const parts = addressForm.exec(address)?.groups;
  if (!parts) return address.includes("@") ? mask : address;
  const { scheme, user, password, rest = "" } = parts;
  const credentials = user === undefined ? "" : `${user}${password === undefined ? "" : `:${mask}`}@`;
  return `${scheme}${credentials}${rest.replace(secretOption, `$1${mask}`)}`;
}

interface Setting {
  readonly variable: string;
  readonly value: string;
  readonly source: "environment" | "default" | "not set" | "missing";
}

function readSetting(variable: ServiceVariable, environment: AdminContext["environment"]): Setting {
  const { name, isRequired, isSecret } = variable;
  // As the services read it: an empty variable counts as absent.
  const rawValue = environment[name]?.trim();
  if (rawValue) {
    const visibleValue = urlName.test(name) ? withoutPassword(rawValue) : rawValue;
    return { variable: name, value: isSecret ? mask : visibleValue, source: "environment" };
  }
  if (isRequired) return { variable: name, value: "", source: "missing" };
  const value = variable.default ?? "";
  return { variable: name, value, source: variable.default === null ? "not set" : "default" };
}

export function addConfigCommand(program: Command, session: AdminSession): void {
  const { context } = session;
  program
    .command("config")
    .description("Print the configuration that a service would have in this environment. Secrets are masked.")
    .addArgument(new Argument("<service>", "name of the service").choices(Object.keys(serviceVariables)))
    .action((service: string) => {
      const settings = (serviceVariables[service] ?? []).map((variable) => readSetting(variable, context.environment));
      showRows(context, settings);
      for (const { variable, nearest } of unknownVariables(context.environment)) {
        context.writeError(`${variable} is read by no service${nearest ? `; is ${nearest} meant?` : "."}\n`);
      }
      const missing = settings.filter(({ source }) => source === "missing").map(({ variable }) => variable);
      if (missing.length === 0) return;
      context.writeError(`${service} does not start: ${missing.join(", ")} missing.\n`);
      session.end(1);
    });
}
