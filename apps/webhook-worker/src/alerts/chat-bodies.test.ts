import { expect, test } from "@jest/globals";
import { slackBody, teamsBody } from "./chat-bodies.ts";

const entry = { number: "SBX<1>", severity: "warning", url: "https://app.test/attention/1" } as const;
const message = {
  subject: "Rolled over",
  lead: "2 exceptions opened.",
  counts: [],
  sections: [
    {
      title: "Opened",
      entries: [
        {
          ...entry,
          summary: "Rolled over in Busan",
          cause: "Now planned: SBX NORTHSTAR.",
          context: "<Northwind> · PO-1",
        },
        { ...entry, summary: "On hold", cause: null, context: null },
      ],
      omitted: 3,
    },
  ],
  queueUrl: "https://app.test/attention",
};

test("renders an entry as a sentence, its cause as another one, and its context as a line", () => {
  const lines = String(JSON.parse(slackBody(message)).text).split("\n");
  const link = "<https://app.test/attention/1|SBX&lt;1&gt;>";
  const at = lines.indexOf(`${link}: Rolled over in Busan. Now planned: SBX NORTHSTAR.`);
  expect(lines[at + 1]).toBe("&lt;Northwind&gt; · PO-1");
  expect(lines).toContain(`${link}: On hold`);
  expect(lines).toContain("and 3 more");
  const { body } = JSON.parse(teamsBody(message)).attachments[0].content;
  const texts = body.map(({ inlines }: { inlines: { text: string }[] }) => inlines.map(({ text }) => text).join(""));
  const block = texts.indexOf("SBX<1>: Rolled over in Busan. Now planned: SBX NORTHSTAR.");
  expect(texts[block + 1]).toBe("<Northwind> · PO-1");
  expect(texts).toContain("SBX<1>: On hold");
});
