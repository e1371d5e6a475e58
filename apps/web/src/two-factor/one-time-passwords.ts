import type { SecondFactorRepository } from "@svc/persistence/access";
import { Secret, TOTP } from "otpauth";
import { encode } from "uqr";

const periodSeconds = 30;
/** Clocks of phones are a little off: the code before and the one after are accepted too. */
const window = 1;
/** 160 bits, the length that RFC 4226 recommends. */
const secretBytes = 20;

const createTotp = (secret: string, label = ""): TOTP =>
  new TOTP({
    issuer: "Shipment Tracking",
    label,
    algorithm: "SHA1",
    digits: 6,
    period: periodSeconds,
    secret: Secret.fromBase32(secret),
  });

/** A new secret in base32. */
export const newSecret = (): string => new Secret({ size: secretBytes }).base32;

/** The number of the period whose code this is, around now; null for another code. */
export function findTimeStep(secret: string, code: string, nowMs: number): number | null {
  const delta = createTotp(secret).validate({ token: code.replaceAll(/\s/g, ""), timestamp: nowMs, window });
  return delta === null ? null : Math.floor(nowMs / 1_000 / periodSeconds) + delta;
}

/** A QR code as the side of its square and the path of its dark modules, one unit each. */
export function qrCode(secret: string, email: string): { readonly size: number; readonly path: string } {
  const { data, size } = encode(createTotp(secret, email).toString(), { ecc: "M", border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join("");
  return { size, path };
}

/** Whether this is a one-time password or a recovery code of the user that was not used before; it is used up. */
export async function acceptCode(factors: SecondFactorRepository, userId: string, code: string): Promise<boolean> {
  if (!/^[\d\s]+$/.test(code)) return factors.useRecoveryCode(userId, code);
  const secret = await factors.findSecret(userId, "confirmed");
  const step = secret === null ? null : findTimeStep(secret, code, Date.now());
  return step !== null && factors.acceptStep(userId, step);
}
