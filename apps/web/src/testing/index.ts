export { type AddedShipment, addShipment } from "./add-shipment.ts";
export { password, startTestWeb, type TestAccount, type TestRequest, type TestWeb } from "./start-test-web.ts";
