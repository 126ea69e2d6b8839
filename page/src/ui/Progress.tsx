import "./ui.css";

/** How far something is: 0 to 1, or null if nobody knows. */
export function Progress({ done, label }: { done: number | null; label: string }) {
  const known = done !== null;
  return (
    <div
      class={`progress ${known ? "" : "unknown"}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={known ? Math.round(done * 100) : undefined}
    >
      <div style={known ? { width: `${Math.min(1, Math.max(0, done)) * 100}%` } : {}} />
    </div>
  );
}
