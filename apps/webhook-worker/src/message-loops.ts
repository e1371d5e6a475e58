import { instant } from "@svc/domain";
import { alertChannels } from "@svc/domain/alerts";
import type { Logger, WatchedLoop } from "@svc/service-kit";
import { createAlertSender } from "./alerts/send-alert.ts";
import { startAlerts } from "./alerts/start-alerts.ts";
import { startMemberMails } from "./mail/start-member-mails.ts";
import { startSignInMails } from "./mail/start-sign-in-mails.ts";
import type { DeliveryMetrics } from "./metrics.ts";
import type { WorkerResources } from "./worker-resources.ts";

export interface MessageLoop {
  /** Name of the loop in the watchdog. */
  readonly name: string;
  start(watched: { readonly watched?: WatchedLoop }): { stop(): Promise<void> };
}

/** Returns the loops that send messages to members: alerts, and mails if there is a mail server. */
export function messageLoops(
  { database, time, mailer, box, agent, policy }: WorkerResources,
  { appUrl, logger, metrics }: { readonly appUrl: string; readonly logger: Logger; readonly metrics: DeliveryMetrics },
): MessageLoop[] {
  const alerts: MessageLoop = {
    name: "alerts",
    start: (watched) =>
      startAlerts({
        database,
        logger,
        ...watched,
        clock: { now: () => instant(time.nowMs()) },
        sender: createAlertSender({ mailer, appUrl, box, agent, policy }),
        channels: alertChannels.filter((channel) => channel !== "email" || mailer !== null),
        onSettled: metrics.alertSettled,
      }),
  };
  if (!mailer) return [alerts];
  const mails = { database, mailer, appUrl, logger };
  return [
    alerts,
    { name: "sign-in mails", start: (watched) => startSignInMails({ ...mails, ...watched }) },
    { name: "member mails", start: (watched) => startMemberMails({ ...mails, ...watched }) },
  ];
}
