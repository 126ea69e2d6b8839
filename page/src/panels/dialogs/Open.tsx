import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { attempt, closeDialog, directing, welcome } from "../../store";
import { readers, suffixes } from "../../store/formats";
import { Button, Dialog, Icon, Progress } from "../../ui";
import { formatAge, formatBytes } from "./ages";
import { accepted, baseName, folderOf, kindOf } from "./files";
import { openFiles, opening, openPath, problem } from "./opening";
import { Trouble } from "../controls/Trouble";
import "./open.css";

interface Recent {
  path: string;
  title: string;
  time: number | string;
  recovered?: boolean | string;
}
export interface Listed {
  name: string;
  path: string;
  kind: string;
  size: number;
  time: number | string;
}

/** How the studio marks a project without a name. */
const UNSAVED = / \(not saved\)$/;

/** Projects made before, files in folders, and files of this computer. */
export function Open() {
  const recent = useSignal<Recent[] | null>(null);
  const folders = useSignal<string[]>([]);
  const folder = useSignal("");
  const files = useSignal<Listed[] | null>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const blocked = directing.value ? "" : "Another page directs; this one watches.";

  useEffect(() => {
    void attempt<Recent[]>("recent").then((found) => (recent.value = found.ok ? found.result : []));
    void attempt<string[]>("folders").then((found) => {
      folders.value = found.ok ? found.result : [];
      folder.value = folders.value[0] ?? "";
    });
    return () => {
      problem.value = "";
    };
  }, []);
  useEffect(() => {
    files.value = null;
    if (!folder.value) return;
    void attempt<Listed[]>("files", { folder: folder.value }).then((found) => {
      files.value = found.ok ? found.result : [];
      if (!found.ok) problem.value = found.error;
    });
  }, [folder.value]);

  const open = async (path: string) => {
    if (blocked) problem.value = blocked;
    else if (await openPath(path, kindOf(path) === "project" ? "project" : "file")) closeDialog();
  };
  return (
    <Dialog
      title="Open"
      class="open"
      testid="dialog-open"
      onClose={closeDialog}
      foot={
        <>
          <span class="note">Or drop a file anywhere on the page.</span>
          <Button icon="file" blocked={blocked} testid="choose-file" onClick={() => chooser.current?.click()}>
            Browse…
          </Button>
          <input
            ref={chooser}
            type="file"
            multiple
            hidden
            accept={accepted()}
            data-testid="file-input"
            onChange={(event) => {
              const chosen = [...(event.currentTarget.files ?? [])];
              event.currentTarget.value = "";
              void openFiles(chosen).then((done) => {
                if (done) closeDialog();
              });
            }}
          />
        </>
      }
    >
      <div tabIndex={-1} autofocus class="focus-first" />
      {opening.value && (
        <div class="opening">
          <span class="note">Opening {baseName(opening.value)} …</span>
          <Progress done={null} label="Opening" />
        </div>
      )}
      <Trouble text={problem.value} />
      <h3>Recent</h3>
      <RecentList recent={recent.value} open={(path) => void open(path)} />
      {folders.value.length > 0 && (
        <>
          <h3 class="folder-head">
            <span>Files in</span>
            <select aria-label="Folder" value={folder.value} onChange={(event) => (folder.value = event.currentTarget.value)}>
              {(folders.value.includes(folder.value) ? folders.value : [folder.value, ...folders.value]).map((path) => (
                <option key={path} value={path}>
                  {path}
                </option>
              ))}
            </select>
          </h3>
          <FileList files={files.value} open={(path) => void open(path)} enter={(path) => (folder.value = path)} />
        </>
      )}
      <p class="note kinds">
        Opens projects ({suffixes(readers("project")).join(", ")}) and scenes ({suffixes(readers("scene")).join(", ")}) {welcome.value ? `with Stringless ${welcome.value.software}` : ""}
      </p>
    </Dialog>
  );
}

function RecentList({ recent, open }: { recent: Recent[] | null; open: (path: string) => void }) {
  if (recent === null) return <p class="note">Looking …</p>;
  if (recent.length === 0) return <p class="note">Projects that you save will be listed here.</p>;
  return (
    <ul class="rows">
      {recent.map((item) => (
        <li key={item.path}>
          <button type="button" class="row" title={`Open ${item.path}`} onClick={() => open(item.path)}>
            <Icon name="clock" />
            <span class="name">
              {(item.title || baseName(item.path)).replace(UNSAVED, "")}
              {item.recovered && (
                <span class="badge" title="The studio ended unexpectedly while this was open; everything up to the last second is there.">
                  recovered
                </span>
              )}
              {UNSAVED.test(item.title) && (
                <span class="badge" title="It has no name of its own yet; everything in it is kept all the same.">
                  not saved
                </span>
              )}
            </span>
            <span class="when">{formatAge(item.time)}</span>
            <span class="more">{folderOf(item.path)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

interface FileListProps {
  files: Listed[] | null;
  open: (path: string) => void;
  enter: (folder: string) => void;
}

function FileList({ files, open, enter }: FileListProps) {
  if (files === null) return <p class="note">Looking …</p>;
  const known = files.filter((file) => file.kind === "folder" || kindOf(file.name) === "project" || kindOf(file.name) === "file");
  if (known.length === 0) return <p class="note">There is nothing in this folder that can be opened.</p>;
  return (
    <ul class="rows">
      {known.map((file) => (
        <li key={file.path}>
          <button type="button" class="row" title={`Open ${file.path}`} onClick={() => (file.kind === "folder" ? enter(file.path) : open(file.path))}>
            <Icon name={file.kind === "folder" ? "folder" : kindOf(file.name) === "project" ? "film" : "file"} />
            <span class="name">{file.name}</span>
            <span class="when">{file.kind === "folder" ? "" : `${formatBytes(file.size)} · ${formatAge(file.time)}`}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
