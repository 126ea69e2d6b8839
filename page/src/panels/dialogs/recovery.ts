/** Says so once when a project was found as a session left it that did not end well. */

import { effect } from "@preact/signals";
import { doc, showToast } from "../../store";

export function watchRecovery(): () => void {
  let told = "";
  return effect(() => {
    const { path, title, recovered } = doc.value ?? { path: "", title: "", recovered: "" };
    const key = `${path} ${title} ${recovered}`;
    if (!recovered || key === told) return;
    told = key;
    showToast("info", `Nothing was lost: ${recovered}.`);
  });
}
