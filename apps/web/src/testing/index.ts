export { addShipment } from "./add-shipment.ts";
export { type IdentityProvider, type ProviderUser, startIdentityProvider } from "./identity-provider.ts";
export { password, startTestWeb, type TestAccount, type TestWeb } from "./start-test-web.ts";
