import express, { type Response as Reply, type Request } from "express";

/** A file of a form; empty when none was chosen. */
export interface FormFile {
  readonly name: string;
  readonly bytes: Buffer;
}

async function readContent(value: string | File): Promise<string | FormFile> {
  return typeof value === "string" ? value : { name: value.name, bytes: Buffer.from(await value.arrayBuffer()) };
}

/** Names and values of a multipart body. */
async function readFields(request: Request, body: Buffer): Promise<Record<string, (string | FormFile)[]>> {
  const headers = { "content-type": request.get("content-type") ?? "" };
  const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => null);
  if (form === null) throw Object.assign(new Error("The form cannot be read."), { status: 400 });
  const fields: Record<string, (string | FormFile)[]> = Object.create(null);
  for (const [name, value] of form) {
    const values = fields[name] ?? [];
    values.push(await readContent(value));
    fields[name] = values;
  }
  return fields;
}

/** Reads a form with files, of up to so many bytes, into `request.body`, like other forms. */
export async function readFormWithFiles(request: Request, response: Reply, bytesMax: number): Promise<void> {
  const read = express.raw({ type: "multipart/form-data", limit: bytesMax });
  const problem = await new Promise<unknown>((resolve) => {
    read(request, response, resolve);
  });
  if (problem instanceof Error) throw problem;
  if (Buffer.isBuffer(request.body)) request.body = await readFields(request, request.body);
}
