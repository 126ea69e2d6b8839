// Written by `python tools/typescript.py` from messages/status.py of the studio. Do not edit.

/** Work that takes a while before anything can be shown. */
export interface Preparation {
  text: string;
  done: number;
  /** 0 if unknown. */
  total: number;
}

/** A long job in the background; `cancel_job` cancels it. */
export interface JobInfo {
  id: number;
  title: string;
  /** 0 to 1. */
  done: number;
  state: "running" | "finished" | "failed" | "cancelled";
  text: string;
  /** Address of the result; empty if there is none. */
  download: string;
}

/** Active joints and their cost, with engine `adaptive`. */
export interface DetailInfo {
  /** Active joints; a floating root does not count. */
  moving: number;
  /** All joints that could be active. */
  joints: number;
  /** Joints of the character that has most of them. */
  most: number;
  /** Number of characters with joints. */
  characters: number;
  /**
   * Caused by inactive joints, at the last updates, summed over the characters whose error is known; -1 if no bound was set,
   * or all are out of the picture.
   */
  error: number;
  /** Time that a step takes now [µs]; -1 if it was not measured. */
  step: number;
  /** Time that a step would take with all joints active [µs]; -1 if it was not measured. */
  whole: number;
  /** Whether joints are activated where the page that directs sees them; see action `follow_view`. */
  follows: boolean;
  /** Active joints of the character that is seen largest; -1 without a view, or if the record is shown. */
  near: number;
  /** The same of the one that is seen smallest. */
  far: number;
  /** Characters out of the picture, which have no active joint. */
  hidden: number;
  /** Characters at rest, which cost nothing; 0 if the record is shown. */
  asleep: number;
}

/** The present status, sent several times a second. */
export interface Status {
  type: "status";
  mode: "paused" | "live" | "replay";
  time: number;
  lane: number | null;
  /** Whether the simulation itself is shown, and not the record. */
  present: boolean;
  /** Whether what is shown is out of date. */
  stale: boolean;
  /** Wanted simulated seconds per second; -1 for as fast as possible. */
  rate: number;
  begin: number;
  /** Of the branch that is shown [s]. */
  end: number;
  loop: boolean;
  /** That is replayed [s]. */
  range: [number, number] | null;
  /** Simulated seconds per second of work: above 1 it could run faster. */
  real_time: number;
  /** Sent per second to this page. */
  frames: number;
  /** From an input's arrival to the frame that includes it, median of the last ones [ms]; -1 if there were none. */
  latency: number;
  /** The page that directs. */
  director: number | null;
  pages: number;
  posing: boolean;
  auto_key: boolean;
  preparing: Preparation | null;
  /** Why the simulation stopped by itself; it then stands at the last good step. */
  trouble: string;
  /** Joints that are held back by a limit, and which limit. */
  at_limits: Record<string, string>;
  /** Actuators at their limit. */
  saturated: number;
  /** null unless the engine is `adaptive`. */
  detail: DetailInfo | null;
  jobs: JobInfo[];
}
