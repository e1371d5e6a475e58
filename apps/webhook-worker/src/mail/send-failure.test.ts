import { expect, test } from "@jest/globals";
import { toSendFailure } from "./send-failure.ts";

const isPermanent = (command: string, response: string): boolean =>
  toSendFailure({ code: "EENVELOPE", command, response, responseCode: Number(response.slice(0, 3)) }).isPermanent;

test.each([
  "550 5.1.1 <x@example.com>: Recipient address rejected: User unknown",
  "550-5.1.1 The email account that you tried to reach does not exist",
  "553 5.1.3 Bad recipient address syntax",
  "556 5.1.10 Recipient address has null MX",
  "550 No such user here",
  "551 User not local",
  "553 Mailbox name not allowed",
  "550 sorry, no mailbox here by that name (#5.1.1)",
])("gives up on a recipient that the server refuses with %s", (response) => {
  expect(isPermanent("RCPT TO", response)).toBe(true);
});

test.each([
  ["RCPT TO", "554 5.7.1 <x@example.com>: Relay access denied"],
  ["RCPT TO", "550 5.7.1 Service unavailable, client host blocked"],
  ["RCPT TO", "550 relay not permitted"],
  ["RCPT TO", "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
  ["RCPT TO", "550 5.1.8 <alerts@example.com>: Sender address rejected: Domain not found"],
  ["RCPT TO", "550 Sender verify failed"],
  ["RCPT TO", "552 5.2.2 Mailbox full"],
  ["RCPT TO", "554 Transaction failed"],
  ["RCPT TO", "450 4.1.1 Try again later"],
  ["MAIL FROM", "550 5.1.1 Sender not known"],
  ["MAIL FROM", "550 Daily quota exceeded"],
  ["DATA", "554 5.7.1 Message content rejected"],
  ["DATA", "550 Administrative prohibition"],
])("retries after %s is refused with %s", (command, response) => {
  expect(isPermanent(command, response)).toBe(false);
});

test("says that a server does not answer when an error has no response", () => {
  const error = { code: "ECONNECTION", command: "CONN", responseCode: false };
  expect(toSendFailure(error)).toEqual({ text: "The mail server does not answer.", isPermanent: false, cause: error });
});
