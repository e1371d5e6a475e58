export { closeAccount, completeSuspensions, resumeAccount, suspendAccount } from "./account-state.ts";
export {
  type AccountRow,
  type Administration,
  createAdministration,
  type NewToken,
  type TokenRow,
} from "./administration.ts";
export { eraseClosedAccount, eraseClosedAccounts } from "./erase-accounts.ts";
