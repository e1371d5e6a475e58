/** The receiver of the webhook benchmark, on a thread of its own: answers 204 to everything and tells its port. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort } from "node:worker_threads";

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(204).end());
});
server.listen(0, "127.0.0.1", () => parentPort?.postMessage((server.address() as AddressInfo).port));
