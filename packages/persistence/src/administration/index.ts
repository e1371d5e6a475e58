export { closeAccount, completeSuspensions, resumeAccount, suspendAccount } from "./account-state.ts";
export { type Administration, createAdministration } from "./administration.ts";
export { eraseClosedAccount, eraseClosedAccounts } from "./erase-accounts.ts";
