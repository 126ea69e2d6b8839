/** Stands where a picture is missing: a line that bends differently for every name, on a floor. */
export function Placeholder({ name }: { name: string }) {
  const bend = bends(name);
  const points = bend.map((height, k) => [30 + k * 25, 66 - height] as const);
  const path = points
    .map(([x, y], k) => {
      const before = points[k - 1];
      return before ? `C${before[0] + 12} ${before[1]} ${x - 12} ${y} ${x} ${y}` : `M${x} ${y}`;
    })
    .join("");
  return (
    <svg class="placeholder" viewBox="0 0 160 100" aria-hidden="true" preserveAspectRatio="xMidYMid slice">
      <path class="ground" d="M0 76H160" />
      <path class="creature" d={path} />
    </svg>
  );
}

/** Five heights out of a name, always the same ones. */
function bends(name: string): number[] {
  let seed = 7;
  const heights: number[] = [];
  for (const letter of `${name}bends`) {
    seed = (seed * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
    heights.push(seed % 37);
  }
  return heights.slice(-5).map((height, k) => height * (k === 0 || k === 4 ? 0.3 : 1));
}
