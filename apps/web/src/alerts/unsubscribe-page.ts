import { type Html, html } from "@svc/views";
import { layout } from "../pages/layout.ts";

export function unsubscribePage(
  { name, companyName, active }: { readonly name: string; readonly companyName: string; readonly active: boolean },
  action: string,
): Html {
  const question = html`
    <h1>Unsubscribe from ${name}?</h1>
    <p>This alert of ${companyName} is then not sent any more. Other alerts are not affected.</p>
    <form method="post" action="${action}"><button>Unsubscribe</button></form>`;
  const done = html`
    <h1>You are unsubscribed</h1>
    <p>${name} of ${companyName} is paused: nothing more is sent for it. Members of the account can resume it.</p>`;
  return layout({
    title: "Unsubscribe",
    caller: null,
    section: null,
    content: html`<section class="narrow card">${active ? question : done}</section>`,
  });
}
