import { randomBytes } from "node:crypto";

/** The parsed W3C `traceparent` header. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the parent span of the next spans. */
  readonly spanId: string;
  readonly sampled: boolean;
}

const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Null when the header is absent or malformed; the W3C recommendation treats both alike. */
export function parseTraceparent(header: unknown): TraceContext | null {
  const [, traceId, spanId, flags] = (typeof header === "string" && form.exec(header)) || [];
  if (!traceId || !spanId || !flags) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const formatTraceparent = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`;

/** The context of a new span, in the trace of the parent or in a new, sampled trace. */
export function childOf(parent: TraceContext | null): TraceContext {
  const spanId = randomBytes(8).toString("hex");
  return parent ? { ...parent, spanId } : { traceId: randomBytes(16).toString("hex"), spanId, sampled: true };
}
