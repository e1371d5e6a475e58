import { createHash, generateKeyPairSync, verify, X509Certificate } from "node:crypto";
import { expect, test } from "@jest/globals";
import { CarrierConnection } from "./carrier-connection.ts";
import { sandboxCertificate } from "./catalogue/sandbox-certificate.ts";
import { certificateProblem, clientAssertion } from "./client-certificate.ts";

const nowMs = Date.parse("2026-11-23T12:00:00Z");
const pkcs8 = { type: "pkcs8", format: "pem" } as const;
const decoded = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;

test("signs an assertion that the certificate verifies, for one token endpoint and five minutes", () => {
  const audience = "https://login.example/our-tenant/oauth2/v2.0/token";
  const assertion = clientAssertion({ clientId: "me", ...sandboxCertificate }, audience, nowMs);
  const [header, claims, signature = ""] = assertion.split(".");
  const certificate = new X509Certificate(sandboxCertificate.certificate);
  const x5t = createHash("sha1").update(certificate.raw).digest("base64url");
  expect(decoded(header)).toEqual({ alg: "RS256", typ: "JWT", x5t });
  const seconds = nowMs / 1_000;
  const jti = expect.stringMatching(/^[0-9a-f-]{36}$/);
  expect(decoded(claims)).toEqual({ aud: audience, iss: "me", sub: "me", jti, nbf: seconds, exp: seconds + 300 });
  const signed = Buffer.from(`${header}.${claims}`);
  expect(verify("RSA-SHA256", signed, certificate.publicKey, Buffer.from(signature, "base64url"))).toBe(true);
  expect(clientAssertion({ clientId: "me", ...sandboxCertificate }, audience, nowMs)).not.toBe(assertion);
});

test.each([
  [
    "another key",
    { privateKey: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export(pkcs8) },
    "privateKey",
    /does not belong/,
  ],
  [
    "a key that is not RSA",
    { privateKey: generateKeyPairSync("ed25519").privateKey.export(pkcs8) },
    "privateKey",
    /must be an RSA key of 2048 to 8192 bits/,
  ],
  [
    "a key with a passphrase",
    {
      privateKey: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
        ...pkcs8,
        cipher: "aes-256-cbc",
        passphrase: "x",
      }),
    },
    "privateKey",
    /without passphrase/,
  ],
  [
    "a key in place of the certificate",
    { certificate: sandboxCertificate.privateKey },
    "certificate",
    /-----BEGIN CERTIFICATE-----/,
  ],
] as const)("rejects %s", (_name, other, member, problem) => {
  const certificate = { ...sandboxCertificate, ...(other as object) };
  expect(certificateProblem(certificate, nowMs)).toEqual({ member, problem: expect.stringMatching(problem) });
  const credentials = { kind: "oauth2_private_key_jwt", clientId: "me", tenant: "t", scope: "s", ...certificate };
  const connection = { scac: "MSCU", protocol: "dcsa-2.2", baseUrl: "https://line.example", credentials };
  const { error } = CarrierConnection.safeParse(connection);
  expect(error?.issues.map(({ path, message }) => [path.at(-1), message])).toEqual([
    [member, expect.stringMatching(problem)],
  ]);
});

test("accepts a valid certificate, and names the day on which one expired", () => {
  expect(certificateProblem(sandboxCertificate, nowMs)).toBeNull();
  const { validToDate } = new X509Certificate(sandboxCertificate.certificate);
  const problem = `expired on ${validToDate.toISOString().slice(0, 10)}`;
  expect(certificateProblem(sandboxCertificate, validToDate.getTime())).toEqual({ member: "certificate", problem });
});
