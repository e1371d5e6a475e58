import { parseRedisAddress, redisForms } from "@svc/redis";
import { z } from "zod";

export const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:\/\//.test(url);

/** The address of a store for queues, as text: of a PostgreSQL database, or of a Redis in one of its forms. */
export const queueUrl = z.string().superRefine((url, context) => {
  if (isPostgresUrl(url)) return;
  try {
    parseRedisAddress(url);
  } catch (error) {
    const message = /^rediss?[+:]/.test(url) ? (error as Error).message : `must be postgresql://…, ${redisForms}`;
    context.addIssue({ code: "custom", message });
  }
});
