import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export interface Certificate {
  readonly key: Buffer;
  readonly cert: Buffer;
}

/** A certificate authority for tests. */
export interface TestAuthority {
  /** PEM file, for NODE_EXTRA_CA_CERTS. */
  readonly file: string;
  /**
   * @param subject in the form of openssl: `DNS:localhost`, `IP:127.0.0.1`. @param days negative for an expired one.
   */
  certify(subject: string, days?: number): Certificate;
  /** A certificate that the authority did not issue. */
  selfSigned(subject: string): Certificate;
  remove(): void;
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

export function createAuthority(): TestAuthority {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-authority-"));
  const at = (name: string) => path.join(folder, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "ignore" });
  const read = (key: string, cert: string) => ({ key: fs.readFileSync(at(key)), cert: fs.readFileSync(at(cert)) });
  const files = ["-keyout", at("ca.key"), "-out", at("ca.pem")];
  openssl("req", "-x509", ...newKey, "-days", "2", "-subj", "/CN=Test authority", ...files);
  return {
    file: at("ca.pem"),
    certify(subject, days = 1) {
      fs.writeFileSync(at("names"), `subjectAltName=${subject}`);
      openssl("req", ...newKey, "-subj", "/CN=hook", "-keyout", at("hook.key"), "-out", at("hook.csr"));
      const authority = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial"];
      const result = ["-days", String(days), "-extfile", at("names"), "-out", at("hook.pem")];
      openssl("x509", "-req", "-in", at("hook.csr"), ...authority, ...result);
      return read("hook.key", "hook.pem");
    },
    selfSigned(subject) {
      const names = ["-subj", "/CN=hook", "-addext", `subjectAltName=${subject}`];
      openssl("req", "-x509", ...newKey, "-days", "1", ...names, "-keyout", at("self.key"), "-out", at("self.pem"));
      return read("self.key", "self.pem");
    },
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}
