export { fact, testPlaces } from "./voyage.ts";
export { transshippedVoyage } from "./voyages.ts";
