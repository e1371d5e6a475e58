import { Command, InvalidArgumentError } from "commander";
import manifest from "../package.json" with { type: "json" };
import { addAccessCommands } from "./commands/access-commands.ts";
import { addAdminCommand } from "./commands/admin-command.ts";
import { addAlertCommands } from "./commands/alert-commands.ts";
import { addCarrierCommands } from "./commands/carrier-commands.ts";
import { addCarrierConnectionCommands } from "./commands/carrier-connection-commands.ts";
import { addCollectionCommands } from "./commands/collection-commands.ts";
import { addCompletionCommand } from "./commands/completion-command.ts";
import { addContainerCommands } from "./commands/container-commands.ts";
import { addCustomFieldCommands } from "./commands/custom-field-commands.ts";
import { addDemoCommand } from "./commands/demo-command.ts";
import { addDemurrageCommands } from "./commands/demurrage-commands.ts";
import { addEdiCommands } from "./commands/edi-commands.ts";
import { addEmissionCommands } from "./commands/emission-commands.ts";
import { addExceptionCommands } from "./commands/exception-commands.ts";
import { addExportCommand } from "./commands/export-command.ts";
import { addFindCommands } from "./commands/find-commands.ts";
import { addImportCommand } from "./commands/import-command.ts";
import { addNotificationCommands } from "./commands/notification-commands.ts";
import { addPartyCommands } from "./commands/party-commands.ts";
import { addSavedViewCommands } from "./commands/saved-view-commands.ts";
import { addShareLinkCommands } from "./commands/share-link-commands.ts";
import { addShipmentCommands } from "./commands/shipment-commands.ts";
import { addTrackCommand } from "./commands/track-command.ts";
import { addTrackingRequestCommands } from "./commands/tracking-request-commands.ts";
import { addVesselCommands } from "./commands/vessel-commands.ts";
import { addWebhookCommands } from "./commands/webhook-commands.ts";
import type { ProcessContext } from "./process-context.ts";

function milliseconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError("Give milliseconds, for example 5000.");
  return value;
}

const notes = `
Where a command takes a record, give its id or its number. Tables on a terminal, JSON on a pipe.
Exit codes: 0 done, 2 usage, 3 token, 4 not found, 5 rejected, 6 too many requests, 7 no response or a fault at the
service, 8 not tracked, 1 anything else.`;

/** Every command. `end` sets the exit code of a command that did its work and has a result other than success. */
export function createProgram(context: ProcessContext, end: (exitCode: number) => void): Command {
  const program = new Command("svc")
    .description("Track shipments and containers, and manage webhooks.")
    .version(manifest.version, "--version")
    .option("--json", "JSON, also on a terminal")
    .option("--mapped", "JSON with camelCase names and ids resolved (the default of --json)")
    .option("--raw", "JSON:API documents as returned by the API")
    .option("--token <token>", "API token; better in SVC_API_TOKEN or stored by `svc login`")
    .option("--base-url <url>", "address of the API, or SVC_API_BASE_URL")
    .option("--timeout <ms>", "for each request", milliseconds)
    .addHelpText("after", notes)
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true, helpWidth: Math.min(context.columns, 120) })
    .configureOutput({
      writeOut: (text) => void context.write(text),
      writeErr: (text) => context.writeError(text.replace(/^error: /, "svc: ")),
    })
    .exitOverride();
  addTrackCommand(program, context, end);
  addFindCommands(program, context);
  addCollectionCommands(program, context);
  addShipmentCommands(program, context);
  addSavedViewCommands(program, context);
  addShareLinkCommands(program, context);
  addContainerCommands(program, context);
  addExceptionCommands(program, context);
  addAlertCommands(program, context);
  addDemurrageCommands(program, context);
  addEmissionCommands(program, context);
  addTrackingRequestCommands(program, context);
  addVesselCommands(program, context);
  addWebhookCommands(program, context);
  addNotificationCommands(program, context);
  addPartyCommands(program, context);
  addCarrierCommands(program, context);
  addCarrierConnectionCommands(program, context);
  addCustomFieldCommands(program, context);
  addImportCommand(program, context);
  addEdiCommands(program, context, end);
  addExportCommand(program, context);
  addDemoCommand(program, context, end);
  addAccessCommands(program, context);
  addAdminCommand(program, context, end);
  addCompletionCommand(program, context);
  return program;
}
