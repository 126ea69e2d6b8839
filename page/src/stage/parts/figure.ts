/** A character as it looks at one moment: its surface, and the shapes of its bodies. Ghosts are figures too. */

import {
  BatchedMesh, BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, Matrix4, Mesh, Quaternion, Vector3, Vector4,
  type Material,
} from "three";
import { splitCreases } from "../../geometry/creased";
import { smoothNormals } from "../../geometry/normals";
import { applyRows } from "../../geometry/rows";
import type { Moment, Shape, World } from "../world";
import { Boxes, type ViewCone } from "./far";
import { Instances } from "./instances";
import { shareForms } from "./sharing";

const ONE = new Vector3(1, 1, 1);
/** More instances than this are a crowd: it throws no shadows, or it would be drawn twice, and is simpler from afar. */
const CROWD = 4000;

/** A shape and where it is among others that are drawn together. */
interface Placed {
  shape: Shape;
  batch: BatchedMesh;
  instance: number;
}

export class Figure extends Group {
  readonly surface: Mesh<BufferGeometry> | null;
  private readonly batches: BatchedMesh[];
  private readonly placed: Placed[];
  private readonly instances: Instances[];
  /** What stands for shapes of a crowd that are small on the screen. */
  private readonly boxes: Boxes | null;
  private readonly frame = new Matrix4();
  private readonly place = new Vector3();
  private readonly turn = new Quaternion();

  constructor(
    private readonly world: World,
    materials: { surface: Material; shapes: Material; glass?: Material },
    shapes: Shape[] = world.shapes,
  ) {
    super();
    this.surface = world.skin ? makeSurface(world, materials.surface) : null;
    const { groups, rest } = shareForms(shapes);
    this.instances = groups.map(({ form, shapes: alike }) => new Instances(form, alike, materials.shapes));
    const count = groups.reduce((sum, group) => sum + group.shapes.length, 0);
    this.boxes = count > CROWD ? new Boxes(count) : null;
    const clear = rest.filter(isClear);
    this.placed = [
      ...makeBatch(rest.filter((shape) => !isClear(shape)), materials.shapes),
      ...makeBatch(clear, materials.glass ?? materials.shapes),
    ];
    this.batches = [...new Set(this.placed.map(({ batch }) => batch))];
    if (this.surface) this.add(this.surface);
    const parts = [...this.batches, ...this.instances, ...(this.boxes ? [this.boxes] : [])];
    if (parts.length > 0) this.add(...parts); // without any, three complains
    this.paint(({ color }, out) => out.setRGB(color[0], color[1], color[2], "srgb"));
  }

  /** Colour all shapes, or some; of those that share a call a size can be given too, for the next update. */
  paint(color: (shape: Shape, out: Color) => Color, some: (shape: Shape) => boolean = () => true, size: (shape: Shape) => number = () => 1): void {
    const out = new Color();
    for (const { shape, batch, instance } of this.placed) {
      if (!some(shape)) continue;
      const { r, g, b } = color(shape, out);
      batch.setColorAt(instance, new Vector4(r, g, b, shape.color[3]));
    }
    for (const group of this.instances) {
      group.shapes.forEach((shape, k) => {
        if (some(shape)) group.paint(k, color(shape, out), size(shape));
      });
    }
  }

  /** Where the surface is drawn: three numbers of each vertex. */
  get positions(): Float32Array {
    return (this.surface?.geometry.getAttribute("position").array ?? new Float32Array()) as Float32Array;
  }

  setShadows(on: boolean): void {
    if (this.surface) this.surface.castShadow = this.surface.receiveShadow = on;
    for (const batch of this.batches) batch.castShadow = batch.receiveShadow = on && !(batch.material as Material).transparent;
    for (const group of this.instances) group.castShadow = group.receiveShadow = on && !this.boxes;
  }

  /** Show the surface or not, and the shapes that it covers or not. */
  reveal(surface: boolean, covered: boolean): void {
    if (this.surface) this.surface.visible = surface;
    for (const { shape, batch, instance } of this.placed) batch.setVisibleAt(instance, covered || !shape.covered);
  }

  /** Numbers of the moment begin at these places of its arrays. */
  update({ poses, nodes }: Moment, poseOffset = 0, nodeOffset = 0): void {
    if (this.surface?.visible && nodes.length > 0) this.deform(nodes, nodeOffset);
    for (const { shape, batch, instance } of this.placed) {
      if (shape.body >= 0 && batch.getVisibleAt(instance)) batch.setMatrixAt(instance, this.pose(poses, poseOffset + 7 * shape.body));
    }
    for (const group of this.instances) group.update(poses, poseOffset);
  }

  /** Bring a crowd to how it is seen: after an update, and when the camera has moved. */
  sift({ poses }: Moment, look: () => ViewCone): void {
    if (!this.boxes) return;
    this.boxes.begin();
    const from = look();
    for (const group of this.instances) group.sift(poses, from, this.boxes);
    this.boxes.end();
  }

  dispose(): void {
    this.boxes?.dispose();
    this.surface?.geometry.dispose();
    for (const batch of [...this.batches, ...this.instances]) batch.dispose();
  }

  private deform(nodes: Float32Array, offset: number): void {
    const skin = this.world.skin;
    const geometry = this.surface?.geometry;
    if (!skin || !geometry) return;
    const position = geometry.getAttribute("position") as BufferAttribute;
    const normal = geometry.getAttribute("normal") as BufferAttribute;
    applyRows(skin.rows, nodes, position.array as Float32Array, offset);
    smoothNormals(position.array as Float32Array, skin.triangles, normal.array as Float32Array);
    position.needsUpdate = normal.needsUpdate = true;
  }

  private pose(poses: Float32Array, k: number): Matrix4 {
    this.place.fromArray(poses, k);
    this.turn.fromArray(poses, k + 3);
    return this.frame.compose(this.place, this.turn, ONE);
  }
}

function makeSurface({ skin }: World, material: Material): Mesh<BufferGeometry> {
  const count = skin?.vertexCount ?? 0;
  const geometry = new BufferGeometry();
  for (const name of ["position", "normal"]) {
    geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage));
  }
  const colors = skin?.colors ?? new Float32Array(3 * count).map((_, k) => SKIN[k % 3] as number);
  geometry.setAttribute("color", new BufferAttribute(toLinear(colors), 3));
  geometry.setAttribute("glow", new BufferAttribute(new Float32Array(count), 1).setUsage(DynamicDrawUsage));
  geometry.setIndex(new BufferAttribute(skin?.triangles ?? new Uint32Array(), 1));
  const mesh = new Mesh(geometry, material);
  mesh.frustumCulled = false;
  return mesh;
}

/** Of a surface without colours. */
const SKIN = [0.86, 0.56, 0.46];

/** Colours come as a person sees them (sRGB). */
function toLinear(colors: Float32Array): Float32Array {
  const color = new Color();
  const out = new Float32Array(colors.length);
  for (let k = 0; k < colors.length; k += 3) {
    color.setRGB(colors[k] as number, colors[k + 1] as number, colors[k + 2] as number, "srgb").toArray(out, k);
  }
  return out;
}

function isClear({ color }: Shape): boolean {
  return color[3] < 1;
}

function makeBatch(shapes: Shape[], material: Material): Placed[] {
  if (shapes.length === 0) return [];
  const vertices = shapes.reduce((sum, shape) => sum + shape.form.triangles.length, 0);
  const batch = new BatchedMesh(shapes.length, vertices, vertices, material);
  batch.frustumCulled = batch.perObjectFrustumCulled = false;
  batch.sortObjects = material.transparent;
  return shapes.map((shape) => {
    const instance = batch.addInstance(batch.addGeometry(splitCreases(shape.form)));
    batch.setMatrixAt(instance, new Matrix4());
    return { shape, batch, instance };
  });
}
