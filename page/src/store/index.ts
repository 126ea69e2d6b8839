/**
 * What the page knows. Three kinds of state are kept apart: what the studio says, how this person likes the page, and what
 * vanishes. What concerns one component alone lives in it.
 */

export * from "./page";
export * from "./preferences";
export * from "./studio";
export * from "./toasts";
