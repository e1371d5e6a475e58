import type { SecondFactor } from "@svc/persistence/access";
import { type Html, html } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import { accountLayout } from "../account/account-layout.ts";
import { field, formProblem, type Problems } from "../forms/field.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { relativeTimestamp } from "../pages/timestamps.ts";
import { qrCode } from "./one-time-passwords.ts";

const path = "/account/two-factor";

interface PageOptions {
  readonly caller: SignedInCaller;
  readonly problems?: Problems;
  readonly notice?: string | undefined;
}

const page = ({ caller, notice }: PageOptions, content: Html): Html =>
  accountLayout({
    title: "Two-factor authentication",
    caller,
    part: "two-factor",
    notice,
    content: html`
      ${
        caller.user.twoFactor === "missing" &&
        noticeBanner("warning", `${caller.user.companyName} requires two-factor authentication. Set it up to continue.`)
      }
      ${content}`,
  });

/** A user who was created by a sign-in with a provider has no password yet. */
const noPasswordHint = 'Without a password, sign out and choose one with "Forgot your password?".';

const passwordField = ({ caller, problems = {} }: PageOptions): Html =>
  field({
    label: "Current password",
    name: "present",
    problems,
    ...(caller.user.method !== "password" && { hint: noPasswordHint }),
    type: "password",
    autocomplete: "current-password",
    maxLength: 1_000,
    isRequired: true,
  });

const codeField = (problems: Problems): Html =>
  field({
    label: "Code from the app",
    name: "code",
    problems,
    hint: "Six digits.",
    autocomplete: "one-time-code",
    maxLength: 20,
    isRequired: true,
    hasFocus: true,
  });

const userName = ({ user }: SignedInCaller): Html =>
  html`<input type="hidden" name="username" value="${user.email}" autocomplete="username">`;

export function offPage(options: PageOptions): Html {
  const { caller, problems = {} } = options;
  return page(
    options,
    html`
      <p>Sign in with your password and a code from an authenticator app, so that a stolen password alone is not
        enough.</p>
      <form class="card form" method="post" action="${path}/start">
        ${formProblem(problems)}
        ${userName(caller)}
        ${passwordField(options)}
        <button>Set up</button>
      </form>`,
  );
}

/** Page for an installation without the key that encrypts the secrets. */
export const unavailablePage = (options: PageOptions): Html =>
  page(
    options,
    html`<p>The operator of this service has to set <code>SVC_SECRET_KEY</code> of the web application
    first.</p>`,
  );

const grouped = (secret: string): string => (secret.match(/.{1,4}/g) ?? []).join(" ");

export function setUpPage(options: PageOptions, secret: string): Html {
  const { caller, problems = {} } = options;
  const { size, path: modules } = qrCode(secret, caller.user.email);
  return page(
    options,
    html`
      <form class="card form" method="post" action="${path}/confirm">
        ${formProblem(problems)}
        <p>Scan this with your authenticator app:</p>
        <svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code of the key below">
          <rect width="${size}" height="${size}" fill="#fff"/><path d="${modules}" fill="#000"/></svg>
        <p>Or enter the key: <code class="totp-key">${grouped(secret)}</code></p>
        ${codeField(problems)}
        <p class="actions"><button>Turn on</button> <span class="muted">Signs out other sessions.</span></p>
      </form>
      <form method="post" action="${path}/cancel"><button class="quiet">Cancel</button></form>`,
  );
}

/** The only page that shows the recovery codes. */
export function recoveryCodesPage(caller: SignedInCaller, codes: readonly string[]): Html {
  return page(
    { caller },
    html`
      <section class="card form">
        <h2>Your recovery codes</h2>
        <p>Each replaces a code from the app once, for when you do not have your phone. Print them or keep them in a
          password manager: they are shown only now.</p>
        <ul class="recovery-codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
        <p><a class="button" href="${path}">I have kept them</a></p>
      </section>`,
  );
}

export function onPage(options: PageOptions, { confirmedAt, recoveryCodes }: SecondFactor): Html {
  const { caller, problems = {} } = options;
  const isRequired = caller.user.twoFactor === "required";
  return page(
    options,
    html`
      <p>On since ${confirmedAt && relativeTimestamp(confirmedAt)}. Recovery codes left: ${recoveryCodes} of 10.</p>
      <form class="card form" method="post" action="${path}/change">
        ${formProblem(problems)}
        ${userName(caller)}
        ${passwordField(options)}
        <div class="actions">
          <button name="do" value="codes">New recovery codes</button>
          ${!isRequired && html`<button name="do" value="off" class="danger">Turn off</button>`}
        </div>
        ${isRequired && html`<p class="muted">${caller.user.companyName} requires it, so it stays on.</p>`}
        <p class="muted">New recovery codes end those that you have.</p>
      </form>`,
  );
}
