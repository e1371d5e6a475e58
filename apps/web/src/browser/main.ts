/**
 * What pages do with JavaScript, on top of forms and links that work without. Each part finds its own elements and does
 * nothing on a page that has none.
 */
import { keepAges } from "./ages.ts";
import { filterBoxes } from "./box-filter.ts";
import { copyByButton } from "./copy-button.ts";
import { listenToKeys } from "./keys.ts";
import { keepUpToDate } from "./live.ts";
import { offerOwnZone } from "./own-zone.ts";

copyByButton(document);
filterBoxes(document);
keepAges(document);
listenToKeys(document);
keepUpToDate(document);
offerOwnZone(document);
