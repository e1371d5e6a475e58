import { type Html, html } from "@svc/views";
import { layout } from "../pages/layout.ts";
import { noticeBanner } from "../pages/notice-banner.ts";

/** A provider by which users sign in. */
export interface OfferedProvider {
  readonly name: string;
  readonly label: string;
}

/** Links, because a form may lead to other sites only when the policy of the page names them. */
export function providerLinks(providers: readonly OfferedProvider[], next: string): Html {
  return html`${providers.map(
    ({ name, label }) => html`
      <p><a class="button quiet provider" href="/login/single-sign-on/${name}?next=${encodeURIComponent(next)}">
        Continue with ${label}</a></p>`,
  )}`;
}

interface LoginFormOptions {
  readonly next: string;
  readonly email?: string;
  readonly providers: readonly OfferedProvider[];
}

export function loginForm({ next, email, providers }: LoginFormOptions): Html {
  return html`
    ${providerLinks(providers, next)}
    ${providers.length > 0 && html`<p class="muted">Or with your password:</p>`}
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

export interface LoginPageOptions extends LoginFormOptions {
  readonly problem?: string;
  readonly notice?: string | undefined;
}

export function loginPage(options: LoginPageOptions): Html {
  const { problem, notice } = options;
  return layout({
    title: "Sign in",
    caller: null,
    content: html`
      <section class="narrow card">
        <h1>Sign in</h1>
        <p class="muted">Track containers of all carriers: their position, ETA, and what needs attention.</p>
        ${notice !== undefined && noticeBanner("success", notice)}
        ${problem && noticeBanner("error", problem)}
        ${loginForm(options)}
      </section>`,
  });
}
