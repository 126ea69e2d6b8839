import { render } from "preact";
import { App } from "./app";
import { install } from "./commands";
import { start } from "./store";
import "./styles/base.css";

start();
install();
render(<App />, document.getElementById("app") as HTMLElement);
