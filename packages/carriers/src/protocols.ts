import type { CarrierConnection } from "./carrier-connection.ts";
import type { CarrierProtocol } from "./carrier-protocol.ts";
import { coscoDialect } from "./cosco/cosco-dialect.ts";
import { version2, version3 } from "./dcsa/dcsa-dialect.ts";
import { dcsaProtocol } from "./dcsa/dcsa-protocol.ts";
import { hmmDialect } from "./hmm/hmm-dialect.ts";
import { apmTerminals } from "./terminal-operator/apm-terminals.ts";
import { operatorProtocol } from "./terminal-operator/operator-protocol.ts";

/** Every carrier protocol, by its name in a connection. */
export const protocols: Readonly<Record<CarrierConnection["protocol"], CarrierProtocol>> = {
  "dcsa-2.2": dcsaProtocol(version2),
  "dcsa-3": dcsaProtocol(version3),
  "hmm-1": dcsaProtocol(hmmDialect),
  "cosco-1": dcsaProtocol(coscoDialect),
  "apm-terminals-1": operatorProtocol(apmTerminals),
};
