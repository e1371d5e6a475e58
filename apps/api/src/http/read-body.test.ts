import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "@jest/globals";
import { TrackingError } from "@svc/jsonapi";
import { readJsonBody } from "./read-body.ts";
import { toFaults } from "./send.ts";

test("reports no outage when a client disconnects during its body", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{");
    const [request] = (await once(server, "request")) as [IncomingMessage];
    const reading = readJsonBody(request).catch((error: unknown) => error);
    socket.destroy();
    const error = await reading;
    expect(error).toBeInstanceOf(TrackingError);
    expect(toFaults(error)).toEqual([
      { code: "malformed_document", detail: "The request body was cut off before its end." },
    ]);
  } finally {
    server.close();
  }
});
