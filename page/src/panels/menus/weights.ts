/** How much something counts beside others, as a person says it. */

export function describeWeight(strength: number): string {
  if (strength < 0.3) return "little";
  if (strength < 0.75) return "less";
  if (strength <= 1.35) return "normal";
  return strength < 4 ? "more" : "much";
}
