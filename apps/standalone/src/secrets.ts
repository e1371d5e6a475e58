import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { generateApiToken } from "@svc/persistence/tokens";
import { StartError } from "./start-error.ts";

/** Secrets created at the first start of a data folder and kept with it, readable by its owner only. */
export interface Secrets {
  /** 32 bytes in base64: seals secrets at rest. */
  readonly secretKey: string;
  /** Password of PostgreSQL's superuser and of Redis. */
  readonly storePassword: string;
  readonly token: string;
  readonly login: { readonly email: string; readonly password: string };
}

function generateSecrets(): Secrets {
  return {
    secretKey: randomBytes(32).toString("base64"),
    storePassword: randomBytes(24).toString("base64url"),
    token: generateApiToken().token,
    login: { email: "demo@example.com", password: randomBytes(9).toString("base64url") },
  };
}

/** `demoToken` replaces the token that was made, for this start only. */
export function readSecrets(file: string, demoToken: string | undefined): Secrets {
  if (demoToken && !/^[\x21-\x7e]+$/.test(demoToken)) {
    throw new StartError("SVC_DEMO_TOKEN must be plain letters, digits and signs, without spaces.");
  }
  if (!fs.existsSync(file)) {
    // Written whole under another name first: a start that is killed here must not leave half a file.
    fs.writeFileSync(`${file}.new`, `${JSON.stringify(generateSecrets(), null, 2)}\n`, { mode: 0o600 });
    fs.renameSync(`${file}.new`, file);
  }
  const secrets = JSON.parse(fs.readFileSync(file, "utf8")) as Secrets;
  if (!secrets.storePassword) {
    throw new StartError("The data is of an unreleased version; `npm start -- --fresh` deletes it.");
  }
  return demoToken ? { ...secrets, token: demoToken } : secrets;
}
