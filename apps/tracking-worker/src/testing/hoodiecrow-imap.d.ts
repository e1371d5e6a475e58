/** Declarations that the tests need: the package has no types. */
declare module "hoodiecrow-imap" {
  import type { Server } from "node:net";

  interface Message {
    readonly flags: readonly string[];
    readonly uid: number;
  }

  interface Hoodiecrow {
    readonly server: Server;
    readonly folderCache: Readonly<Record<string, { readonly messages: readonly Message[]; uidvalidity: number }>>;
    listen(port: number): void;
    appendMessage(mailbox: string, flags: readonly string[], date: Date, raw: string): void;
    close(done: () => void): void;
  }

  function hoodiecrow(options: object): Hoodiecrow;
  export = hoodiecrow;
}
