import { escapeHtml } from "@svc/service-kit";

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:15px;line-height:1.5";

/** The HTML part of a mail, which loads nothing. `body` is markup. */
export const htmlDocument = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="${font};max-width:640px">${body}</body></html>`;
