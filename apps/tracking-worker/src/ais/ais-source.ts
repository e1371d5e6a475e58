import { jsonList } from "@svc/domain/json-lists";
import { z } from "zod";

const port = z.number().int().min(1).max(65_535);
const host = z.string().min(1).max(253);
/** Names the source in stored positions, metrics and logs. */
const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, "must be up to 32 lower-case letters, digits and hyphens");
const secret = z.string().min(1).max(500);
const longitude = z.number().min(-180).max(180);
const latitude = z.number().min(-90).max(90);
const corner = z.tuple([latitude, longitude]);

const StreamSource = z.strictObject({
  name: name.default("aisstream"),
  protocol: z.literal("aisstream"),
  url: z.url({ protocol: /^wss?$/ }).default("wss://stream.aisstream.io/v0/stream"),
  apiKey: secret,
  /** Two opposite corners of each area, latitude first. */
  boundingBoxes: z
    .array(z.tuple([corner, corner]))
    .min(1)
    .max(50)
    .default([
      [
        [-90, -180],
        [90, 180],
      ],
    ]),
});

const HubSource = z.strictObject({
  name: name.default("aishub"),
  protocol: z.literal("aishub"),
  url: z.url({ protocol: /^https?$/ }).default("https://data.aishub.net/ws.php"),
  username: secret,
  /** AISHub refuses more than one request a minute. */
  everySeconds: z.number().min(1).max(86_400).default(60),
});

const UdpSource = z.strictObject({
  name: name.default("nmea-udp"),
  protocol: z.literal("nmea-udp"),
  /** The local address where datagrams are received. */
  host: host.default("127.0.0.1"),
  port,
});

const TcpSource = z.strictObject({
  name: name.default("nmea-tcp"),
  protocol: z.literal("nmea-tcp"),
  /** The receiver, which is connected to. */
  host,
  port,
});

/** A source of AIS reports. It contains credentials, so it must not be logged. */
export const AisSource = z.discriminatedUnion("protocol", [StreamSource, HubSource, UdpSource, TcpSource]);
export type AisSource = z.output<typeof AisSource>;
export type AisSourceOf<Protocol extends AisSource["protocol"]> = Extract<AisSource, { protocol: Protocol }>;

const list = z.array(AisSource).refine((all) => new Set(all.map((one) => one.name)).size === all.length, {
  error: "has two sources of one name; give each a `name`",
});

/** The text of `SVC_AIS_SOURCES`. */
export const AisSourceList = jsonList(list);
