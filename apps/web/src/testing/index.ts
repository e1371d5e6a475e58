export { addShipment } from "./add-shipment.ts";
export { password, startTestWeb } from "./start-test-web.ts";
