import type { Position } from "@svc/domain/sea-routes";

/** A port or inland point that the sandbox carrier serves. */
export interface Place {
  /** UN/LOCODE. */
  readonly locode: string;
  readonly name: string;
  /** IANA time zone: DCSA event times are local times of the place. */
  readonly timeZone: string;
  readonly kind: "port" | "inland";
  /** Longitude and latitude of a port. */
  readonly position: Position | null;
}

function port(locode: string, name: string, timeZone: string, position: Position): Place {
  return { locode, name, timeZone, kind: "port", position };
}

function inland(locode: string, name: string, timeZone: string): Place {
  return { locode, name, timeZone, kind: "inland", position: null };
}

export const places = {
  guangzhou: port("CNCAN", "Guangzhou", "Asia/Shanghai", [113.45, 23.09]),
  shanghai: port("CNSHA", "Shanghai", "Asia/Shanghai", [122.07, 30.63]),
  ningbo: port("CNNGB", "Ningbo-Zhoushan", "Asia/Shanghai", [121.88, 29.93]),
  qingdao: port("CNTAO", "Qingdao", "Asia/Shanghai", [120.21, 36.02]),
  xiamen: port("CNXMN", "Xiamen", "Asia/Shanghai", [118.03, 24.45]),
  yantian: port("CNYTN", "Yantian (Shenzhen)", "Asia/Shanghai", [114.27, 22.57]),
  busan: port("KRPUS", "Busan", "Asia/Seoul", [128.82, 35.08]),
  yokohama: port("JPYOK", "Yokohama", "Asia/Tokyo", [139.68, 35.42]),
  laemChabang: port("THLCH", "Laem Chabang", "Asia/Bangkok", [100.89, 13.07]),
  singapore: port("SGSIN", "Singapore", "Asia/Singapore", [103.76, 1.27]),
  colombo: port("LKCMB", "Colombo", "Asia/Colombo", [79.84, 6.95]),
  nhavaSheva: port("INNSA", "Nhava Sheva (JNPT)", "Asia/Kolkata", [72.95, 18.95]),
  jebelAli: port("AEJEA", "Jebel Ali", "Asia/Dubai", [55.06, 25.01]),
  rotterdam: port("NLRTM", "Rotterdam", "Europe/Amsterdam", [4.05, 51.95]),
  antwerp: port("BEANR", "Antwerp", "Europe/Brussels", [4.3, 51.28]),
  hamburg: port("DEHAM", "Hamburg", "Europe/Berlin", [9.93, 53.54]),
  genoa: port("ITGOA", "Genoa", "Europe/Rome", [8.91, 44.41]),
  santos: port("BRSSZ", "Santos", "America/Sao_Paulo", [-46.31, -23.95]),
  losAngeles: port("USLAX", "Los Angeles", "America/Los_Angeles", [-118.26, 33.74]),
  longBeach: port("USLGB", "Long Beach", "America/Los_Angeles", [-118.21, 33.75]),
  oakland: port("USOAK", "Oakland", "America/Los_Angeles", [-122.32, 37.8]),
  newYork: port("USNYC", "New York / New Jersey", "America/New_York", [-74.08, 40.67]),
  savannah: port("USSAV", "Savannah", "America/New_York", [-81.14, 32.13]),
  chicago: inland("USCHI", "Chicago", "America/Chicago"),
  duisburg: inland("DEDUI", "Duisburg", "Europe/Berlin"),
} as const satisfies Readonly<Record<string, Place>>;

export const placeByLocode: ReadonlyMap<string, Place> = new Map(
  Object.values(places).map((place) => [place.locode, place]),
);
