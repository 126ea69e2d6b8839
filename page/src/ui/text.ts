/** Texts as people read them. */

/** Names of bones are those of files: "bone_3" reads better as "bone 3". */
export const formatName = (name: string): string => name.replaceAll(/[_.]+/g, " ").trim();

/** Text that begins as a sentence does. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
