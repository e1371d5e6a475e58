import { type Html, html } from "@svc/views";
import { layout } from "../pages/layout.ts";

export function loginForm({ next, email }: { readonly next: string; readonly email?: string }): Html {
  return html`
    <form method="post" action="/login">
      <input type="hidden" name="next" value="${next}">
      <label for="email">Email address</label>
      <input id="email" name="email" type="email" autocomplete="username" maxlength="254" required autofocus
        value="${email}">
      <label for="password">Password</label>
      <div class="password"><input id="password" name="password" type="password" autocomplete="current-password"
        maxlength="1000" required></div>
      <button>Sign in</button>
    </form>
    <p><a href="/login/forgotten">Forgot your password?</a></p>`;
}

export function loginPage(options: {
  readonly next: string;
  readonly email?: string;
  readonly problem?: string;
  readonly notice?: string | undefined;
}): Html {
  const { problem, notice } = options;
  return layout({
    title: "Sign in",
    caller: null,
    content: html`
      <section class="narrow card">
        <h1>Sign in</h1>
        ${notice !== undefined && html`<p class="notice" role="status">${notice}</p>`}
        ${problem && html`<p class="problem" role="alert">${problem}</p>`}
        ${loginForm(options)}
      </section>`,
  });
}
