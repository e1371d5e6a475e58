/** A port or inland point that the sandbox carrier serves. */
export interface Place {
  /** UN/LOCODE. */
  readonly locode: string;
  readonly name: string;
  /** IANA time zone: DCSA event times are local times of the place. */
  readonly timeZone: string;
  readonly kind: "port" | "inland";
}

function port(locode: string, name: string, timeZone: string): Place {
  return { locode, name, timeZone, kind: "port" };
}

function inland(locode: string, name: string, timeZone: string): Place {
  return { locode, name, timeZone, kind: "inland" };
}

export const places = {
  guangzhou: port("CNCAN", "Guangzhou", "Asia/Shanghai"),
  shanghai: port("CNSHA", "Shanghai", "Asia/Shanghai"),
  ningbo: port("CNNGB", "Ningbo-Zhoushan", "Asia/Shanghai"),
  qingdao: port("CNTAO", "Qingdao", "Asia/Shanghai"),
  xiamen: port("CNXMN", "Xiamen", "Asia/Shanghai"),
  yantian: port("CNYTN", "Yantian (Shenzhen)", "Asia/Shanghai"),
  busan: port("KRPUS", "Busan", "Asia/Seoul"),
  yokohama: port("JPYOK", "Yokohama", "Asia/Tokyo"),
  laemChabang: port("THLCH", "Laem Chabang", "Asia/Bangkok"),
  singapore: port("SGSIN", "Singapore", "Asia/Singapore"),
  colombo: port("LKCMB", "Colombo", "Asia/Colombo"),
  nhavaSheva: port("INNSA", "Nhava Sheva (JNPT)", "Asia/Kolkata"),
  jebelAli: port("AEJEA", "Jebel Ali", "Asia/Dubai"),
  rotterdam: port("NLRTM", "Rotterdam", "Europe/Amsterdam"),
  antwerp: port("BEANR", "Antwerp", "Europe/Brussels"),
  hamburg: port("DEHAM", "Hamburg", "Europe/Berlin"),
  genoa: port("ITGOA", "Genoa", "Europe/Rome"),
  santos: port("BRSSZ", "Santos", "America/Sao_Paulo"),
  losAngeles: port("USLAX", "Los Angeles", "America/Los_Angeles"),
  longBeach: port("USLGB", "Long Beach", "America/Los_Angeles"),
  oakland: port("USOAK", "Oakland", "America/Los_Angeles"),
  newYork: port("USNYC", "New York / New Jersey", "America/New_York"),
  savannah: port("USSAV", "Savannah", "America/New_York"),
  chicago: inland("USCHI", "Chicago", "America/Chicago"),
  duisburg: inland("DEDUI", "Duisburg", "Europe/Berlin"),
} as const satisfies Readonly<Record<string, Place>>;
