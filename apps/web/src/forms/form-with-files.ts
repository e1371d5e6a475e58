import express, { type NextFunction, type Response as Reply, type Request } from "express";

/** A file of 1,000 rows is far smaller. */
const readBytes = express.raw({ type: "multipart/form-data", limit: "1200kb" });

async function toText(value: string | File): Promise<string> {
  return typeof value === "string" ? value : value.text();
}

/** Names and values of a multipart body. The value of a file is its text, as UTF-8. */
async function fieldsOf(request: Request, body: Buffer): Promise<Record<string, string[]>> {
  const headers = { "content-type": request.get("content-type") ?? "" };
  const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => null);
  if (form === null) throw Object.assign(new Error("The form cannot be read."), { status: 400 });
  const fields: Record<string, string[]> = Object.create(null);
  for (const [name, value] of form) {
    const values = fields[name] ?? [];
    values.push(await toText(value));
    fields[name] = values;
  }
  return fields;
}

/** Reads a form with files into `request.body`, like other forms. */
export const readFormWithFiles = [
  readBytes,
  async (request: Request, _response: Reply, next: NextFunction): Promise<void> => {
    if (Buffer.isBuffer(request.body)) request.body = await fieldsOf(request, request.body);
    next();
  },
];
