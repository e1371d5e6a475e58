/**
 * Browser features that pages could use. Ours need only clipboard-write, for the copy buttons. The list has only names
 * that browsers know on every system, because they log a warning on each page for others.
 */
const off = [
  "accelerometer",
  "autoplay",
  "browsing-topics",
  "camera",
  "clipboard-read",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "gamepad",
  "geolocation",
  "gyroscope",
  "hid",
  "identity-credentials-get",
  "idle-detection",
  "local-fonts",
  "magnetometer",
  "microphone",
  "midi",
  "otp-credentials",
  "payment",
  "picture-in-picture",
  "publickey-credentials-create",
  "publickey-credentials-get",
  "screen-wake-lock",
  "serial",
  "storage-access",
  "usb",
  "window-management",
  "xr-spatial-tracking",
];

/** Disables all features; clipboard-write is allowed for our own pages. */
export const permissionsPolicy = [...off.map((feature) => `${feature}=()`), "clipboard-write=(self)"].join(", ");
