import { get, post, type Route, redirectTo } from "../http/define-route.ts";
import { type ExceptionServices, editHandler, exceptionHandler } from "./exception-handlers.ts";
import { queueHandler, rowsHandler } from "./queue-handlers.ts";

/** `GET /attention` and `POST /attention/rows`; `GET` and `POST /attention/{id}`. */
export function exceptionRoutes(services: ExceptionServices): readonly Route[] {
  return [
    get("/", "anyone", redirectTo("/attention")),
    get("/attention", "read", queueHandler(services)),
    post("/attention/rows", "handle_exceptions", rowsHandler(services)),
    get("/attention/:id", "read", exceptionHandler(services)),
    post("/attention/:id", "handle_exceptions", editHandler(services)),
  ];
}
