/**
 * Progressive enhancement: forms and links work without JavaScript. Each part finds its own elements and does nothing
 * on a page without them.
 */
import { actInPlace } from "./act-in-place.ts";
import { startAgeUpdates } from "./ages.ts";
import { slideThroughChanges } from "./as-of-slider.ts";
import { closeMenus } from "./close-menus.ts";
import { filterContainers } from "./container-filter.ts";
import { copyByButton } from "./copy-button.ts";
import { suggestInHeader } from "./header-search.ts";
import { openInPlace } from "./in-place.ts";
import { listenToKeys } from "./keys.ts";
import { startLiveUpdates } from "./live.ts";
import { loadMap } from "./load-map.ts";
import { offerOwnZone } from "./own-zone.ts";
import { openPalette } from "./palette.ts";
import { pickRows } from "./pick-rows.ts";
import { printByButton } from "./print-page.ts";
import { showCurrent } from "./show-current.ts";
import { offerToShow } from "./show-password.ts";
import { showVoyages } from "./show-voyages.ts";
import { submitOnce } from "./submit-once.ts";
import { suggestMembers } from "./suggest-members.ts";
import { warnUnsaved } from "./warn-unsaved.ts";

/** Interaction handlers start first. The rest starts when the browser is idle, after the first paint. */
for (const part of [
  submitOnce,
  listenToKeys,
  openPalette,
  suggestInHeader,
  openInPlace,
  actInPlace,
  pickRows,
  filterContainers,
  copyByButton,
  suggestMembers,
  warnUnsaved,
  printByButton,
  offerToShow,
  slideThroughChanges,
  closeMenus,
  showCurrent,
]) {
  part(document);
}

const whenIdle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run));
for (const part of [startAgeUpdates, startLiveUpdates, offerOwnZone, loadMap, showVoyages])
  whenIdle(() => part(document), { timeout: 1_000 });
