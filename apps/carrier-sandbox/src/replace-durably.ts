import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

function syncFolder(path: string): void {
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * Replaces a file's content so that a crash at any moment leaves either the old or the new content. Returns when it is
 * on the disk.
 */
export function replaceDurably(path: string, text: string): void {
  const draft = `${path}.new`;
  const file = openSync(draft, "w");
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  syncFolder(path);
}
