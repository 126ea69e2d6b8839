/** Hand a file to the person, under the name that the studio gives it if none is given. */
export function downloadFile(address: string, name = ""): void {
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
}
