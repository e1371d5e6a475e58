import type { Instant } from "../instant.ts";

/** A customer of the account. */
export interface Party {
  readonly id: string;
  readonly companyName: string;
  readonly rowVersion: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}
