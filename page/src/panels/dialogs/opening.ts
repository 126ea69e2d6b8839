/** Opening things: one way for recent projects, files of folders, chosen files and dropped ones. */

import { signal } from "@preact/signals";
import { attempt, dialog } from "../../store";
import { findMainFile, kindOf, explainRefusal, upload } from "./files";

/** What is being opened; empty if nothing is. */
export const opening = signal("");
/** Why the last one could not be opened. */
export const problem = signal("");

/** Open a file that the studio can reach; the message is shown in the dialog, and nothing is lost. */
export async function openPath(source: string, kind: "project" | "file"): Promise<boolean> {
  opening.value = source;
  problem.value = "";
  try {
    const outcome = await attempt("open", { source, kind });
    if (!outcome.ok) problem.value = outcome.error;
    return outcome.ok;
  } finally {
    opening.value = "";
  }
}

/** Give files of this computer to the studio and open the one that counts. */
export async function openFiles(files: readonly File[]): Promise<boolean> {
  const names = files.map((file) => file.name);
  problem.value = explainRefusal(names);
  const main = findMainFile(names);
  if (main === null) return false;
  opening.value = main;
  try {
    let source = "";
    for (const file of files) {
      const place = await upload(file);
      if (file.name === main) source = place;
    }
    const opened = await openPath(source, kindOf(main) === "project" ? "project" : "file");
    // Where the studio keeps what was sent is nobody's concern.
    problem.value = problem.value.replaceAll(source, main);
    return opened;
  } catch (error) {
    problem.value = error instanceof Error ? error.message : String(error);
    return false;
  } finally {
    opening.value = "";
  }
}

/** The same for files that were dropped, with the dialog opened if there is something to say. */
export async function openDropped(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  if (await openFiles(files)) {
    if (dialog.value === "open" || dialog.value === "gallery") dialog.value = "";
  } else {
    dialog.value = "open";
  }
}
