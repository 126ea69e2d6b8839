/** The camera: what moves it, where it looks at first, and how it follows. */

import CameraControls from "camera-controls";
import {
  Box3, Matrix4, PerspectiveCamera, Quaternion, Raycaster, Sphere, Spherical, Vector2, Vector3, Vector4,
} from "three";
import { fitView } from "../geometry/fit";
import type { Vec } from "../geometry/vectors";
import type { Preset } from "../store/viewport";

CameraControls.install({
  THREE: { Vector2, Vector3, Vector4, Quaternion, Matrix4, Spherical, Box3, Sphere, Raycaster },
});

/** Azimuth and polar angle; a character faces +Z. */
const PRESETS: Record<Preset, [number, number]> = {
  front: [0, 1.5],
  side: [Math.PI / 2, 1.5],
  top: [0, 0.001],
  quarter: [0.56, 1.24],
};

const ACTION = CameraControls.ACTION;

/** Above a floor the eye stays above it, too. */
const LOWEST = (88 * Math.PI) / 180;
/** How far from the middle of the picture, which reaches from -1 to 1, the centre of a ball may be: all of it is in view if it fits. */
function middle(radius: number, half: number): number {
  return Math.max(0.25, Math.min(0.6, 0.95 - radius / half));
}
/** So far outside the middle something may get before the camera goes along at once. */
const LATE = 0.25;

/** How far something is outside what it may reach. */
function over(place: number, reach: number): number {
  return Math.sign(place) * Math.max(0, Math.abs(place) - reach);
}

/** What is left to go smoothly after the camera went along at once. */
function clipped(excess: number): number {
  return Math.max(-LATE, Math.min(LATE, excess));
}

export class StageCamera {
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  readonly controls: CameraControls;
  readonly target = new Vector3();
  private followed: Vector3 | null = null;
  private readonly moved = new Vector3();
  private readonly kept = new Vector3();
  /** How far from the middle a person has put what is kept in view. */
  private readonly aside = new Vector2();
  private handled = false;
  /** Whether a person has moved it since the scene was opened: then the view is theirs. */
  taken = false;

  constructor(canvas: HTMLElement | undefined, private readonly wake: () => void) {
    this.controls = new CameraControls(this.camera, canvas);
    this.controls.smoothTime = 0.18;
    this.controls.draggingSmoothTime = 0.06;
    this.controls.dollyToCursor = true;
    this.controls.mouseButtons.right = ACTION.ROTATE;
    this.controls.mouseButtons.middle = ACTION.TRUCK;
    this.controls.mouseButtons.wheel = ACTION.DOLLY;
    this.controls.touches.two = ACTION.TOUCH_DOLLY_TRUCK;
    this.controls.touches.three = ACTION.TOUCH_ROTATE;
    for (const event of ["control", "controlstart", "controlend", "wake", "transitionstart"] as const) {
      this.controls.addEventListener(event, wake);
    }
    this.controls.addEventListener("control", () => (this.handled = this.taken = true));
  }

  /** With Shift a drag pans, whatever the button. */
  choose(pan: boolean): void {
    this.controls.mouseButtons.left = this.controls.mouseButtons.right = pan ? ACTION.TRUCK : ACTION.ROTATE;
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
    this.wake();
  }

  /** Bounds that suit a stage of this size; neither the eye nor what it looks at goes below a floor. */
  fitStage(extent: number, floor: number | null): void {
    this.controls.maxPolarAngle = floor === null ? Math.PI : LOWEST;
    const all = new Vector3(Infinity, Infinity, Infinity);
    this.controls.setBoundary(new Box3(all.clone().negate().setY(floor ?? -Infinity), all));
    this.controls.minDistance = 0.02 * extent;
    this.controls.maxDistance = 40 * extent;
    this.camera.near = 0.004 * extent;
    this.camera.far = 400 * extent;
    this.camera.updateProjectionMatrix();
  }

  look(preset: Preset, smooth = true): void {
    this.controls.normalizeRotations();
    void this.controls.rotateTo(...PRESETS[preset], smooth);
    this.wake();
  }

  /** A first look at something that only moves in a plane: more from the front, where its plane is seen. */
  lookFlat(): void {
    void this.controls.rotateTo(0.3, 1.27, false);
  }

  /** A first look at rows of characters: from so high that one sees over those in front. */
  lookDown(): void {
    void this.controls.rotateTo(0.34, 1.1, false);
  }

  /** A first look at something that goes from left to right, seen from this side: a little from behind, to see whereto. */
  lookAcross(side: number): void {
    void this.controls.rotateTo(side - 0.4, 1.33, false);
  }

  /** Look at all of a ball. */
  frame(center: Vector3, radius: number, smooth = true): void {
    const tall = Math.min(1, this.camera.aspect);
    const distance = radius / Math.sin((this.camera.fov * Math.PI) / 360) / tall;
    this.go(center.toArray(), distance, smooth);
  }

  /**
   * Whether all of a ball is in the picture, neither small nor close up. Of a view that a person has chosen it is enough if it
   * shows the middle.
   */
  holds(center: Vector3, radius: number): boolean {
    this.camera.updateMatrixWorld();
    const { x, y, z } = this.moved.copy(center).project(this.camera);
    const [across, along] = [Math.abs(x), Math.abs(y)];
    if (this.taken) return z < 1 && across < 1 && along < 1;
    const tall = Math.tan((this.camera.fov * Math.PI) / 360) * this.camera.position.distanceTo(center);
    const [wide, filled] = [tall * this.camera.aspect, radius / (tall * Math.min(1, this.camera.aspect))];
    return z < 1 && across + radius / wide < 1 && along + radius / tall < 1 && filled > 0.33;
  }

  /** End a smooth move: be where it leads to. */
  arrive(): void {
    this.controls.stop();
    this.controls.update(0);
  }

  /** Look at all of some points, with room around each; from where it is turned to, as near as the picture allows. */
  frameAll(points: readonly Vec[], room: number, smooth = true): void {
    const tall = 0.92 * Math.tan((this.camera.fov * Math.PI) / 360);
    const { azimuthAngle, polarAngle } = this.controls;
    const { center, distance } = fitView(points, room, azimuthAngle, polarAngle, tall * this.camera.aspect, tall);
    this.go(center, distance, smooth);
  }

  private go([x, y, z]: Vec, distance: number, smooth: boolean): void {
    void this.controls.moveTo(x, y, z, smooth);
    void this.controls.dollyTo(distance, smooth);
    this.aside.set(0, 0);
    this.handled = false;
    this.wake();
  }

  orbit(azimuth: number): void {
    void this.controls.rotate(azimuth, 0, true);
    this.wake();
  }

  /** Keep what moves in view: the camera goes along, wherever the person has turned it. */
  follow(center: Vector3 | null): void {
    if (center && this.followed) {
      this.moved.subVectors(center, this.followed);
      if (this.moved.lengthSq() > 1e-12) {
        this.controls.getTarget(this.target, true).add(this.moved);
        void this.controls.moveTo(this.target.x, this.target.y, this.target.z, true);
      }
    }
    this.followed = center ? (this.followed ?? new Vector3()).copy(center) : null;
  }

  /**
   * Bring what moves out of the middle back to its edge, and no further: the view stays the person's own. What a hand has
   * moved aside stays where it was put.
   */
  keep(center: Vector3, radius = 0): void {
    if (this.kept.distanceToSquared(center) < 1e-10) return;
    this.kept.copy(center);
    this.camera.updateMatrixWorld();
    this.moved.copy(center).applyMatrix4(this.camera.matrixWorldInverse);
    const tall = -this.moved.z * Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = tall * this.camera.aspect;
    const [x, y] = [this.moved.x / wide, this.moved.y / tall];
    // A stage without room, or a character without a place.
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    if (this.handled && tall > 0) this.aside.set(Math.abs(x), Math.abs(y));
    this.handled = false;
    const across = Math.max(this.aside.x, middle(radius, wide));
    const along = Math.max(this.aside.y, middle(radius, tall));
    // Behind the eye, or far aside: there is no edge to bring it back to, and no use in going there slowly.
    if (tall <= 0 || Math.max(Math.abs(x) - across, Math.abs(y) - along) > 1.3) {
      void this.controls.moveTo(center.x, center.y, center.z, false);
      return;
    }
    this.shift(over(x, across + LATE) * wide, over(y, along + LATE) * tall, false);
    this.shift(clipped(over(x, across)) * wide, clipped(over(y, along)) * tall, true);
  }

  /** Move aside, from where the camera is now: what it is still on its way to was worked out from there too. */
  private shift(right: number, up: number, smooth: boolean): void {
    if (right === 0 && up === 0) return;
    this.controls.getTarget(this.target, false);
    this.target.addScaledVector(this.moved.setFromMatrixColumn(this.camera.matrix, 0), right);
    this.target.addScaledVector(this.moved.setFromMatrixColumn(this.camera.matrix, 1), up);
    void this.controls.moveTo(this.target.x, this.target.y, this.target.z, smooth);
  }

  /** Go on by some seconds; whether it moved. */
  update(seconds: number): boolean {
    const moved = this.controls.update(seconds);
    this.controls.getTarget(this.target, false);
    return moved;
  }

  dispose(): void {
    this.controls.dispose();
  }
}
