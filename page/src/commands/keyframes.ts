/** Commands of keyframes. */

import { act, status } from "../store";
import { listKeys, findNeighbour, findPlayStart, type KeyPlace } from "../store/timeline/keys";
import { chosenKey, shownTime, seek, sendSeek, tracks } from "../store/timeline/state";
import { undirected, watching } from "./reasons";
import { registerCommandsIn } from "./registry";

const noKeys = () => watching() || (tracks.value.some((track) => track.times.length) ? "" : "There are no keys yet.");

function jump(direction: 1 | -1): void {
  const next = findNeighbour(tracks.value, shownTime(), direction);
  if (next) chooseKey(next);
}

/** Choose a key and look at its moment. */
export function chooseKey(key: KeyPlace): void {
  chosenKey.value = key;
  seek(key.time);
}

async function remove(): Promise<void> {
  const chosen = chosenKey.value;
  if (!chosen) return;
  chosenKey.value = null;
  await act("delete_key", { track: chosen.track, key: chosen.key });
}

/** The track that is meant: that of the chosen key, else the one made last. */
function meant() {
  const all = tracks.value.filter((track) => track.times.length > 0);
  return all.find((track) => track.id === chosenKey.value?.track) ?? all.at(-1);
}

/** Keys stand at moments of the take: played from the playhead, each is reached when the playhead comes to it. */
async function playOrStop(): Promise<void> {
  const playing = tracks.value.filter((track) => track.playing);
  if (playing.length > 0) {
    for (const track of playing) await act("stop_track", { track: track.id });
    return;
  }
  const track = meant();
  if (!track) return;
  const begin = findPlayStart(track, shownTime());
  if (begin !== shownTime()) seek(begin);
  sendSeek();
  if ((await act("play_track", { track: track.id, begin })) !== undefined) await act("live");
}

registerCommandsIn(
  "direct",
  {
    id: "keys.set",
    title: "Set a key",
    group: "Keyframes",
    keys: ["KeyK"],
    help: "Keep the pose you see as a keyframe at the playhead.",
    run: () => void act("key"),
    blocked: undirected,
  },
  {
    id: "keys.delete",
    title: "Delete the key",
    group: "Keyframes",
    keys: ["Delete", "Backspace"],
    help: "Remove the keyframe that is chosen.",
    run: () => void remove(),
    blocked: () => watching() || (chosenKey.value ? "" : "No key is chosen."),
  },
  {
    id: "keys.previous",
    title: "Previous key",
    group: "Keyframes",
    keys: ["BracketLeft"],
    help: "Go to the keyframe before the playhead.",
    run: () => jump(-1),
    blocked: noKeys,
  },
  {
    id: "keys.next",
    title: "Next key",
    group: "Keyframes",
    keys: ["BracketRight"],
    help: "Go to the keyframe after the playhead.",
    run: () => jump(1),
    blocked: noKeys,
  },
  {
    id: "keys.play",
    title: "Play the keyframes",
    group: "Keyframes",
    keys: ["Shift+KeyK"],
    help: "Simulate live with the joints following the keyframes, from the playhead on; again to stop following.",
    run: () => void playOrStop(),
    blocked: () => watching() || (listKeys(tracks.value).length > 0 ? "" : "There are no keys yet. Set one with K."),
  },
  {
    id: "keys.auto",
    title: "Auto-key",
    group: "Keyframes",
    keys: ["Shift+KeyA"],
    help: "Set a key by itself whenever a pose was changed by hand.",
    run: () => void act("auto_key", { on: !status.value?.auto_key }),
    blocked: undirected,
  },
);
