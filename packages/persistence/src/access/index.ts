export {
  createPasswordReset,
  findPasswordReset,
  passwordAllowedMinutes,
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
export { createSignInAttempts } from "./sign-in-attempts.ts";
export { createSignInChallenges, type FirstStep } from "./sign-in-challenges.ts";
export {
  type ClaimedSignInMail,
  claimSignInMails,
  requestPasswordReset,
  settleSignInMail,
} from "./sign-in-mails.ts";
export {
  findOrLinkUser,
  type Joining,
  joinByIdentity,
  type UserIdentity,
  unlinkIdentities,
} from "./user-identities.ts";
