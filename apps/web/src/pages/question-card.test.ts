import { expect, test } from "@jest/globals";
import { html } from "@svc/views";
import { questionCard } from "./question-card.ts";

const card = (isHarmless: boolean): string =>
  String(
    questionCard({
      heading: "Delete “A”?",
      content: html`<p>It ends.</p>`,
      action: "/a/delete",
      button: "Delete",
      cancelPath: "/a",
      isHarmless,
    }),
  ).replace(/\s+/g, " ");

test("a question has its button and the way to cancel side by side, in red when something is lost", () => {
  const cancel = '<a href="/a">Cancel</a></p>';
  expect(card(false)).toContain(`<p class="actions"><button class="danger">Delete</button> ${cancel}`);
  expect(card(true)).toContain(`<p class="actions"><button>Delete</button> ${cancel}`);
});
