import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Seals secrets before they are stored: AES-256-GCM, nonce ‖ tag ‖ ciphertext. */
export interface SecretBox {
  seal(text: string): Buffer;
  /** Throws when the key is another or the bytes were changed. */
  open(sealed: Uint8Array): string;
}

/** `key` is 32 bytes in base64 (`openssl rand -base64 32`). Throws RangeError otherwise. */
export function createSecretBox(key: string): SecretBox {
  const keyBytes = Buffer.from(key, "base64");
  if (keyBytes.length !== 32) throw new RangeError("The secret key must be 32 bytes in base64.");
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, keyBytes, nonce);
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed) {
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv(algorithm, keyBytes, bytes.subarray(0, nonceBytes));
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString("utf8");
    },
  };
}
