import { findSignInRules, type SignInRules, setSignInRules } from "@svc/persistence/members";
import { type Html, html } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import type { OfferedProvider } from "../access/login-page.ts";
import { checkbox } from "../forms/choices.ts";
import { formProblem, type Problems } from "../forms/field.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import type { Services } from "../services.ts";
import { accountLayout } from "./account-layout.ts";

const path = "/account/sign-in-rules";

const noRules: SignInRules = { requiresSingleSignOn: false, requiresTwoFactor: false };

const notices: Readonly<Record<string, string>> = {
  saved: "The sign-in rules are saved.",
};

interface PageOptions {
  readonly caller: SignedInCaller;
  readonly rules: SignInRules;
  readonly providers: readonly OfferedProvider[];
  readonly problems?: Problems;
  readonly notice?: string | undefined;
}

function signInRulesPage({ caller, rules, providers, problems = {}, notice }: PageOptions): Html {
  const labels = providers.map(({ label }) => label).join(" or ");
  const offered =
    labels === ""
      ? "The operator of this service has configured no provider yet."
      : `Members then sign in with ${labels} only. Sessions that began with a password end at once. ` +
        "If the provider fails, the operator of this service can let an owner in again.";
  // A rule that is on can be turned off, also after the operator removed the providers.
  const isOffered = labels !== "" || rules.requiresSingleSignOn;
  return accountLayout({
    title: "Sign-in rules",
    caller,
    part: "sign-in-rules",
    notice,
    heading: `Sign-in rules of ${caller.user.companyName}`,
    content: html`
      <form class="card form" method="post" action="${path}">
        ${formProblem(problems)}
        ${checkbox("single_sign_on", "Require single sign-on", {
          value: "required",
          isChecked: rules.requiresSingleSignOn,
          isDisabled: !isOffered,
        })}
        <p class="muted">${offered}</p>
        ${checkbox("two_factor", "Require two-factor authentication", {
          value: "required",
          isChecked: rules.requiresTwoFactor,
        })}
        <p class="muted">Members without it set it up right after they sign in, before anything else. A sign-in with a
          provider that asks for a second factor itself is enough.</p>
        <p class="muted">API tokens and calendars keep working.</p>
        <p class="actions"><button>Save</button></p>
      </form>`,
  });
}

type SignInRuleServices = Pick<Services, "database" | "providers" | "factors">;

/** `/account/sign-in-rules`: what the account requires of the sign-in of its members. */
export function signInRuleHandlers({ database, providers, factors }: SignInRuleServices) {
  const { sql } = database;

  const show: PageHandler = async (request, response, caller) => {
    const rules = (await findSignInRules(sql, caller.accountId)) ?? noRules;
    sendPage(response, 200, signInRulesPage({ caller, rules, providers, notice: noticeOf(request, notices) }));
  };

  const save: FormHandler = async (_request, response, caller, values) => {
    const rules = {
      requiresSingleSignOn: values.text("single_sign_on") === "required",
      requiresTwoFactor: values.text("two_factor") === "required",
    };
    const refuse = (problem: string): void =>
      sendPage(response, 422, signInRulesPage({ caller, rules, providers, problems: { "": problem } }));
    if (rules.requiresTwoFactor && factors === null) {
      return refuse("Two-factor authentication is not available: the operator has to set SVC_SECRET_KEY first.");
    }
    const { method } = caller.user;
    // A member who turns the rule on has signed in that way, and is not locked out.
    if (rules.requiresSingleSignOn && method === "password") {
      return refuse(
        providers.length === 0
          ? "Single sign-on cannot be required: the operator of this service has configured no provider."
          : "Sign out, and sign in with your provider first, so that this rule does not lock you out.",
      );
    }
    await setSignInRules(sql, caller.accountId, rules);
    response.redirect(303, `${path}?done=saved`);
  };

  return { show, save };
}
