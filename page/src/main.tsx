import { render } from "preact";
import { App } from "./app";
import { start } from "./store";
import "./styles/base.css";

start();
render(<App />, document.getElementById("app") as HTMLElement);
