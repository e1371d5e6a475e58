import { createHash } from "node:crypto";
import { AwsClient } from "aws4fetch";
import type { ObjectStore } from "./object-store.ts";

export interface S3Settings {
  /** The bucket in path style, perhaps with a prefix: https://s3.eu-central-1.amazonaws.com/bucket/prefix */
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const timeoutMs = 30_000;
const retries = 3;
const errorLengthMax = 10_000;

/** An object store refused a request. The message contains its code, and neither headers nor credentials. */
class ObjectStoreError extends Error {
  override readonly name = "ObjectStoreError";
}

/** `<Code>` of an error document of S3. */
async function errorOf(method: string, response: Response): Promise<ObjectStoreError> {
  const text = (await response.text().catch(() => "")).slice(0, errorLengthMax);
  const code = /<Code>([A-Za-z0-9.]{1,60})<\/Code>/.exec(text)?.[1];
  return new ObjectStoreError(
    `The object store answered ${method} with ${response.status}${code === undefined ? "" : ` (${code})`}.`,
  );
}

/** A bucket of a server with the API of Amazon S3. Requests are signed with AWS Signature Version 4. */
export function createS3Store({ url, region, accessKeyId, secretAccessKey }: S3Settings): ObjectStore {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries });
  const base = url.replace(/\/+$/, "");
  const send = (method: string, key: string, body?: Uint8Array<ArrayBuffer>): Promise<Response> =>
    client.fetch(`${base}/${key}`, {
      method,
      // The server compares it with what it received.
      headers: {
        "x-amz-content-sha256": createHash("sha256")
          .update(body ?? "")
          .digest("hex"),
      },
      ...(body && { body }),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
  return {
    async put(key, bytes) {
      const response = await send("PUT", key, Uint8Array.from(bytes));
      if (!response.ok) throw await errorOf("PUT", response);
      await response.arrayBuffer();
    },
    async get(key) {
      const response = await send("GET", key);
      if (response.ok) return new Uint8Array(await response.arrayBuffer());
      const error = await errorOf("GET", response);
      // A store without the permission to list reports a missing object as forbidden, which is an error here.
      if (response.status === 404 && !error.message.includes("NoSuchBucket")) return null;
      throw error;
    },
    async remove(key) {
      const response = await send("DELETE", key);
      if (response.ok || response.status === 404) await response.arrayBuffer();
      else throw await errorOf("DELETE", response);
    },
  };
}
