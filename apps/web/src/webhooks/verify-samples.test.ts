import { spawnSync } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { notificationEnvelope } from "@svc/jsonapi/notifications";
import { verifyWebhook, WebhookVerificationError } from "@svc/sdk/webhooks";
import { verifyCard, verifySamples } from "./verify-samples.ts";

const secret = `whsec_${randomBytes(32).toString("base64")}`;
const id = "0195e0b2-0000-7000-8000-000000000001";
const body = notificationEnvelope({
  id,
  event: "container.updated",
  createdAt: instant("2026-11-21T10:00:00Z"),
  webhookId: id,
  referenceType: "container_updated_event",
  referenceId: id,
  included: "[]",
});

const signatureOf = (sent: string, key = secret) =>
  `v1,${createHmac("sha256", Buffer.from(key.slice("whsec_".length), "base64"))
    .update(`${id}.${sent}.${body}`)
    .digest("base64")}`;

const headersAt = (seconds: number, signature = signatureOf(String(seconds))) => ({
  "webhook-id": id,
  "webhook-timestamp": String(seconds),
  "webhook-signature": signature,
});

const now = Math.floor(Date.now() / 1_000);
const other = `whsec_${randomBytes(32).toString("base64")}`;
/** Headers, body, and whether a receiver must accept them. */
const deliveries = [
  { headers: headersAt(now), body, isGenuine: true },
  // During a rotation the old secret signs as well.
  { headers: headersAt(now, `${signatureOf(String(now), other)} ${signatureOf(String(now))}`), body, isGenuine: true },
  { headers: headersAt(now), body: `${body} `, isGenuine: false },
  { headers: headersAt(now, signatureOf(String(now), other)), body, isGenuine: false },
  { headers: headersAt(now - 301), body, isGenuine: false },
  { headers: { ...headersAt(now), "webhook-timestamp": "soon" }, body, isGenuine: false },
];

const codeOf = (language: string): string => verifySamples.find((one) => one.language === language)?.code ?? "";
/** Skips a sample whose language is not installed. */
const testWith = (isThere: boolean) => (name: string, run: () => void) => void (isThere && test(name, run));
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const hasGo = spawnSync("go", ["version"]).status === 0;

function inFolder<Result>(work: (folder: string) => Result): Result {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-verify-"));
  try {
    return work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const environment = { ...process.env, WEBHOOK_SECRET: secret };
const expected = deliveries.map(({ isGenuine }) => isGenuine);

describe("verification samples on pages", () => {
  test("the TypeScript sample matches the library", async () => {
    expect(codeOf("TypeScript")).toContain("verifyWebhook({ headers, body, secret:");
    const found = await Promise.all(
      deliveries.map(({ headers, body }) =>
        verifyWebhook({ headers: new Headers(headers), body, secret }).then(
          () => true,
          (error: unknown) => !(error instanceof WebhookVerificationError),
        ),
      ),
    );
    expect(found).toEqual(expected);
  });

  testWith(hasPython)("the sample in Python takes what is genuine and nothing else", () => {
    const program = `${codeOf("Python")}
import json, sys
print(json.dumps([is_genuine(one["headers"], one["body"].encode()) for one in json.load(sys.stdin)]))`;
    const run = spawnSync("python3", ["-c", program], {
      input: JSON.stringify(deliveries),
      env: environment,
      encoding: "utf8",
    });
    expect(run.stderr).toBe("");
    expect(JSON.parse(run.stdout)).toEqual(expected);
  });

  testWith(hasGo)("the sample in Go takes what is genuine and nothing else", () => {
    const program = codeOf("Go")
      .replace("package webhooks", "package main")
      .replace("import (", 'import (\n\t"encoding/json"\n\t"fmt"');
    const main = `
func main() {
	var deliveries []struct { Headers map[string]string; Body string }
	if err := json.NewDecoder(os.Stdin).Decode(&deliveries); err != nil { panic(err) }
	found := []bool{}
	for _, one := range deliveries {
		header := http.Header{}
		for name, value := range one.Headers { header.Set(name, value) }
		found = append(found, IsGenuine(header, []byte(one.Body)))
	}
	text, _ := json.Marshal(found)
	fmt.Println(string(text))
}`;
    inFolder((folder) => {
      fs.writeFileSync(path.join(folder, "main.go"), program + main);
      const run = spawnSync("go", ["run", "main.go"], {
        cwd: folder,
        input: JSON.stringify(deliveries),
        env: environment,
        encoding: "utf8",
      });
      expect(run.stderr).toBe("");
      expect(JSON.parse(run.stdout)).toEqual(expected);
    });
  });

  test("each is shown as text, and can be copied", () => {
    const markup = String(verifyCard());
    for (const { language } of verifySamples) expect(markup).toContain(`data-copies="verify-code-${language}"`);
    expect(markup).toContain("header.Get(&quot;webhook-id&quot;)");
  });
});
