import type { MappedTrackingRequest } from "@svc/sdk";
import type { Html } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import type { Problems } from "../forms/field.ts";
import type { Texts } from "../forms/merge-edit.ts";
import type { Costs } from "../shipments/container-costs.ts";
import type { ConnectionProblem } from "../tracking-requests/connection-problems.ts";
import type { ActivityOptions } from "./activity-card.ts";

/** `shipment` and `container`: of the exception; null: it has none. */
export interface ExceptionPageOptions extends ActivityOptions {
  readonly caller: SignedInCaller;
  /** The tracking request that it is about; null: a shipment. */
  readonly request: { readonly request: MappedTrackingRequest; readonly problem: ConnectionProblem | undefined } | null;
  /** What the container costs; null: there is none, or it is not available. */
  readonly costs: Costs | null;
  readonly apiBaseUrl: string;
  /** Whether members whom the note mentions are notified. */
  readonly sendsMail: boolean;
  readonly note: string | undefined;
  /** Mentions in the note that was just saved that notified no member; absent or null: none. */
  readonly mentionNotice?: Html | null;
  /** What was entered, after it was refused; absent: nothing was. */
  readonly texts?: Texts;
  readonly problems: Problems;
}
