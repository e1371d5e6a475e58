import { expect, test } from "@jest/globals";
import { exceptionKinds } from "@svc/domain/exceptions";
import type { SignedInCaller } from "../access/api-clients.ts";
import { visibleText } from "../testing/visible-text.ts";
import { newForm } from "./alert-form.ts";
import { type AlertFormPageOptions, alertFormPage } from "./alert-form-page.ts";
import { mailNote } from "./alert-text.ts";

const owner = { accountId: "a", user: { email: "anna@example.com", role: "owner", companyName: "Nord" } };

const lines = [{ scac: "MAEU", name: "Maersk Line", shortName: "Maersk" }];

function pageWith(mail: AlertFormPageOptions["mail"], form = newForm(), id: string | null = null): string {
  const caller = owner as unknown as SignedInCaller;
  return String(alertFormPage({ caller, id, key: "k", before: null, form, mail, views: [], others: [], lines }));
}

const receiverOf = (mail: AlertFormPageOptions["mail"]): string =>
  /<legend>Channel[\s\S]*?<\/fieldset>/.exec(pageWith(mail))?.[0] ?? "";

test("e-mail is offered only where it is sent or kept, and the page says which", () => {
  expect(visibleText(receiverOf("sent"))).toContain("anna@example.com by email A mailbox");
  expect(visibleText(receiverOf("kept"))).toMatch(
    /A Teams channel anna@example.com by email, kept under Mail and not sent A mailbox for example that of a team, by email, kept.* Address of the incoming webhook Slack and Teams show it when/,
  );
  expect(receiverOf("none")).not.toContain('value="email"');
  expect(visibleText(receiverOf("none"))).toContain("This installation does not send email.");
});

test("the page of an existing alert says where it is sent", () => {
  const sentTo = (changes: Partial<ReturnType<typeof newForm>>) =>
    visibleText(pageWith("sent", { ...newForm(), ...changes }, "id"));
  expect(sentTo({ channel: "slack" })).toContain("Channel: Slack channel Address of the incoming webhook");
  expect(sentTo({ mailbox: "team@example.com" })).toContain("Channel: Email to team@example.com When");
});

test("offers every kind of exception once, grouped by subject", () => {
  const offered = [...pageWith("sent").matchAll(/name="kinds" value="(\w+)"/g)].map(([, kind]) => kind);
  expect(offered.toSorted()).toEqual(exceptionKinds.toSorted());
});

test("both kinds of holds stand beside each other, with names that differ", () => {
  const pageText = visibleText(pageWith("sent"));
  expect(pageText).toContain("Customs hold Other hold terminal, carrier, agency Fees");
  expect(pageText).not.toContain("All holds");
});

test("hints stand on a line of their own, below the label of their choice", () => {
  expect(pageWith("kept")).not.toMatch(/<label class="choice">(?:(?!<\/label>)[\s\S])*<span class="muted"/);
});

test("shows where unsent mails are stored", () => {
  expect(mailNote("sent")).toBeNull();
  expect(String(mailNote("kept"))).toContain('href="/account/mail"');
  expect(visibleText(String(mailNote("none")))).toContain("SVC_SMTP_URL");
});

test("offers carriers by name, and a chosen one that is not listed by its SCAC", () => {
  const page = pageWith("sent", { ...newForm(), carriers: ["MAEU", "XXXX"] });
  const offered = [...page.matchAll(/name="carriers" value="(\w+)"( checked)?/g)].map(([, ...carrier]) => carrier);
  expect(offered).toEqual([
    ["XXXX", " checked"],
    ["MAEU", " checked"],
  ]);
  expect(visibleText(page)).toContain("Maersk (MAEU)");
});

test("an alert of a filtered queue has its filters, and is named after them", () => {
  const form = newForm({ kind: "last_free_day_over", carrier: "MAEU", customer: "Kite" });
  const shared = { name: "Last free day over · MAEU · Kite", carriers: ["MAEU"], customers: "Kite" };
  expect(form).toMatchObject({ ...shared, kindChoice: "some", kinds: ["last_free_day_over"] });
  expect(newForm()).toMatchObject({ name: "", kindChoice: "all", kinds: [] });
});
