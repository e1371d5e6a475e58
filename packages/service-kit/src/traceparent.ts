import { isSpanContextValid, type SpanContext, type TextMapPropagator, TraceFlags, trace } from "@opentelemetry/api";

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const headerName = "traceparent";

export const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;

/** Null when the W3C header is absent or malformed; the recommendation treats both alike. */
export function parseTraceparent(header: unknown): SpanContext | null {
  const [, traceId, spanId, flags] = (typeof header === "string" && form.exec(header)) || [];
  if (!traceId || !spanId || !flags) return null;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const parsed = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(parsed) ? parsed : null;
}

export const formatTraceparent = (context: SpanContext): string =>
  `00-${context.traceId}-${context.spanId}-${isSampled(context) ? "01" : "00"}`;

/** How libraries write and read the header. */
export const traceparentPropagator: TextMapPropagator = {
  inject(context, carrier, setter) {
    const spanContext = trace.getSpanContext(context);
    if (spanContext && isSpanContextValid(spanContext)) setter.set(carrier, headerName, formatTraceparent(spanContext));
  },
  extract(context, carrier, getter) {
    const parsed = parseTraceparent(getter.get(carrier, headerName));
    return parsed ? trace.setSpanContext(context, parsed) : context;
  },
  fields: () => [headerName],
};
