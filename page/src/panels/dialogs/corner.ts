/** How wide a message may be, and how near to the left edge of the window [px]. */
const [WIDE, EDGE] = [340, 8];

/** Where the corner of the stage is, so that messages stand there and never over a panel; and how wide they are there. */
export function findCorner(stage: Pick<DOMRect, "right" | "bottom"> | undefined): { right: number; bottom: number; width: number } {
  const [x, y] = [(stage?.right ?? innerWidth) - 16, (stage?.bottom ?? innerHeight) - 16];
  return { right: Math.round(innerWidth - x), bottom: Math.round(innerHeight - y), width: Math.min(WIDE, Math.round(x) - EDGE) };
}
