import type { ExceptionResource, MappedTrackingRequest } from "@svc/sdk";
import type { Html } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import type { Problems } from "../forms/field.ts";
import type { Texts } from "../forms/merge-edit.ts";
import type { KnownNames } from "../shipments/api-records.ts";
import type { Costs } from "../shipments/container-costs.ts";
import type { ConnectionProblem } from "../tracking-requests/connection-problems.ts";
import type { ActivityOptions } from "./activity-card.ts";

/** The list that the page leads back to, and the exceptions before and after this one on its page. */
export interface Queue {
  readonly path: string;
  readonly previous: ExceptionResource | null;
  readonly next: ExceptionResource | null;
}

/** `shipment` and `container`: of the exception; null: it has none. */
export interface ExceptionPageOptions extends ActivityOptions {
  readonly caller: SignedInCaller;
  /** The tracking request that it is about; null: a shipment. */
  readonly request: { readonly request: MappedTrackingRequest; readonly problem: ConnectionProblem | undefined } | null;
  /** Of the terminals of its container. */
  readonly names: KnownNames;
  /** What the container costs; null: there is none, or it is not available. */
  readonly costs: Costs | null;
  readonly apiBaseUrl: string;
  /** Email addresses of the members to whom it can be assigned. */
  readonly assignees: readonly string[];
  readonly queue: Queue;
  /** Whether members whom the note mentions are notified. */
  readonly sendsMail: boolean;
  readonly note: string | undefined;
  /** Mentions in the note that was just saved that notified no member; absent or null: none. */
  readonly mentionNotice?: Html | null;
  /** What was entered, after it was refused; absent: nothing was. */
  readonly texts?: Texts;
  readonly problems: Problems;
}
