/** Address of the API, and the token to use. */
export interface ApiAccess {
  /** Base URL, with or without `/v2`. */
  readonly api: string;
  readonly token: string;
}

export interface Registration {
  readonly id: string;
  readonly secret: string;
  /** Deletes the webhook again. */
  remove(): Promise<void>;
}

interface WebhookDocument {
  readonly data: { readonly id: string; readonly attributes: { readonly secret: string } };
}

/** Subscribes the address to every event. Rejects with the API's own words when it refuses. */
export async function register({ api, token }: ApiAccess, url: string): Promise<Registration> {
  const base = `${api.replace(/\/+$/, "").replace(/\/v2$/, "")}/v2`;
  const headers = { authorization: `Token ${token}`, "content-type": "application/json" };
  const response = await fetch(`${base}/webhooks`, {
    method: "POST",
    headers,
    body: JSON.stringify({ data: { type: "webhook", attributes: { url, events: ["*"], active: true } } }),
  });
  if (!response.ok) throw new Error(`POST ${base}/webhooks answered ${response.status}: ${await response.text()}`);
  const { data } = (await response.json()) as WebhookDocument;
  return {
    id: data.id,
    secret: data.attributes.secret,
    async remove() {
      const removed = await fetch(`${base}/webhooks/${data.id}`, { method: "DELETE", headers });
      if (!removed.ok) throw new Error(`DELETE ${base}/webhooks/${data.id} answered ${removed.status}`);
    },
  };
}
