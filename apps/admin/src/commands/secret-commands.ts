import { checkSecretKey, createSecretBox, resealSecrets } from "@svc/persistence";
import { secretKeys } from "@svc/service-kit";
import type { Command } from "commander";
import { AdminError } from "../admin-error.ts";
import type { AdminSession } from "../admin-session.ts";

export function addSecretCommands(program: Command, session: AdminSession): void {
  const { context } = session;
  const secrets = program.command("secrets").description("Work with the encryption of stored secrets.");
  secrets
    .command("rotate")
    .description("Re-encrypt stored secrets with the first key of SVC_SECRET_KEY; the former keys follow after commas.")
    .action(async () => {
      const keys = context.environment.SVC_SECRET_KEY?.trim();
      if (!keys) throw new AdminError(2, "SVC_SECRET_KEY is missing: the new key, a comma, and the former keys.");
      const read = secretKeys.safeParse(keys);
      if (!read.success) throw new AdminError(2, `SVC_SECRET_KEY ${read.error.issues[0]?.message}.`);
      const box = createSecretBox(read.data);
      if (!box.hasFormerKeys)
        throw new AdminError(2, "SVC_SECRET_KEY has one key only. Put a new key and a comma in front of it.");
      const database = session.database();
      await checkSecretKey(database.sql, box);
      const { resealed, unreadable } = await resealSecrets(database, box);
      context.writeError(
        unreadable === 0
          ? `Re-encrypted the secrets of ${resealed} records. Once every service has the new key, remove the former ones.\n`
          : `Re-encrypted the secrets of ${resealed} records; no key decrypts those of ${unreadable} others. Keep the former keys.\n`,
      );
      session.end(unreadable === 0 ? 0 : 1);
    });
}
