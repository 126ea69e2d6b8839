/** Files that come to the studio from this computer. */

import { projectSuffix, readers, suffixes } from "../../store/formats";

/** What a file dialog lets through: suffixes and media types. */
export function accepted(): string {
  const known = readers();
  return [...suffixes(known), ...known.map((format) => format.media_type).filter((type) => type !== "")].join(",");
}

type FileKind = "project" | "file" | "part" | "unknown";

function suffix(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot).toLowerCase();
}

/** What can be done with a file, by how its name ends. */
export function kindOf(name: string): FileKind {
  const ending = suffix(name);
  if (suffixes(readers("project")).includes(ending)) return "project";
  if (suffixes(readers("scene")).includes(ending)) return "file";
  return suffixes(readers()).includes(ending) ? "part" : "unknown";
}

/** Which of several files is to be opened: a project before a scene; null if there is none. */
export function findMainFile(names: readonly string[]): string | null {
  return names.find((name) => kindOf(name) === "project") ?? names.find((name) => kindOf(name) === "file") ?? null;
}

/** Why these files cannot be opened; empty if they can. */
export function explainRefusal(names: readonly string[]): string {
  if (findMainFile(names) !== null) return "";
  const shown = names.map((name) => `“${name}”`).join(", ");
  return `${shown} cannot be opened. Projects end in ${projectSuffix()}, scenes in ${suffixes(readers("scene")).join(", ")}.`;
}

/** Give a file to the studio; says where it put it. */
export async function upload(file: File): Promise<string> {
  const address = `./upload?name=${encodeURIComponent(file.name)}`;
  let answer: Response;
  try {
    answer = await fetch(address, { method: "POST", body: file });
  } catch {
    throw new Error("The studio cannot be reached just now. Try again in a moment.");
  }
  const said = (await answer.json().catch(() => ({}))) as { source?: string; error?: string };
  if (!answer.ok || !said.source) throw new Error(said.error ?? `The studio did not take “${file.name}” (${answer.status}).`);
  return said.source;
}

/** A path of a file in a folder, with the folder's own way of writing paths. */
export function inFolder(folder: string, name: string): string {
  const bar = folder.includes("\\") && !folder.includes("/") ? "\\" : "/";
  return folder.endsWith(bar) ? folder + name : folder + bar + name;
}

/** A name for a project file, with its ending. */
export function addProjectEnding(name: string): string {
  const trimmed = name.trim();
  return trimmed === "" || trimmed.toLowerCase().endsWith(projectSuffix()) ? trimmed : trimmed + projectSuffix();
}

/** Longer names do not fit where they are shown, and some disks refuse them. */
const LONGEST = 100;

/** Why a project cannot be called so; empty if it can. */
export function explainBadName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === "") return "It needs a name.";
  if (/[\\/]/.test(trimmed)) return "A name cannot hold / or \\.";
  if (trimmed.length > LONGEST) return `A name has at most ${LONGEST} characters; this one has ${trimmed.length}.`;
  return "";
}

export function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")));
}
