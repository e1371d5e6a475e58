import { carrierScac } from "./tracking-setup.ts";

/** An X12 interchange with one 315. */
export const envelope = (controlNumber: string, segments: readonly string[]): string =>
  [
    `ISA*00*          *00*          *ZZ*LINE           *ZZ*IMPORTER       *260105*1130*U*00401*${controlNumber}*0*P*>`,
    "GS*QO*LINE*IMPORTER*20260105*1130*1*X*004010",
    "ST*315*0001",
    ...segments,
    `SE*${segments.length + 2}*0001`,
    "GE*1*1",
    `IEA*1*${controlNumber}`,
  ]
    .map((segment) => `${segment}~\n`)
    .join("");

/** The segments of a container that was loaded in Shanghai. */
export const loaded = (number: string, code = "AE"): string[] => [
  `B4***${code}*20260103*1745*CNSHA*MSKU*000000*L*45G1*CNSHA*UN*6`,
  `N9*BM*${number}`,
  `N9*SCA*${carrierScac}`,
  "Q2*9321483********230W***L*EMMA MAERSK",
  "R4*L*UN*CNSHA*SHANGHAI*CN",
  "R4*D*UN*NLRTM*ROTTERDAM*NL",
  "DTM*139*20260201*0600",
];

/** One interchange with a 315 for each number, each of another container. */
export const loadedAll = (controlNumber: string, numbers: readonly string[]): string => {
  const messages = numbers.flatMap((number, index) => {
    const container = String(index).padStart(6, "0");
    const segments = loaded(number).map((segment) => segment.replace("MSKU*000000*", `MSKU*${container}*`));
    const reference = String(index + 1).padStart(4, "0");
    return [
      `ST*315*${reference}`,
      ...segments.map((one) => one.replace(/\*6$/, "")),
      `SE*${segments.length + 2}*${reference}`,
    ];
  });
  const [isa, gs] = envelope(controlNumber, []).split("\n");
  const end = [`GE*${numbers.length}*1~`, `IEA*1*${controlNumber}~`];
  return [isa, gs, ...messages.map((segment) => `${segment}~`), ...end].join("\n");
};
