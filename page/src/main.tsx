import { render } from "preact";
import { App } from "./app";
import { installKeys } from "./commands";
import { connectStudio, showToast } from "./store";
import "./styles/base.css";

connectStudio();
// What a field has to say to whoever typed into it.
addEventListener("remark", (event) => showToast("warning", (event as CustomEvent<string>).detail));
installKeys();
render(<App />, document.getElementById("app") as HTMLElement);
