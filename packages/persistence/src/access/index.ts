export {
  createPasswordReset,
  findPasswordReset,
  type PasswordReset,
  passwordResetMinutes,
  replacePassword,
  usePasswordReset,
} from "./password-resets.ts";
export {
  askForPasswordReset,
  type ClaimedSignInMail,
  claimSignInMails,
  type SignInMailKind,
  settleSignInMail,
} from "./sign-in-mails.ts";
