/** Headers of every JSON answer, names and values in turn. */
export const fixedHeaders: readonly string[] = [
  ...["Vary", "Accept, Authorization"],
  ...["X-Content-Type-Options", "nosniff"],
  ...["Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"],
  ...["Referrer-Policy", "no-referrer"],
  ...["Strict-Transport-Security", "max-age=31536000"],
];
