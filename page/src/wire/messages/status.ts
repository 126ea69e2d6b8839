// Written by `python -m stringless.studio.typescript` from messages/status.py of the studio. Do not edit.

/** Something that takes a while before anything can be shown. */
export interface Preparation {
  text: string;
  done: number;
  /** 0 if nobody knows. */
  total: number;
}

/** Something long that goes on beside everything else, and can be cancelled by `cancel_job`. */
export interface JobInfo {
  id: number;
  title: string;
  /** 0 to 1. */
  done: number;
  state: "running" | "finished" | "failed" | "cancelled";
  text: string;
  /** Where the result is to be fetched; empty if there is none. */
  download: string;
}

/** How much of the characters moves, with engine `adaptive`. */
export interface DetailInfo {
  /** Joints that move now; a floating root does not count. */
  moving: number;
  /** All that could. */
  joints: number;
  /** Joints of the character that has most of them. */
  most: number;
  /** How many have joints. */
  characters: number;
  /**
   * Of holding the others, at the last choices, summed over the characters whose error is known; -1 if nobody has asked for
   * a bound, or all are out of the picture.
   */
  error: number;
  /** What a step takes as it is now [µs]; -1 if it was not measured. */
  step: number;
  /** What a step would take if all joints moved [µs]; -1 if it was not measured. */
  whole: number;
  /** Whether joints are spent where the page that directs sees them; action `follow_view` says so. */
  follows: boolean;
  /** Joints that move of the character that is seen largest; -1 if nobody looks, or the record is shown. */
  near: number;
  /** The same of the one that is seen smallest. */
  far: number;
  /** Characters that are out of the picture, of which no joint moves. */
  hidden: number;
  /** Characters that have come to rest on something, and cost nothing; 0 if the record is shown. */
  asleep: number;
}

/** How it stands, several times a second. */
export interface Status {
  type: "status";
  mode: "paused" | "live" | "replay";
  time: number;
  lane: number | null;
  /** Whether the simulation itself is looked at, and not the record. */
  present: boolean;
  /** Whether what is looked at is not what would happen now. */
  stale: boolean;
  /** Seconds simulated per second wanted; -1 for as fast as possible. */
  rate: number;
  begin: number;
  /** Of the lane that is looked at [s]. */
  end: number;
  loop: boolean;
  /** That is replayed [s]. */
  range: [number, number] | null;
  /** Seconds simulated per second of work: above 1 it could run faster. */
  real_time: number;
  /** Sent per second to this page. */
  frames: number;
  /** From an input's arrival to the frame that knows of it, median of the last ones [ms]; -1 if there were none. */
  latency: number;
  /** The page that directs. */
  director: number | null;
  pages: number;
  posing: boolean;
  auto_key: boolean;
  preparing: Preparation | null;
  /** Why the simulation stopped by itself; it then stands at the last good moment. */
  trouble: string;
  /** Joints that a limit holds back, and which one. */
  at_limits: Record<string, string>;
  /** Actuators at their limit. */
  saturated: number;
  /** null unless the engine is `adaptive`. */
  detail: DetailInfo | null;
  jobs: JobInfo[];
}
