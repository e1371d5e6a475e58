import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";

/**
 * OWASP's scrypt parameters for 32 MiB: as expensive for an attacker as N = 2^17 with 128 MiB, and lighter on a small
 * server.
 */
const cost = { N: 2 ** 15, r: 8, p: 3 };
const saltBytes = 16;
const hashBytes = 32;
const shape = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/;

function derive(password: string, salt: Buffer, length: number, options: ScryptOptions): Promise<Buffer> {
  const { N = 0, r = 0, p = 0 } = options;
  return new Promise((resolve, reject) => {
    // Node rejects parameters that need more than `maxmem`; the algorithm needs 128 * r * (N + p) bytes and a little
    // more.
    scrypt(password.normalize("NFKC"), salt, length, { N, r, p, maxmem: 128 * r * (N + p + 2) }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/** The stored form of a password: `scrypt$N$r$p$salt$hash`, salt and hash in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, hashBytes, cost);
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/** Compares in constant time. Throws when `stored` is not a result of `hashPassword`. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = "", hash = ""] = shape.exec(stored) ?? [];
  if (hash === "") throw new Error("The stored password hash has an unknown form.");
  const expected = Buffer.from(hash, "base64url");
  const options = { N: Number(N), r: Number(r), p: Number(p) };
  return timingSafeEqual(await derive(password, Buffer.from(salt, "base64url"), expected.length, options), expected);
}
