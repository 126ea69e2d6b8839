/** Where the corner of the stage is, so that messages stand there and never over a panel. */
export function corner(stage: DOMRect | undefined): { right: number; bottom: number } {
  if (!stage) return { right: 16, bottom: 16 };
  return { right: Math.round(innerWidth - stage.right) + 16, bottom: Math.round(innerHeight - stage.bottom) + 16 };
}
