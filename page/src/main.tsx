import { render } from "preact";
import { App } from "./app";
import { install } from "./commands";
import { start, tell } from "./store";
import "./styles/base.css";

start();
// What a field has to say to whoever typed into it.
addEventListener("remark", (event) => tell("warning", (event as CustomEvent<string>).detail));
install();
render(<App />, document.getElementById("app") as HTMLElement);
