import type { Instant } from "../instant.ts";

/** A customer of the account, by whose name its shipments are shown. */
export interface Party {
  readonly id: string;
  readonly companyName: string;
  readonly rowVersion: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}
