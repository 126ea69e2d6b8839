import { findCommand, runCommand } from "../commands/registry";
import { WorkspaceSwitch } from "./WorkspaceSwitch";
import { directing, doc, scene, status, theme } from "../store";
import { link } from "../wire/connection";
import { Button, Icon, Menu, shownKey, tip, type MenuItem } from "../ui";
import { CommandButton } from "./controls/CommandButton";
import "./topbar.css";

/** Whose work this is: name, file, taking back; and the ways out of it. */
export function TopBar() {
  return (
    <header class="topbar">
      <div class="brand">
        <img src="./icon.svg" alt="" width={22} height={22} />
        <span>Stringless</span>
      </div>
      <nav class="topbar-group" aria-label="Project">
        <Button icon="gallery" kind="quiet" label="Gallery" {...words("project.gallery")} testid="open-gallery" onClick={() => runCommand("project.gallery")}>
          Gallery
        </Button>
        <ProjectMenu />
        <Undo id="project.undo" icon="undo" what={doc.value?.undo ?? ""} verb="Undo" />
        <Undo id="project.redo" icon="redo" what={doc.value?.redo ?? ""} verb="Redo" />
        <WorkspaceSwitch />
      </nav>
      <Title />
      <div class="topbar-group end">
        <Watching />
        <Button icon="export" kind="quiet" label="Export" {...words("project.export")} testid="open-export" onClick={() => runCommand("project.export")}>
          Export
        </Button>
        <CommandButton id="help.palette" icon="search" testid="open-palette" />
        <CommandButton
          id="view.theme"
          icon={theme.value === "auto" ? "auto" : theme.value === "light" ? "sun" : "moon"}
          title={{ auto: "Theme: system", light: "Theme: light", dark: "Theme: dark" }[theme.value]}
          testid="theme"
          class="optional"
        />
        <CommandButton id="help.keys" icon="help" testid="open-keys" />
      </div>
    </header>
  );
}

function words(id: string) {
  const found = findCommand(id);
  return { help: found.help, keys: shownKey(found), blocked: found.blocked?.() };
}

function item(id: string, icon: MenuItem["icon"], testid?: string): MenuItem {
  const found = findCommand(id);
  return { label: found.title, icon, keys: shownKey(found), blocked: found.blocked?.(), testid, run: () => runCommand(id) };
}

function ProjectMenu() {
  return (
    <Menu
      button={
        <>
          <Icon name="folder" size={16} />
          <span>Project</span>
          <Icon name="down" size={12} />
        </>
      }
      label="Project"
      help="Open, save, and where it is kept."
      testid="project-menu"
      items={[
        item("project.open", "folder", "menu-open"),
        item("project.gallery", "gallery"),
        "-",
        item("project.save", "save", "menu-save"),
        item("project.saveAs", "file", "menu-save-as"),
        "-",
        item("project.export", "export"),
      ]}
    />
  );
}

interface UndoProps {
  id: string;
  icon: "undo" | "redo";
  what: string;
  verb: string;
}

/** Says what it would take back. */
function Undo({ id, icon, what, verb }: UndoProps) {
  return <CommandButton id={id} icon={icon} title={what ? `${verb}: ${what}` : verb} testid={verb.toLowerCase()} />;
}

/** The name of the document; a click saves it under another one. */
function Title() {
  const document = doc.value;
  const name = document?.title || "Untitled";
  const kept = document?.path ? `Kept in ${document.path}, written as you go.` : "Unsaved project. Click to save it.";
  return (
    <button
      type="button"
      class="title"
      data-testid="title"
      {...tip({ title: name, help: kept, blocked: findCommand("project.saveAs").blocked?.() })}
      aria-label={`${name}. ${kept}`}
      onClick={() => runCommand("project.saveAs")}
    >
      <span class="title-name">{name}</span>
      {scene.value && scene.value.name !== name && <span class="title-scene">{scene.value.name}</span>}
      <span class={`title-state ${document?.path ? "saved" : ""}`}>{document?.path ? "Saved" : "Not saved"}</span>
    </button>
  );
}

/** Who else is here, and who directs. */
function Watching() {
  const state = status.value;
  if (!state || link.value !== "open") return null;
  if (!directing.value) {
    return (
      <span class="pages watching" data-testid="watching" {...tip({ title: "This page watches", help: "Another page directs." })}>
        <Icon name="eye" size={16} />
        Watching
      </span>
    );
  }
  if (state.pages < 2) return null;
  const others = state.pages - 1;
  return (
    <span
      class="pages"
      data-testid="pages"
      {...tip({ title: `${others} more ${others === 1 ? "page looks" : "pages look"} on`, help: "This one directs." })}
    >
      <Icon name="users" size={16} />
      {state.pages}
    </span>
  );
}
