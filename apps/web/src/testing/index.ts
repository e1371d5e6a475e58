export { addShipment } from "./add-shipment.ts";
export { password, startTestWeb, type TestAccount } from "./start-test-web.ts";
