import type { SeaPort } from "../find-sea-route.ts";

/** Ports of every ocean, on canals and up rivers. */
export const testPorts: readonly SeaPort[] = [
  { locode: "CNSHA", position: [122.07, 30.63] },
  { locode: "USLAX", position: [-118.26, 33.74] },
  { locode: "JPYOK", position: [139.68, 35.42] },
  { locode: "USOAK", position: [-122.32, 37.8] },
  { locode: "HKHKG", position: [114.12, 22.34] },
  { locode: "USHNL", position: [-157.87, 21.31] },
  { locode: "PABLB", position: [-79.57, 8.96] },
  { locode: "PACTB", position: [-79.9, 9.35] },
  { locode: "USNYC", position: [-74.08, 40.67] },
  { locode: "SGSIN", position: [103.76, 1.27] },
  { locode: "NLRTM", position: [4.05, 51.95] },
  { locode: "LKCMB", position: [79.84, 6.95] },
  { locode: "YEADE", position: [45.03, 12.8] },
  { locode: "EGPSD", position: [32.36, 31.23] },
  { locode: "ESALG", position: [-5.44, 36.13] },
  { locode: "ZACPT", position: [18.44, -33.91] },
  { locode: "BRRIO", position: [-43.2, -22.88] },
  { locode: "ZADUR", position: [31.02, -29.88] },
  { locode: "AUFRE", position: [115.74, -32.04] },
  { locode: "AUSYD", position: [151.21, -33.97] },
  { locode: "NZAKL", position: [174.78, -36.84] },
  { locode: "DEHAM", position: [9.93, 53.54] },
  { locode: "KRPUS", position: [128.82, 35.08] },
  { locode: "USSEA", position: [-122.35, 47.57] },
  { locode: "BRSSZ", position: [-46.31, -23.95] },
  { locode: "SAJED", position: [39.16, 21.47] },
  { locode: "MYPEN", position: [100.37, 5.39] },
  { locode: "MACAS", position: [-7.61, 33.6] },
  { locode: "PLGDN", position: [18.72, 54.38] },
  { locode: "ITGIT", position: [15.9, 38.45] },
  { locode: "MTMAR", position: [14.54, 35.82] },
  { locode: "CLVAP", position: [-71.62, -33.03] },
  { locode: "UYMVD", position: [-56.21, -34.9] },
  { locode: "IDSUB", position: [112.72, -7.2] },
  { locode: "PGPOM", position: [147.15, -9.47] },
  { locode: "PHMNL", position: [120.95, 14.61] },
  { locode: "GUGUM", position: [144.66, 13.46] },
  { locode: "SEGOT", position: [11.85, 57.69] },
  { locode: "SESTO", position: [17.97, 58.92] },
  { locode: "AEJEA", position: [55.06, 25.01] },
  { locode: "OMSOH", position: [56.62, 24.49] },
  { locode: "TRAMR", position: [28.68, 40.97] },
  { locode: "ROCND", position: [28.65, 44.1] },
  { locode: "GRPIR", position: [23.6, 37.95] },
  { locode: "TRIST", position: [29.01, 41.0] },
  { locode: "BRMAO", position: [-60.0, -3.15] },
  { locode: "USMSY", position: [-90.07, 29.92] },
  { locode: "CAMTR", position: [-73.51, 45.57] },
];

export function portNamed(locode: string): SeaPort {
  const port = testPorts.find((one) => one.locode === locode);
  if (port === undefined) throw new Error(`no port ${locode} in the test's list`);
  return port;
}
