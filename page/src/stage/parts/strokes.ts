/** Lines of a fixed width on the screen, crisp at any pixel ratio; made of segments, each with its own colour. */

import { Color } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import type { Vec } from "../../geometry/vectors";

interface StrokesStyle {
  width: number;
  through?: boolean;
  opacity?: number;
  order?: number;
  dashed?: { dash: number; gap: number };
}

export class Strokes extends LineSegments2 {
  private places: number[] = [];
  private tints: number[] = [];
  private room = 0;

  constructor({ width, through = true, opacity = 1, order = 15, dashed }: StrokesStyle) {
    const material = new LineMaterial({
      linewidth: width,
      vertexColors: true,
      transparent: true,
      opacity,
      depthTest: !through,
      depthWrite: false,
      dashed: dashed !== undefined,
      toneMapped: false,
    });
    if (dashed) Object.assign(material, { dashSize: dashed.dash, gapSize: dashed.gap });
    super(new LineSegmentsGeometry(), material);
    this.frustumCulled = false;
    this.renderOrder = order;
    this.visible = false;
  }

  begin(): void {
    this.places = [];
    this.tints = [];
  }

  segment(a: Vec, b: Vec, color: Color, end: Color = color): void {
    this.places.push(...a, ...b);
    this.tints.push(color.r, color.g, color.b, end.r, end.g, end.b);
  }

  path(points: Vec[], color: Color): void {
    for (let k = 1; k < points.length; k++) this.segment(points[k - 1] as Vec, points[k] as Vec, color);
  }

  end(): void {
    const count = this.places.length / 6;
    this.visible = count > 0;
    if (count === 0) return;
    // Buffers of a geometry cannot grow: another one takes its place, twice as large.
    if (count > this.room) {
      this.geometry.dispose();
      this.geometry = new LineSegmentsGeometry();
      this.room = Math.max(16, 2 * count);
      this.geometry.setPositions(new Float32Array(6 * this.room));
      this.geometry.setColors(new Float32Array(6 * this.room));
    }
    this.fill("instanceStart", this.places);
    this.fill("instanceColorStart", this.tints);
    this.geometry.instanceCount = count;
    if ((this.material as LineMaterial).dashed) this.computeLineDistances();
  }

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }

  private fill(name: string, values: number[]): void {
    // Both ends look into one interleaved buffer.
    const buffer = (this.geometry.getAttribute(name) as unknown as { data: { array: Float32Array; needsUpdate: boolean } }).data;
    buffer.array.set(values);
    buffer.needsUpdate = true;
  }
}
