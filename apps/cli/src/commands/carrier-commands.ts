import { type CarrierResource, type Client, credentialsOfChoice, fieldsToAsk, type MappedRecord } from "@svc/sdk";
import { type Command, Option } from "commander";
import { promptForValue } from "../access/prompt-for-value.ts";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import { columnsFor } from "../output/cells.ts";
import type { ProcessContext } from "../process-context.ts";
import { openSession, type Session } from "../session.ts";
import { readText } from "./read-file.ts";

const carrierColumns = columnsFor<MappedRecord<CarrierResource>>(
  ["SCAC", "scac"],
  ["NAME", "name"],
  ["KIND", "kind"],
  ["CONNECTION", "connection"],
  ["STATUS", "connectionStatus"],
  ["PORTAL", "portalUrl"],
);

type Carrier = CarrierResource["attributes"];
type Choice = Carrier["credential_choices"][number];

/**
 * Returns the variable of a field: `SVC_CARRIER_CLIENT_SECRET`, or `SVC_CARRIER_CONSUMER_KEY` for the header
 * Consumer-Key.
 */
const variableName = (field: string): string =>
  `SVC_CARRIER_${field
    .replace(/^headers\./, "")
    .replaceAll("-", "_")
    .toUpperCase()}`;

async function findCarrier(client: Client, scac: string, signal: AbortSignal): Promise<Carrier> {
  const { data } = await client.carriers.list({}, { signal });
  const carrier = data.find(({ id }) => id === scac.toUpperCase());
  if (carrier !== undefined) return carrier.attributes;
  const known = data.map(({ id }) => id).join(", ");
  throw new CliError(exitCodes.usage, `${scac} is not in the catalogue: ${known}. See svc carrier-connections create.`);
}

function findChoice({ name, credential_choices: choices }: Carrier, label: string | undefined): Choice {
  const labels = choices.map((choice) => `"${choice.label}"`).join(", ");
  const matching = label === undefined ? choices : choices.filter((choice) => choice.label === label);
  const [choice] = matching;
  if (choice !== undefined && matching.length === 1) return choice;
  throw new CliError(
    exitCodes.usage,
    `${name} takes several kinds of credentials. Give --credentials as one of ${labels}.`,
  );
}

/**
 * Reads the values of the fields from the environment, else from the lines of a pipe in the order of the fields, else
 * from the terminal. Never from arguments. A value of several lines is read from a file whose name is given instead.
 */
async function readValues(choice: Choice, context: ProcessContext): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  const missing = fieldsToAsk(choice).filter(({ name }) => {
    const value = context.environment[variableName(name)];
    if (value) values[name] = value;
    return !value;
  });
  if (missing.length === 0) return values;
  const isInteractive = context.input.isTTY === true;
  const lines = isInteractive ? [] : (await readText("-", context)).split(/\r?\n/);
  for (const { name, label, where, secret, multiline } of missing) {
    const question = multiline ? `File with the ${label} (${where})` : `${label} (${where})`;
    const input = isInteractive
      ? await promptForValue(context, question, { isSecret: secret && !multiline })
      : lines.shift()?.trim();
    if (!input)
      throw new CliError(exitCodes.usage, `${label} is missing. Type or pipe it, or set ${variableName(name)}.`);
    values[name] = multiline ? await readText(input, context) : input;
  }
  return values;
}

/** Exits with 5 when the test has ended without success. */
async function testConnection({ client, output, call }: Session, id: string): Promise<void> {
  const { data } = await client.carrierConnections.test(id, { signal: call.signal });
  await output.record(await client.carrierConnections.get(id, call));
  const { is_test_running: isRunning, last_test: test } = data.attributes;
  if (isRunning) output.note(`The test is still running. Read it with: svc carrier-connections get ${id}`);
  else if (test?.succeeded) output.note(test.explanation);
  else throw new CliError(exitCodes.rejected, test?.explanation ?? "The credentials were replaced during the test.");
}

export function addCarrierCommands(program: Command, context: ProcessContext): void {
  const group = program.command("carriers").description("List, connect and test the carriers of the catalogue.");
  group
    .command("list", { isDefault: true })
    .description("List the carriers and how you are connected; --json adds the credentials that each needs.")
    .action(async (_options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      const response: unknown = await client.carriers.list({}, call);
      if (output.shape === "json") return output.json(response);
      await output.table(carrierColumns, (response as { readonly items: readonly unknown[] }).items);
    });
  group
    .command("connect")
    .description(
      "Connect a carrier, or replace its credentials, and test it. The values are asked for, read from a pipe (one a line) " +
        "or from SVC_CARRIER_<FIELD>, for example SVC_CARRIER_CLIENT_SECRET.",
    )
    .argument("<scac>")
    .addOption(new Option("--credentials <label>", "kind of credentials, where the carrier takes several"))
    .option("--no-test", "do not test the connection")
    .action(async (scac: string, options: { credentials?: string; test: boolean }, command: Command) => {
      const session = openSession(command, context);
      const { client, output, call } = session;
      const { signal } = call;
      const carrier = await findCarrier(client, scac, signal);
      const choice = findChoice(carrier, options.credentials);
      const credentials = credentialsOfChoice(choice, await readValues(choice, context));
      const known = carrier.connection_id;
      const { data } =
        known === null
          ? await client.carrierConnections.create({ scac: carrier.scac, credentials }, { signal })
          : await client.carrierConnections.update(known, { credentials, active: true }, { signal });
      output.note(known === null ? `Connected ${carrier.name}.` : `Replaced the credentials of ${carrier.name}.`);
      if (options.test) await testConnection(session, data.id);
      else await output.record(await client.carrierConnections.get(data.id, call));
    });
  group
    .command("test")
    .description("Test the connection to a carrier with one call; the explanation says what is wrong.")
    .argument("<scac>")
    .action(async (scac: string, _options: object, command: Command) => {
      const session = openSession(command, context);
      const { signal } = session.call;
      const requestedScac = scac.toUpperCase();
      for await (const { id, attributes } of session.client.carrierConnections.iterate({ signal })) {
        if (attributes.scac === requestedScac) return testConnection(session, id);
      }
      throw new CliError(
        exitCodes.notFound,
        `You have no connection to ${requestedScac}. Connect it: svc carriers connect ${requestedScac}`,
      );
    });
}
