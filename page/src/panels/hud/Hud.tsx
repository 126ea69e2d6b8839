/** What is written on the stage: a hint, how it stands, and what is wrong if something is. */

import { runCommand } from "../../commands/registry";
import { EditEntrance } from "./EditEntrance";
import { EditNotice } from "./EditNotice";
import { workspace } from "../../store/workspace";
import { act, directing, hint, pulled, scene, status } from "../../store";
import { grabbing } from "../../store/grabs";
import { endPose } from "../../store/pose";
import { springsOn } from "../../store/springs";
import { link, reason, roundTrip } from "../../wire/connection";
import { Button, Icon, Progress } from "../../ui";
import { CommandButton } from "../controls/CommandButton";
import { LayersMenu } from "./LayersMenu";
import { describeState } from "./stateLine";
import "./hud.css";

export function Hud() {
  return (
    <div class="hud">
      <div class="hud-corner">
        <LayersMenu />
        <CommandButton id="view.frame" icon="frame" size={36} side="left" testid="frame" />
      </div>
      <Banner />
      <State />
      <Hint />
      <EditEntrance />
      <Preparing />
    </div>
  );
}

function Hint() {
  const quiet = status.value?.preparing || link.value !== "open";
  return (
    <p class={`hud-hint ${grabbing.value ? "busy" : ""}`} role="status" data-testid="hint">
      {quiet ? "" : hint.value}
    </p>
  );
}

function State() {
  const now = status.value;
  // Numbers that nobody renews any more would be a lie.
  if (!now || !scene.value || link.value !== "open" || workspace.value === "edit") return null;
  const parts = describeState(now, roundTrip.value);
  return (
    <p class="hud-state" data-testid="state" title="Playback speed · frame rate · input latency">
      {parts.map((part) => (
        <span key={part.name} class={part.poor ? "poor" : ""}>
          {part.text}
        </span>
      ))}
    </p>
  );
}

function Banner() {
  const now = status.value;
  if (link.value === "refused") return <Notice kind="bad" icon="link" text={`The studio has closed this page: ${reason.value}.`} testid="banner-refused" />;
  if (link.value === "lost") return <Notice kind="bad" icon="link" text="Reconnecting… your work is safe." testid="banner-lost" />;
  if (link.value === "anew") return <Notice kind="bad" icon="link" text="Server restarted. Open the new URL from the terminal." testid="banner-anew" />;
  if (!now) return null;
  if (now.trouble) return <Trouble text={now.trouble} />;
  if (!directing.value) {
    return (
      <Notice kind="calm" icon="eye" text={now.director === null ? "No page is directing." : "You are watching; another page directs."} testid="banner-watching">
        <Button kind="primary" keys="D" help="From now on this page directs." onClick={() => void act("direct")} testid="direct">
          Direct
        </Button>
      </Notice>
    );
  }
  if (workspace.value === "edit") return <EditNotice />;
  if (now.posing) return <Posing />;
  if (pulled.value && !springsOn()) return <Limp />;
  if (now.stale) {
    const text = "Something before this has changed since it was recorded: it would come out otherwise now.";
    return <Notice kind="calm" icon="clock" text={text} testid="banner-stale" />;
  }
  return null;
}

function Trouble({ text }: { text: string }) {
  return (
    <Notice kind="bad" icon="warning" text={text} testid="banner-trouble">
      <Button kind="primary" onClick={() => void act("back")} testid="back" help="Return to the last stable frame, and go on from there.">
        Return to the last stable frame
      </Button>
    </Notice>
  );
}

/** Easily forgotten, and then it looks as if something were broken. */
function Limp() {
  return (
    <Notice kind="calm" icon="spring" text="Joint springs are off: every joint is limp." testid="banner-limp">
      <Button keys="J" onClick={() => runCommand("directing.springs")} testid="springs-on">
        Switch on
      </Button>
    </Notice>
  );
}

function Posing() {
  return (
    <Notice kind="pose" icon="pose" text="Drag the bones into a pose." testid="banner-posing">
      <Button kind="primary" keys="Enter" onClick={() => endPose("key")} testid="pose-key">
        Set a key
      </Button>
      <Button onClick={() => endPose("goal")} help="The character goes to this pose now." testid="pose-goal">
        Apply pose
      </Button>
      <Button kind="quiet" keys="Esc" onClick={() => endPose("none")} testid="pose-drop">
        Discard
      </Button>
    </Notice>
  );
}

interface NoticeProps {
  kind: "bad" | "calm" | "pose";
  icon: "link" | "eye" | "warning" | "pose" | "clock" | "spring";
  text: string;
  testid: string;
  children?: preact.ComponentChildren;
}

function Notice({ kind, icon, text, testid, children }: NoticeProps) {
  return (
    <div class={`hud-banner ${kind}`} role={kind === "bad" ? "alert" : "status"} data-testid={testid}>
      <Icon name={icon} />
      <span class="hud-banner-text">{text}</span>
      {children}
    </div>
  );
}

/** Nothing can be shown yet, and why. */
function Preparing() {
  const preparing = status.value?.preparing ?? null;
  const waiting = scene.value === null && (link.value === "connecting" || link.value === "open");
  if (!preparing && !waiting) return null;
  const share = preparing && preparing.total > 0 ? preparing.done / preparing.total : null;
  return (
    <div class={`hud-preparing ${scene.value ? "over" : ""}`} data-testid="preparing" role="status">
      <div class="hud-preparing-card">
        <p class="hud-preparing-title">{preparing?.text ?? "Opening the studio"}</p>
        <Progress done={share} label={preparing?.text ?? "Opening the studio"} />
        {preparing && <p class="hud-preparing-why">Compiling the physics for your computer (first start only). You can orbit the view meanwhile.</p>}
      </div>
    </div>
  );
}
