import { type ChecklistItem, items } from "./checklist-item.ts";

const negotiation = items("JSON:API 1.1: content negotiation", {
  J1: ["Answers carry the JSON:API media type bare", "written without Express, which adds a charset"],
  J2: [
    "A body with a parameter on the JSON:API type is 415",
    "415; `charset=utf-8` is accepted, because common HTTP clients add it unasked",
  ],
  J3: ["A body with an extension that is not served is 415", "415; no extension is served"],
  J4: ["A body with an unknown profile is taken", "profiles of requests are ignored"],
  J5: ["Bodies of other types, or of none, are 415", "415 with `source.header`; `application/json` is taken too"],
  J6: ["Accept that names JSON:API only with other parameters is 406", "406, also beside `*/*`, as JSON:API says"],
  J7: ["One good instance in Accept is enough", "bad instances are passed over"],
  J8: ["Accept with an unsupported extension only is 406", "406"],
  J9: ["Accept with an unknown profile is served", "200"],
  J10: ["`q` is a weight and no parameter", "the most specific range decides; 0 refuses"],
  J11: [
    "`*/*`, nothing and `application/json` are served",
    "for JSON alone the same document, also of an error, as JSON",
  ],
  J12: ["Vary names Accept", "`Vary: Accept, Authorization` on every answer"],
  J13: ["406 and 415 name the header", "`source.header`"],
});

const structure = items("JSON:API 1.1: documents", {
  J14: ["Only the top-level members that JSON:API knows", "checked over every operation that reads"],
  J15: ["No `included` without `data`", "error documents have `errors` alone"],
  J16: ["Resources have only their members, ids are strings", "checked over every operation that reads"],
  J17: ["A list is an array, also of none or one", "`[]`, never null"],
  J18: ["Attributes and relationships share one namespace", "no name twice, none called id or type"],
  J19: ["An empty to-one relationship is null", "present with `data: null`"],
  J20: ["An empty to-many relationship is `[]`", "`data: []`"],
  J21: ["Attributes that are unknown are there as null", "every attribute, always"],
  J22: [
    "A resource's `self` is absolute and can be read",
    "built on the public base address, also behind a proxy's prefix",
  ],
  J23: ["A list's `self` gives the same page", "repeats every parameter"],
  J24: ["Every link leads somewhere", "each link of every read is followed"],
  J25: ["Member names are plain", "letters, digits, `_`"],
  J26: ["`jsonapi` is right where it is", "on pages by cursor, with version and profile"],
});

const compound = items("JSON:API 1.1: include and fields", {
  J27: ["`include` gives `included`", "yes"],
  J28: ["`included` is there when it is empty", "`[]`"],
  J29: ["An empty `include` includes nothing", "`included: []`, no default"],
  J30: ["Steps on the way are included", "the containers of `containers.pod_terminal` too"],
  J31: ["No resource twice", "by type and id, primary data counted"],
  J32: ["Full linkage", "each included resource is reached from the primary data"],
  J33: ["Nothing that was not asked for", "yes"],
  J34: ["Unknown include paths are 400", "with `source.parameter`, every unknown path reported"],
  J35: ["`include` where there is nothing to include is 400", "400"],
  J36: ["Repeated paths are one; other spellings are refused", "deduplicated; case, spaces and empty parts are 400"],
  J37: ["`fields[type]` leaves only the named ones", "id, type and links stay"],
  J38: ["Empty `fields[type]` leaves none", "no attributes, no relationships"],
  J39: ["`fields` holds for what is included", "yes"],
  J40: ["Hidden linkage does not hide what is included", "it is still sent"],
  J41: ["Unknown fields or types are 400", "400, so that a typing error shows"],
  J42: ["Encoded brackets are the same", "yes"],
  J43: ["`include` and `fields` hold for answers of writes", "yes"],
});

const queries = items("JSON:API 1.1: sort, pages, filters, parameters", {
  J44: [
    "`sort` by several keys, ties broken by a unique one",
    "one key at a time; the id breaks ties, in the same direction",
  ],
  J45: ["Unknown sort, or sort where there is none, is 400", "400, as the cursor profile names it"],
  J46: ["first, prev, next and last where there is such a page", "a link that leads nowhere is left out, never null"],
  J47: ["A walk meets each record once, in both directions", "by number and by cursor"],
  J48: ["Pagination links keep the request, encoded", "filter, sort, fields, include and size"],
  J49: ["A page size that is no count is 400", "400 with its own name"],
  J50: [
    "A page size above the maximum is refused or cut",
    "cut to 100, as clients of the reference contract expect; `meta.size` says so",
  ],
  J51: [
    "A page past the end is empty",
    "200 without `next`; a number that skips over 1,000,000 rows is 400 and names `links.next`",
  ],
  J52: [
    "Number and cursor together",
    "the cursor decides and the number labels the page, as in `links.next` of a long list; two cursors are 400",
  ],
  J53: ["Filters filter", "compared with brute force on random rows"],
  J54: ["Unknown filters and values are 400", "400 with the parameter's whole name"],
  J55: ["Unknown parameters of small letters are 400", "400"],
  J56: ["So are unknown ones of other names", "400"],
  J57: ["A parameter that is given twice is 400", "400 on every operation that reads"],
  J58: [
    "Our own parameters have a letter beyond a to z in their name",
    "all but `query`, `search`, `event`, `number` and `q`, which are the reference service's, and `avoid`, kept for those who send it",
  ],
});

const errors = items("JSON:API 1.1: errors", {
  J59: ["Every refusal is an error document", "also of the router, of other addresses and of what is no HTTP request"],
  J60: ["Error objects have only their members; status is a string", "id is the request's; one title for a status"],
  J61: [
    "A pointer leads into the body that was sent",
    "it does; a missing value's leads to where it should be, as docs/contract/reference.md 1.1.1 describes for `blank`",
  ],
  J62: ["`source.parameter` is the name as sent", "yes"],
  J63: ["Every error is reported", "all of a body, all of a query"],
  J64: ["Internal details stay private", "a fixed text for unexpected errors"],
});

const writes = items("JSON:API 1.1: reads and writes of one resource", {
  J65: ["Unknown, malformed and foreign ids are one 404", "the same bytes; a malformed id reaches no statement"],
  J66: ["Another `data.type` is 409", "409 at `/data/type`; absent is allowed"],
  J67: ["Another `data.id` is 409", "409 at `/data/id`; ids compare without case"],
  J68: ["A document of the wrong build is 400", "400"],
  J69: ["What is left out stays", "yes"],
  J70: ["A refused write changes nothing", "one transaction"],
  J71: ["Repeated tags are 422", "422 at the attribute"],
  J72: [
    "A read-only attribute is 403",
    "422 with a pointer when it differs from the record; accepted when it is equal, so that a whole record can be sent back",
  ],
  J73: ["Members beyond JSON:API are ignored outside attributes", "ignored there; an unknown attribute is 422"],
  J74: ["PATCH answers the whole resource", "200"],
  J75: ["PATCH of nothing changes nothing", "200, same ETag"],
  J76: ["201 with Location, which is `links.self`", "yes"],
  J77: ["A client's own id is refused", "403"],
  J78: ["POST of another type is 409", "409"],
  J79: ["POST that names what there is not is 404", "404 at the relationship"],
  J80: ["201 when the resource exists, though work goes on", "201 with status `pending`"],
  J81: [
    "DELETE has no body; the second is 404",
    "204; 200 without a body for webhooks, as the reference has it, and carrier connections",
  ],
  J82: [
    "Related links answer, also of nothing",
    "`related` is published where linkage is not; it is a list, 200 when empty",
  ],
  J83: ["A published relationship link can be asked", "none is published: relationships have `data` or `related` only"],
  J84: ["PUT is 405 with Allow", "405"],
  J85: ["HEAD and OPTIONS", "HEAD as GET; OPTIONS lists the methods, without a token"],
});

const profiles = items("JSON:API 1.1: extensions and profiles", {
  J86: [
    "The cursor profile",
    "its error types; ranges are refused as it says; prev and next are left out where it would have null, and a size is cut where it would refuse",
  ],
  J87: [
    "It is named where it is applied",
    "in Content-Type and in `jsonapi.profile`; `links.self` stays a plain string",
  ],
  J88: ["Rows that come or go during a walk hide and repeat none", "keyset, so the place outlives its row"],
  J89: [
    "Atomic operations",
    "not offered",
    {
      notYet:
        "`POST /tracking_requests/bulk` decides each item for itself, which clients need more; the extension is refused (J3)",
    },
  ],
});

/** JSON:API 1.1 as a server must, should or may do it, one request an item. */
export const jsonApiChecklist: readonly ChecklistItem[] = [
  ...negotiation,
  ...structure,
  ...compound,
  ...queries,
  ...errors,
  ...writes,
  ...profiles,
];
