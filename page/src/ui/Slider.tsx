import { fromSlider, clampNumber, toSlider, type NumberRange } from "./numbers";
import { tip } from "./Tip";
import "./ui.css";

interface SliderProps extends NumberRange {
  value: number;
  min: number;
  max: number;
  label: string;
  help?: string | undefined;
  keys?: string | undefined;
  /** Equal ways are equal factors. */
  log?: boolean | undefined;
  /** What a screen reader says of a value. */
  say?: ((value: number) => string) | undefined;
  blocked?: string | undefined;
  testid?: string | undefined;
  onInput: (value: number) => void;
  onCommit?: ((value: number) => void) | undefined;
}

const STEPS = 1000;

export function Slider(props: SliderProps) {
  const { value, min, max, label, help, keys, log = false, blocked, testid, say } = props;
  const share = toSlider(value, min, max, log);
  const read = (event: Event) =>
    clampNumber(fromSlider(Number((event.currentTarget as HTMLInputElement).value) / STEPS, min, max, log), props);
  return (
    <input
      {...tip({ title: label, help, keys, blocked })}
      class="slider"
      type="range"
      min={0}
      max={STEPS}
      step={log || !props.step ? 5 : Math.max(1, (STEPS * props.step) / (max - min))}
      value={Math.round(share * STEPS)}
      style={{ "--share": `${share * 100}%` }}
      aria-valuetext={say?.(value)}
      disabled={Boolean(blocked)}
      data-testid={testid}
      onInput={(event) => props.onInput(read(event))}
      onChange={(event) => props.onCommit?.(read(event))}
    />
  );
}
