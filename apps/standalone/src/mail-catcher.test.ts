import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { startMailCatcher } from "./mail-catcher.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-mails-"));

const catcher = started(() => startMailCatcher(folder, "pass/word"));

/** Sends the lines one after another, each when the former is answered. @returns the codes of the answers. */
function converse(lines: readonly string[]): Promise<string[]> {
  const { port } = new URL(catcher.url);
  const socket = net.connect(Number(port), "127.0.0.1");
  const waiting = [...lines];
  const codes: string[] = [];
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("data", (data) => {
      // The last line of an answer has a space after its code.
      const last = String(data).trim().split("\r\n").at(-1) ?? "";
      if (!/^\d{3} /.test(last)) return;
      codes.push(last.slice(0, 3));
      const line = waiting.shift();
      if (line === undefined) socket.end(() => resolve(codes));
      else socket.write(`${line}\r\n`);
    });
  });
}

const login = (password: string) => `AUTH PLAIN ${Buffer.from(`\0svc\0${password}`).toString("base64")}`;
const mailTo = (address: string, subject: string) => [
  "MAIL FROM:<a@example.com>",
  `RCPT TO:<${address}>`,
  "DATA",
  `Subject: ${subject}\r\n\r\nText\r\n.`,
];
const storedMails = () => fs.readdirSync(folder).sort();

test("keeps a mail with its recipient in a file that only its owner may read", async () => {
  const codes = await converse(["EHLO me", login("pass/word"), ...mailTo("ann@example.com", "One")]);
  expect(codes).toEqual(["220", "250", "235", "250", "250", "354", "250"]);
  const [name = ""] = storedMails();
  const file = path.join(folder, name);
  expect(fs.readFileSync(file, "utf8")).toMatch(/^Delivered-To: ann@example.com\r\nSubject: One\r\n/);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

test("refuses mails without its password", async () => {
  const before = storedMails();
  expect((await converse(["EHLO me", "MAIL FROM:<a@example.com>"])).at(-1)).toBe("530");
  expect((await converse(["EHLO me", login("wrong")])).at(-1)).toBe("535");
  expect(storedMails()).toEqual(before);
});

test("keeps the newest 200", async () => {
  const mails = Array.from({ length: 205 }, (_, index) => mailTo("ann@example.com", `No ${index}`)).flat();
  await converse(["EHLO me", login("pass/word"), ...mails]);
  const files = storedMails();
  expect(files).toHaveLength(200);
  expect(fs.readFileSync(path.join(folder, files.at(-1) ?? ""), "utf8")).toContain("Subject: No 204");
  expect(fs.readFileSync(path.join(folder, files[0] ?? ""), "utf8")).toContain("Subject: No 5\r");
});
