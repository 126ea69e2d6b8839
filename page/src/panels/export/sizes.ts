/** Sizes of films. All even, as encoders want them. */
export const SIZES = {
  "720p": { width: 1280, height: 720, label: "720p", help: "1280 × 720" },
  "1080p": { width: 1920, height: 1080, label: "1080p", help: "1920 × 1080" },
  square: { width: 1080, height: 1080, label: "Square", help: "1080 × 1080" },
} as const;

export type Size = keyof typeof SIZES;
