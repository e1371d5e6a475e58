export { type AccountToken, createAccountTokenRepository } from "./account-token-repository.ts";
export { createKnownTokenCheck, findKnownTokens } from "./find-known-tokens.ts";
export {
  createTokenRepository,
  generateApiToken,
  type TokenOwner,
  type TokenRepository,
  type TokenScope,
  tokenScopes,
} from "./token-repository.ts";
