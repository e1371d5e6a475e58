/** Store of the archive's objects. Keys are paths of lower-case letters, digits, "-", "." and "/". */
export interface ObjectStore {
  /** Writes the object durably; one of the same key is replaced. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Null when there is no such object. */
  get(key: string): Promise<Uint8Array | null>;
  /** Deletes the object, if there is one. */
  remove(key: string): Promise<void>;
}
