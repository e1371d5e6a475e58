/** A JSON:API resource as it arrives, unread. */
export interface Resource {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, { readonly data: unknown }>>;
  readonly links?: Readonly<Record<string, string>>;
}

export interface ApiError {
  readonly status: string;
  readonly code: string;
  readonly detail?: string;
  readonly meta?: Readonly<Record<string, string>>;
  readonly source?: { readonly pointer?: string; readonly parameter?: string };
}

/** Members of a response; a test reads those that it expects. */
export interface Document {
  readonly data: Resource & Resource[];
  readonly included?: readonly Resource[];
  readonly errors?: readonly ApiError[];
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Document;
}

/** The API as a program in another language would use it: bare HTTP. */
export interface ApiClient {
  /** Sends any request; `body` is sent as it is when it is text, else as JSON. */
  request(
    method: string,
    path: string,
    options?: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<ApiResponse>;
  get(path: string): Promise<ApiResponse>;
  /** Sends `{data: {type, attributes}}`. */
  create(path: string, type: string, attributes: object): Promise<ApiResponse>;
  edit(path: string, type: string, attributes: object): Promise<ApiResponse>;
}

export function apiClient(baseUrl: string, token: string): ApiClient {
  const request: ApiClient["request"] = async (method, path, { body, headers } = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: "manual",
      headers: {
        authorization: `Token ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/vnd.api+json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
  };
  const send = (method: string) => (path: string, type: string, attributes: object) =>
    request(method, path, { body: { data: { type, attributes } } });
  return { request, get: (path) => request("GET", path), create: send("POST"), edit: send("PATCH") };
}
