/** Names of ports, terminals, inland places and vessels by id. */
export type KnownNames = ReadonlyMap<string, string>;
