export { addShipment } from "./add-shipment.ts";
export { password, startTestWeb, type TestAccount, type TestWeb } from "./start-test-web.ts";
