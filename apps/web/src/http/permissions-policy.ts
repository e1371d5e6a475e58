/**
 * What browsers could give pages beyond showing them. They need none of it but to write the clipboard, for what is copied. Only names
 * that browsers know on every system: of others they complain on each page.
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

/** All off; the clipboard only for our own pages. */
export const permissionsPolicy = [...off.map((feature) => `${feature}=()`), "clipboard-write=(self)"].join(", ");
