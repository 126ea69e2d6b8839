import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { attempt, closeDialog, doc, showToast } from "../../store";
import { withoutSuffix } from "../../store/formats";
import { Button, Dialog } from "../../ui";
import { baseName, folderOf, inFolder, explainBadName, addProjectEnding } from "./files";
import type { Listed } from "./Open";
import { Trouble } from "../controls/Trouble";
import "./save.css";

/** Write the project under a name. */
export function Save() {
  const name = useSignal(withoutSuffix(baseName(doc.value?.path || doc.value?.title || doc.value?.scene || "untitled")));
  const folder = useSignal("");
  const folders = useSignal<string[]>([]);
  const taken = useSignal<string[]>([]);
  const asked = useSignal(false);
  const busy = useSignal(false);
  const problem = useSignal("");

  useEffect(() => {
    void attempt<string[]>("folders").then((found) => {
      if (!found.ok) return;
      folders.value = found.result;
      const own = folderOf(doc.value?.path ?? "");
      folder.value = found.result.includes(own) ? own : (found.result[0] ?? "");
    });
  }, []);
  useEffect(() => {
    if (!folder.value) return;
    void attempt<Listed[]>("files", { folder: folder.value }).then((found) => {
      taken.value = found.ok ? found.result.map((file) => file.name) : [];
    });
  }, [folder.value]);

  const file = addProjectEnding(name.value);
  const path = folder.value ? inFolder(folder.value, file) : file;
  const there = taken.value.includes(file) && path !== doc.value?.path;
  const blocked = explainBadName(name.value);

  const save = async () => {
    if (blocked || busy.value) return;
    if (there && !asked.value) {
      asked.value = true;
      return;
    }
    busy.value = true;
    const outcome = await attempt("save_as", { path, overwrite: asked.value });
    busy.value = false;
    if (!outcome.ok) {
      problem.value = outcome.error;
      asked.value = false;
      return;
    }
    closeDialog();
    showToast("info", `Saved as ${file}.`);
  };
  return (
    <Dialog
      title="Save as"
      size="small"
      class="save"
      testid="dialog-save"
      onClose={closeDialog}
      foot={
        <>
          <Button onClick={closeDialog}>Cancel</Button>
          <Button
            kind={asked.value ? "danger" : "primary"}
            blocked={blocked || (busy.value ? "It is being written." : "")}
            testid="save-confirm"
            onClick={() => void save()}
          >
            {asked.value ? "Replace it" : "Save"}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label>
          <span>Name</span>
          <input
            class="text-field"
            autofocus
            autocomplete="off"
            spellcheck={false}
            data-testid="save-name"
            value={name.value}
            onFocus={(event) => event.currentTarget.select()}
            onInput={(event) => {
              name.value = event.currentTarget.value;
              asked.value = false;
              problem.value = "";
            }}
          />
        </label>
        {folders.value.length > 0 && (
          <label>
            <span>Folder</span>
            <select
              value={folder.value}
              onChange={(event) => {
                folder.value = event.currentTarget.value;
                asked.value = false;
              }}
            >
              {folders.value.map((path) => (
                <option key={path} value={path}>
                  {path}
                </option>
              ))}
            </select>
          </label>
        )}
      </form>
      {blocked && (
        <p class="question" role="alert" data-testid="save-problem">
          {blocked}
        </p>
      )}
      {asked.value && (
        <p class="question" role="alert">
          There is a file “{file}” in this folder. Shall it be replaced? What it holds now would be gone.
        </p>
      )}
      <Trouble text={problem.value} />
    </Dialog>
  );
}
