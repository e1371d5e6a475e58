import { addMs, hourMs, type Instant, msBetween } from "@svc/domain";
import type { ReferenceType } from "@svc/domain/notifications";
import type { NoticeKind, WebhookEventName } from "@svc/domain/webhooks";
import { type NotificationContent, notificationEnvelope, webhookNoticeContent } from "@svc/jsonapi/notifications";
import type { Services } from "../services.ts";
import recordedExamples from "./recorded-examples.json" with { type: "json" };

export interface ExampleNotification {
  /** `data.id` of the body: new in each example, so that a receiver that deduplicates takes every one. */
  readonly id: string;
  /** Exactly as a delivery would post it. */
  readonly body: string;
}

/**
 * A notification of a voyage of the sandbox carrier. apps/tracking-worker/src/notify/recorded-examples.long.test.ts
 * records them, and fails when their form is no longer that of notifications.
 */
interface RecordedExample {
  readonly at: Instant;
  readonly referenceType: ReferenceType;
  readonly included: readonly { readonly id: string }[];
}

type WebhookNoticeEvent = `webhook.${NoticeKind}`;

const recorded = recordedExamples as unknown as Readonly<
  Record<Exclude<WebhookEventName, WebhookNoticeEvent>, RecordedExample>
>;

const isNotice = (event: WebhookEventName): event is WebhookNoticeEvent => event.startsWith("webhook.");

const recordedBaseUrl = "https://api.test/v2";
const recordedTime = /"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)"/g;

/** The recorded notification with all its times moved, as if it were composed now. */
function recordedContent({ at, referenceType, included }: RecordedExample, now: Instant, baseUrl: string) {
  const movedMs = msBetween(at, now);
  const text = JSON.stringify(included)
    .replaceAll(recordedTime, (_, time: Instant) => `"${addMs(time, movedMs)}"`)
    .replaceAll(recordedBaseUrl, baseUrl);
  return { referenceType, referenceId: included[0]?.id ?? "", included: text } satisfies NotificationContent;
}

/** Ids of the examples: the same in every example, and of the form of real ones. */
const exampleId = (number: number): string => `01980000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const webhookId = exampleId(900_001);

const notices: Readonly<Record<NoticeKind, { readonly failingHours: number | null; readonly failures: number }>> = {
  failing: { failingHours: 24, failures: 11 },
  deactivated: { failingHours: 73, failures: 24 },
  recovered: { failingHours: null, failures: 0 },
};

/** Composes an example notice about the health of an endpoint, which no recorded voyage causes. */
function noticeContent(kind: NoticeKind, now: Instant): NotificationContent {
  const { failingHours, failures } = notices[kind];
  const isFailing = failingHours !== null;
  return webhookNoticeContent({
    id: exampleId(900_002),
    webhookId,
    url: "https://receiver.example.com/hook",
    kind,
    reason: kind === "deactivated" ? "failing" : null,
    failingSince: isFailing ? addMs(now, -failingHours * hourMs) : null,
    consecutiveFailures: failures,
    httpStatus: isFailing ? 503 : 200,
    errorClass: isFailing ? "http_status" : null,
    createdAt: now,
  });
}

/** A notification as if the event happened now. */
export function exampleNotification(
  event: WebhookEventName,
  { ids, clock, settings }: Pick<Services, "ids" | "clock" | "settings">,
): ExampleNotification {
  const id = ids.next();
  const createdAt = clock.now();
  const content = isNotice(event)
    ? noticeContent(event.slice("webhook.".length) as NoticeKind, createdAt)
    : recordedContent(recorded[event], createdAt, settings.baseUrl);
  return { id, body: notificationEnvelope({ id, event, webhookId, createdAt, ...content }) };
}
