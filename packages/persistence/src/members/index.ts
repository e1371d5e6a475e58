export { createInvitation } from "./create-invitation.ts";
export { createFirstAccount, hasAnyAccount, paidFeatures } from "./first-account.ts";
export { createInvitationRepository, type Invitation, type OpenInvitation } from "./invitation-repository.ts";
export {
  createMemberRepository,
  type Member,
  type MemberRepository,
  type OwnAccount,
  removeMember,
} from "./member-repository.ts";
export { setMemberRole } from "./set-member-role.ts";
export { findSignInRules, type SignInRules, setSignInRules } from "./sign-in-rules.ts";
