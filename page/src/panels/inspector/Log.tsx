import { useEffect, useRef } from "preact/hooks";
import { act, log, showToast } from "../../store";
import { Button } from "../../ui";
import { colourPython } from "./parts/python";
import { registerPanel } from "../registry";

/** Everything that was done, as lines of Python. */
function Log() {
  const lines = log.value;
  const box = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  useEffect(() => {
    const node = box.current;
    if (node && stuck.current) node.scrollTop = node.scrollHeight;
  }, [lines]);
  return (
    <div class="log">
      <div class="list-head">
        <Button icon="copy" help="Copy all lines below." blocked={lines.length ? "" : "Nothing was done yet."} onClick={() => void copy(lines.join("\n"), "Lines")}>
          Copy lines
        </Button>
        <Button icon="code" help="Copy a whole Python program that does all of this again." testid="copy-script" onClick={() => void copyScript()}>
          Copy script
        </Button>
      </div>
      <div
        ref={box}
        class="log-lines"
        role="log"
        tabIndex={0}
        aria-label="What was done, as Python"
        data-testid="log"
        onScroll={(event) => {
          const node = event.currentTarget;
          // It follows the newest line unless a person has scrolled up to read.
          stuck.current = node.scrollHeight - node.scrollTop - node.clientHeight < 24;
        }}
      >
        {lines.length === 0 && <p class="quiet">Whatever you do appears here as Python that does it again.</p>}
        {lines.map((line, k) => (
          <Line key={k} text={line} />
        ))}
      </div>
    </div>
  );
}

function Line({ text }: { text: string }) {
  return (
    <code>
      {colourPython(text).map((piece, k) => (piece.kind === "plain" ? piece.text : <span key={k} class={`py-${piece.kind}`}>{piece.text}</span>))}
      {"\n"}
    </code>
  );
}

async function copyScript(): Promise<void> {
  const text = await act<string>("script");
  if (typeof text === "string") await copy(text, "Script");
}

async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast("info", `${what} copied.`);
  } catch {
    showToast("warning", "The browser does not let the page copy; select the lines and copy them by hand.");
  }
}

registerPanel({
  id: "log",
  label: "Log",
  icon: "code",
  help: "Everything you do, as Python to copy.",
  order: 60,
  Content: Log,
});
