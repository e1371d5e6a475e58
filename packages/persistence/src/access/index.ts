export {
  createPasswordReset,
  findPasswordReset,
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
export { createSignInChallenges } from "./sign-in-challenges.ts";
export {
  askForPasswordReset,
  type ClaimedSignInMail,
  claimSignInMails,
  settleSignInMail,
} from "./sign-in-mails.ts";
