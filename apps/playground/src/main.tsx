import { render } from "preact";
import { App } from "./app.tsx";
import "@agentprint/page-style/tokens.css";
import "@agentprint/page-style/base.css";
import "./style/page.css";
import "./style/parts.css";

render(<App />, document.getElementById("page") as HTMLElement);
