import { expect, test } from "@jest/globals";
import { addMs, instant } from "../instant.ts";
import { shareLinkStatus } from "./share-link.ts";

const now = instant("2026-11-23T12:00:00Z");

test("is active until the moment of its expiry", () => {
  expect(shareLinkStatus({ revokedAt: null, expiresAt: addMs(now, 1) }, now)).toBe("active");
  expect(shareLinkStatus({ revokedAt: null, expiresAt: now }, now)).toBe("expired");
  expect(shareLinkStatus({ revokedAt: null, expiresAt: null }, now)).toBe("active");
});

test("is revoked, also after its expiry", () => {
  expect(shareLinkStatus({ revokedAt: now, expiresAt: null }, now)).toBe("revoked");
  expect(shareLinkStatus({ revokedAt: now, expiresAt: addMs(now, -1) }, now)).toBe("revoked");
});
