/** The small controls that everything on the page is made of. */

export { Button, IconButton } from "./Button";
export { Field, Segmented, Tabs, Toggle, type Choice } from "./choices";
export { Dialog } from "./Dialog";
export { walkFocus } from "./focus";
export { Icon } from "./Icon";
export type { IconName } from "./icons";
export { keyNames, formatKey as shownKey } from "./keyname";
export { NumberField } from "./NumberField";
export { clampNumber as inRange, parseNumber as typed, formatNumber as written } from "./numbers";
export { Menu, Popover, type MenuItem } from "./Popover";
export { Progress } from "./Progress";
export { Slider } from "./Slider";
export { Keys, placeElement as place, tip, TipLayer, type TipText } from "./Tip";
