/** The small controls that everything on the page is made of. */

export { Button, IconButton } from "./Button";
export { Field, Segmented, Tabs, Toggle, type Choice } from "./choices";
export { Dialog } from "./Dialog";
export { Icon } from "./Icon";
export type { IconName } from "./icons";
export { keyNames, shownKey } from "./keyname";
export { NumberField } from "./NumberField";
export { inRange, typed, written } from "./numbers";
export { Menu, Popover, type MenuItem } from "./Popover";
export { Progress } from "./Progress";
export { Slider } from "./Slider";
export { Keys, place, tip, TipLayer, type TipText } from "./Tip";
