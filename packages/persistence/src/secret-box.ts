import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts secrets before they are stored: AES-256-GCM, nonce ‖ tag ‖ ciphertext. */
export interface SecretBox {
  seal(text: string): Buffer;
  /** Decrypts. Throws when no key matches or the bytes were changed. */
  open(sealed: Uint8Array): string;
  /** Re-encrypts with the current key; null when it already is. Throws like `open`. */
  reseal(sealed: Uint8Array): Buffer | null;
  /** Whether secrets may be encrypted with a former key. */
  readonly hasFormerKeys: boolean;
}

function seal(key: Buffer, text: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

function open(key: Buffer, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString("utf8");
}

/**
 * `keys` is 32 bytes in base64 (`openssl rand -base64 32`), or several such keys separated by commas. The first is the
 * current key and encrypts; the others only decrypt. Throws RangeError otherwise.
 */
export function createSecretBox(keys: string): SecretBox {
  const [present, ...former] = keys.split(",").map((key) => Buffer.from(key, "base64"));
  if (!present || [present, ...former].some((key) => key.length !== 32)) {
    throw new RangeError("The secret key must be 32 bytes in base64, or several such separated by commas.");
  }
  const openWithFormer = (sealed: Uint8Array, failure: unknown): string => {
    for (const key of former) {
      try {
        return open(key, sealed);
      } catch {
        // Encrypted with another key.
      }
    }
    throw failure;
  };
  return {
    hasFormerKeys: former.length > 0,
    seal: (text) => seal(present, text),
    open(sealed) {
      try {
        return open(present, sealed);
      } catch (error) {
        return openWithFormer(sealed, error);
      }
    },
    reseal(sealed) {
      try {
        open(present, sealed);
        return null;
      } catch (error) {
        return seal(present, openWithFormer(sealed, error));
      }
    },
  };
}
