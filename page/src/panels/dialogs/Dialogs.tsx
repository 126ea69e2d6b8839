import { dialog } from "../../store";
import { Drop } from "./Drop";
import { Export } from "../export/Export";
import { Gallery } from "./Gallery";
import { KeySheet } from "./KeySheet";
import { Open } from "./Open";
import { Palette } from "./Palette";
import { Save } from "./Save";
import { Toasts } from "./Toasts";
import { Tour } from "./Tour";
import "./dialogs.css";

const DIALOGS = { gallery: Gallery, open: Open, save: Save, export: Export, keys: KeySheet, palette: Palette };

/** Whatever lies above the page: one dialog at a time, messages, and the place to drop files. */
export function Dialogs() {
  const name = dialog.value;
  const Shown = name in DIALOGS ? DIALOGS[name as keyof typeof DIALOGS] : null;
  return (
    <>
      {Shown && <Shown />}
      <Tour />
      <Drop />
      <Toasts />
    </>
  );
}
