import { instant } from "@svc/domain";
import { alertChannels } from "@svc/domain/alerts";
import type { Logger, WatchedLoop } from "@svc/service-kit";
import { createAlertSender } from "./alerts/send-alert.ts";
import { startAlerts } from "./alerts/start-alerts.ts";
import { startMemberMails } from "./mail/start-member-mails.ts";
import { startSignInMails } from "./mail/start-sign-in-mails.ts";
import type { DeliveryMetrics } from "./metrics.ts";
import type { WorkerResources } from "./worker-resources.ts";

export interface MessageLoopsOptions {
  readonly appUrl: string;
  readonly logger: Logger;
  readonly metrics: DeliveryMetrics;
  /** Watches a loop by its name. Undefined: none is watched. */
  readonly watch: ((name: string) => WatchedLoop) | undefined;
}

/** Starts the loops that send messages to members: alerts, and mails if there is a mail server. */
export function startMessageLoops(
  { database, time, mailer, box, alertAgent: agent, policy }: WorkerResources,
  { appUrl, logger, metrics, watch }: MessageLoopsOptions,
): { stop(): Promise<void> }[] {
  const alerts = startAlerts({
    database,
    logger,
    clock: { now: () => instant(time.nowMs()) },
    sender: createAlertSender({ mailer, appUrl, box, agent, policy }),
    channels: alertChannels.filter((channel) => channel !== "email" || mailer !== null),
    onSettled: metrics.alertSettled,
    ...(watch && { watched: { composition: watch("alert composition"), sending: watch("alerts") } }),
  });
  if (!mailer) return [alerts];
  const mails = (name: string) => ({
    database,
    mailer,
    appUrl,
    logger,
    onSettled: metrics.mailSettled,
    ...(watch && { watched: watch(name) }),
  });
  return [alerts, startSignInMails(mails("sign-in mails")), startMemberMails(mails("member mails"))];
}
