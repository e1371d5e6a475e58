export {
  createPasswordReset,
  findPasswordReset,
  type PasswordReset,
  passwordResetMinutes,
  replacePassword,
  usePasswordReset,
} from "./password-resets.ts";
export {
  createSecondFactorRepository,
  findSecondFactor,
  resetSecondFactor,
  type SecondFactor,
  type SecondFactorRepository,
} from "./second-factor.ts";
export { createSignInChallenges, type SignInChallenges } from "./sign-in-challenges.ts";
export {
  askForPasswordReset,
  type ClaimedSignInMail,
  claimSignInMails,
  type SignInMailKind,
  settleSignInMail,
} from "./sign-in-mails.ts";
