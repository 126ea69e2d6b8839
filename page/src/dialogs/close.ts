import { dialog } from "../store";

export function closeDialog(): void {
  dialog.value = "";
}
