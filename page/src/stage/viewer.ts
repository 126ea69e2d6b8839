/** The stage itself: owns what is drawn, and draws only when something has changed. */

import { ACESFilmicToneMapping, Group, PCFShadowMap, Scene as Stage, Vector3, WebGLRenderer, type Object3D } from "three";
import { computed, effect } from "@preact/signals";
import { findEditedFrame } from "./edit/frame";
import { Visibility } from "./edit/visibility";
import { findMotionPoints, findMotionSide } from "./edit/bounds";
import { EditLayer } from "./edit/layer";
import { chosenNail, originalShown, editTime, motion, openedCount, paths, shownGhosts } from "../store/edit/state";
import { editing } from "../store/workspace";
import { directing, doc, follow, layers, newest, onFrame, onGhosts, peek, scene, selected, status, type Layer as LayerName } from "../store";
import type { Camera, Preset, Viewport } from "../store/viewport";
import { send } from "../wire/connection";
import type { Frame, Ghosts } from "../wire/frames";
import { ROLE, type Scene } from "../wire/messages";
import { fitBallOfScene, fitBallOfBone } from "./bounds";
import { StageCamera } from "./camera";
import { fitBall } from "../geometry/ball";
import { rayTriangles, type Ray } from "../geometry/ray";
import type { Vec } from "../geometry/vectors";
import { activeLayer } from "./layers/active";
import { Bands } from "./layers/bands";
import { cageLayer } from "./layers/cage";
import { centerLayer } from "./layers/center";
import { contactsLayer } from "./layers/contacts";
import { flaggedLayer } from "./layers/flagged";
import { Forces, type Force } from "./layers/forces";
import { Springs } from "./layers/springs";
import { GhostLayer } from "./layers/ghosts";
import { Highlight } from "./layers/highlight";
import type { Layer, LayerMaker } from "./layers/layer";
import { nodesLayer } from "./layers/nodes";
import { skeletonLayer } from "./layers/skeleton";
import { torquesLayer } from "./layers/torques";
import { trailsLayer } from "./layers/trails";
import { beginFilm } from "./film";
import { isDrawnBySoftware } from "./hardware";
import { ViewReporter } from "./viewReport";
import { onTheme, token, watchTheme } from "./palette";
import { Backdrop } from "./parts/backdrop";
import { ViewCone } from "./parts/far";
import { Figure } from "./parts/figure";
import { Ground } from "./parts/ground";
import { Lights } from "./parts/lights";
import { MovingPaint } from "./parts/moving";
import { glassMaterial, shapeMaterial, skinMaterial } from "./parts/materials";
import { makeWorld, type Moment, type World } from "./world";

/** More characters than this stand in rows, and fill less of the ball around them. */
const CROWD = 12;

/** A status comes several times a second; only what changes the picture may cost one. */
const posing = computed(() => status.value?.posing ?? false);

/** Whether joints are spent by what this page sees. */
const seen = computed(() => directing.value && (status.value?.detail?.follows ?? false));

/** Everything that belongs to one scene and goes with it. */
interface SceneParts {
  world: World;
  figure: Figure;
  paint: MovingPaint;
  group: Group;
  layers: Map<LayerName, Layer>;
  ghosts: Map<number, GhostLayer>;
  bands: Bands;
  forces: Forces;
  springs: Springs;
  highlight: Highlight;
  /** Made when a motion is first edited. */
  edited: EditLayer | null;
}

export class Viewer implements Viewport {
  readonly renderer: WebGLRenderer;
  readonly camera: StageCamera;
  readonly stage = new Stage();
  /** Called just before drawing: hands send their moves and set what they would take. */
  readonly before = new Set<() => void>();
  /** Called after drawing, while the picture still stands on the canvas. */
  readonly drawn = new Set<() => void>();
  private readonly ground = new Ground();
  private readonly lights: Lights;
  private readonly backdrop = new Backdrop();
  private readonly materials = { surface: skinMaterial(), shapes: shapeMaterial(), glass: glassMaterial() };
  private readonly makers: Partial<Record<LayerName, LayerMaker>>;
  private readonly forget: (() => void)[] = [];
  private parts: SceneParts | null = null;
  private scheduled = 0;
  private stale = true;
  private framed = false;
  /** Whether this scene's character was looked for in the view that another scene has left. */
  private found = false;
  /** Whether the camera has looked at all of the motion that is edited. */
  private motionFramed = false;
  private readonly inView = new Visibility();
  private last = 0;
  private readonly point = new Vector3();
  private readonly sight = new ViewCone();
  private readonly looking = new ViewReporter((look) => send(look));

  constructor(readonly canvas: HTMLCanvasElement, private readonly picture: boolean) {
    // Without a graphics card smooth edges cost more than they give; a picture can take its time.
    const antialias = picture || !isDrawnBySoftware();
    this.lights = new Lights(antialias);
    this.renderer = new WebGLRenderer({ canvas, antialias, powerPreference: "high-performance" });
    this.renderer.toneMapping = ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 1.05;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.camera = new StageCamera(canvas, () => this.invalidate());
    this.stage.add(this.backdrop, this.lights, this.ground);
    this.makers = {
      cage: cageLayer, nodes: nodesLayer, skeleton: skeletonLayer, contacts: contactsLayer, center: centerLayer,
      flagged: flaggedLayer, active: activeLayer, torques: torquesLayer, trails: () => trailsLayer(() => this.invalidate()),
    };
    this.listen();
  }

  get world(): World | null {
    return this.parts?.world ?? null;
  }

  get figure(): Figure | null {
    return this.parts?.figure ?? null;
  }

  /** What hands take hold of: the pose that is being made, or the character itself. */
  get moment(): Moment | null {
    return findEditedFrame() ?? this.posed()?.moment ?? newest.frame;
  }

  /** Where the surface is drawn that hands take hold of; null if none is drawn. */
  surfacePositions(): Float32Array | null {
    const posed = this.posed();
    if (posed) return posed.positions;
    return this.figure?.surface?.visible ? this.figure.positions : null;
  }

  /** How hard hands and pins pull, as it is drawn. */
  get forces(): readonly Force[] {
    return this.parts?.forces.shown ?? [];
  }

  /** Whether bones under the surface can be taken: they are drawn as the skeleton. */
  get coveredShown(): boolean {
    return layers.value.skeleton || !this.world?.skin;
  }

  /** Draw soon; with `data` also bring all layers up to date. */
  invalidate(data = false): void {
    this.stale ||= data;
    if (this.scheduled === 0) this.scheduled = requestAnimationFrame((now) => this.tick(now));
  }

  /** The ray of sight through a place of the window. */
  ray(clientX: number, clientY: number): Ray {
    const box = this.canvas.getBoundingClientRect();
    const camera = this.camera.camera;
    this.point.set(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2, 0.5);
    this.point.unproject(camera).sub(camera.position).normalize();
    return { origin: camera.position.toArray() as Vec, direction: this.point.toArray() as Vec };
  }

  /** Where a point of the world is in the window [px]. */
  project(x: number, y: number, z: number): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    this.point.set(x, y, z).project(this.camera.camera);
    return { x: box.left + ((this.point.x + 1) / 2) * box.width, y: box.top + ((1 - this.point.y) / 2) * box.height };
  }

  /** Where a point of the world is in the picture, 0 to 1 from the left and from the top. */
  private share(at: Vec): [number, number] {
    this.point.set(...at).project(this.camera.camera);
    return [(this.point.x + 1) / 2, (1 - this.point.y) / 2];
  }

  /** How long a pixel is at a place of the world [m]. */
  private pixelAt(at: Vec): number {
    const { camera } = this.camera;
    return (2 * camera.position.distanceTo(this.point.set(...at)) * Math.tan((camera.fov * Math.PI) / 360)) / Math.max(this.canvas.clientHeight, 1);
  }

  /** Where it is looked from. */
  get eye(): Vec {
    return this.camera.camera.position.toArray() as Vec;
  }

  /** Into the picture. */
  get forward(): Vec {
    return this.camera.camera.getWorldDirection(this.point).toArray() as Vec;
  }

  /** Look at the selected bone, or at the whole character. */
  frameSelection(smooth = true): void {
    const moment = this.moment;
    if (!this.parts || !moment) return;
    if (editing.value && selected.value < 0) {
      this.frameMotion(smooth);
      return;
    }
    const ball = fitBallOfBone(this.parts.world, moment, selected.value) ?? fitBallOfScene(this.parts.world, moment);
    this.camera.frame(new Vector3(...ball.center), 1.15 * ball.radius, smooth);
  }

  /** Look at all of a motion that is edited; first of all from its side, unless a person has chosen how to look. */
  frameMotion(smooth = true): void {
    const points = this.parts && findMotionPoints(this.parts.world);
    if (!points || !this.parts) return;
    const { size, scene: shown } = this.parts.world;
    this.camera.fitStage(Math.max(size, 0.2 * shown.extent, 0.4 * fitBall(points).radius), shown.floor);
    const side = this.motionFramed || this.camera.taken ? null : findMotionSide(this.parts.world);
    if (side !== null) this.camera.lookAcross(side);
    this.camera.frameAll(points, 0.1 * size, smooth);
    this.motionFramed = true;
  }

  look(preset: Preset): void {
    this.camera.look(preset);
  }

  beginFilm(width: number, height: number, overlays: boolean): Camera {
    return beginFilm(this, width, height, overlays);
  }

  /** How far the shapes of a body reach along a ray in its axes [m]. */
  reach(body: number, ray: Ray): number {
    const own = this.world?.shapes.filter((shape) => shape.body === body) ?? [];
    return Math.max(0, ...own.map(({ form }) => rayTriangles(ray, form.points, form.triangles)?.distance ?? 0));
  }

  resize(width: number, height: number): void {
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.resize(width, height);
  }

  dispose(): void {
    cancelAnimationFrame(this.scheduled);
    for (const forget of this.forget) forget();
    this.drop();
    for (const part of [this.ground, this.lights, this.backdrop, this.camera]) part.dispose();
    this.materials.surface.dispose();
    this.materials.shapes.dispose();
    this.renderer.dispose();
  }

  private listen(): void {
    const heard = () => this.invalidate(true);
    const ghosts = (news: Ghosts) => this.takeGhosts(news);
    onFrame.add(heard);
    onGhosts.add(ghosts);
    this.forget.push(
      () => onFrame.delete(heard),
      () => onGhosts.delete(ghosts),
      watchTheme(),
      onTheme(heard),
      effect(() => this.play(scene.value)),
      effect(() => this.reveal(layers.value, peek.value, editing.value)),
      effect(() => {
        void [motion.value, editTime.value, shownGhosts.value, originalShown.value, paths.value, chosenNail.value];
        this.invalidate(true);
      }),
      effect(() => {
        // Another motion, if only of the same scene, has another side.
        void [editing.value, openedCount.value];
        this.motionFramed = false;
      }),
      effect(() => {
        void scene.value;
        if (!seen.value) this.looking.forget();
        else this.invalidate();
      }),
      effect(() => {
        void [selected.value, doc.value, follow.value, posing.value];
        this.invalidate(true);
      }),
    );
  }

  private play(next: Scene | null): void {
    const same = next !== null && this.parts?.world.scene.name === next.name;
    this.drop();
    if (!same) this.motionFramed = false;
    if (!next) return;
    const world = makeWorld(next);
    const figure = new Figure(world, this.materials);
    figure.setShadows(true);
    const group = new Group();
    const bands = new Bands(world);
    const forces = new Forces(world);
    const springs = new Springs(world);
    const highlight = new Highlight(world, figure);
    const ghosts = new Map([
      [ROLE.AHEAD as number, new GhostLayer(world, token("ahead"), 0.5, true)],
      [ROLE.BEFORE as number, new GhostLayer(world, token("before"), 0.5, false)],
      [ROLE.POSE as number, new GhostLayer(world, token("pose"), 0.85, true)],
    ]);
    group.add(figure, bands, forces, springs, highlight, ...ghosts.values());
    group.visible = false;
    this.stage.add(group);
    this.parts = { world, figure, paint: new MovingPaint(figure), group, layers: new Map(), ghosts, bands, forces, springs, highlight, edited: null };
    this.framed &&= same;
    this.found = false;
    this.camera.taken &&= same;
    this.camera.fitStage(Math.max(world.size, 0.2 * next.extent), next.floor);
    if (!same && next.characters.some(({ root }) => next.bodies[root]?.kind === "planar")) this.camera.lookFlat();
    else if (!same && isCrowd(world)) this.camera.lookDown();
    else if (!same) this.camera.look("quarter", false);
    this.reveal(layers.peek(), peek.peek(), editing.peek());
  }

  private drop(): void {
    if (!this.parts) return;
    const { figure, group, layers: shown, ghosts, bands, forces, springs, highlight } = this.parts;
    this.stage.remove(group);
    for (const part of [figure, bands, forces, springs, highlight, ...shown.values(), ...ghosts.values()]) part.dispose();
    this.parts.edited?.dispose();
    this.parts = null;
  }

  /** Show what the layers say; a layer is made when it is first wanted. */
  private reveal(on: Record<LayerName, boolean>, ahead: boolean, edited: boolean): void {
    this.ground.showGrid(on.grid);
    if (!this.parts) return;
    const { figure, group, world, ghosts } = this.parts;
    figure.reveal(on.surface, !world.skin);
    for (const [name, maker] of Object.entries(this.makers) as [LayerName, LayerMaker][]) {
      let layer = this.parts.layers.get(name);
      if (!layer && on[name]) {
        layer = maker(world);
        this.parts.layers.set(name, layer);
        group.add(layer.object);
      }
      if (layer) layer.object.visible = on[name];
    }
    show(ghosts.get(ROLE.AHEAD), (on.ahead || ahead) && !edited);
    show(ghosts.get(ROLE.BEFORE), on.before && !edited);
    if (edited && !this.parts.edited) {
      this.parts.edited = new EditLayer(world);
      group.add(this.parts.edited);
    }
    this.invalidate(true);
  }

  private takeGhosts(ghosts: Ghosts): void {
    this.parts?.ghosts.get(ghosts.role)?.take(ghosts);
    this.invalidate();
  }

  private posed(): { moment: Moment; positions: Float32Array } | null {
    return posing.value ? (this.parts?.ghosts.get(ROLE.POSE)?.first() ?? null) : null;
  }

  private tick(now: number): void {
    this.scheduled = 0;
    const seconds = Math.min(0.05, Math.max(0.001, (now - this.last) / 1000));
    this.last = now;
    for (const hook of this.before) hook();
    const frame = findEditedFrame() ?? newest.frame;
    if (frame && this.parts) this.bring(frame, this.parts);
    const moving = this.camera.update(seconds);
    if (frame) this.parts?.figure.sift(frame, () => this.sight.aim(this.camera.camera, this.canvas.clientHeight));
    this.ground.update(this.camera.camera, this.camera.target, this.parts?.world.floor ?? 0);
    this.ground.visible = this.parts === null || this.parts.world.scene.floor !== null;
    this.renderer.render(this.stage, this.camera.camera);
    for (const hook of this.drawn) hook();
    if (seen.peek() && this.framed && !this.picture) this.looking.update(this.camera.camera, this.camera.target, this.canvas.clientHeight);
    if (moving) this.invalidate();
    if (this.framed) document.documentElement.dataset.ready = "1";
  }

  /** Bring everything that is shown to the newest moment. */
  private bring(frame: Frame, parts: SceneParts): void {
    const { world, figure, group } = parts;
    const fresh = this.stale;
    if (fresh) {
      parts.paint.update(frame.moving, layers.value.active && !this.picture);
      figure.update(frame);
      for (const [name, layer] of parts.layers) if (layers.value[name]) layer.update(frame);
      this.stale = false;
    }
    show(parts.ghosts.get(ROLE.POSE), posing.value);
    for (const ghosts of parts.ghosts.values()) if (ghosts.visible) ghosts.refresh();
    const shown = this.moment ?? frame;
    parts.bands.update(frame, shown);
    parts.forces.update(frame, (at) => this.pixelAt(at));
    parts.springs.update(shown, this.forward);
    parts.highlight.update(shown, frame.center);
    parts.edited?.update(fresh, this.forward);
    group.visible = true;
    this.lookFor(frame, world);
    const center = this.point.fromArray(frame.center);
    if (!Number.isFinite(center.x)) center.set(...world.scene.center);
    const reach = this.lights.aim(center, 1.2 * world.size);
    this.ground.shadow(center, reach, world.floor);
    this.camera.follow(follow.value ? center : null);
    if (this.framed && !follow.value && !this.picture && !editing.value) this.camera.keep(center, 0.5 * world.size);
    // A picture is taken at any moment, and shall show all of it.
    if (!this.framed || (this.picture && fresh)) this.firstLook(frame, world);
    if (editing.value && this.inView.hasLeft((at) => this.share(at))) this.frameMotion();
    if (editing.value && (!this.motionFramed || (this.picture && fresh))) this.frameMotion(false);
  }

  /** The camera stays for a scene that is begun anew, unless its character is not where the last one had gone to. */
  private lookFor(frame: Frame, world: World): void {
    if (this.found || editing.value) return;
    this.found = true;
    const { center, radius } = fitBallOfScene(world, frame);
    this.camera.arrive();
    this.framed &&= this.camera.holds(new Vector3(...center), radius * spread(world));
  }

  /** Room above and around the character, for what it is about to do. */
  private firstLook(frame: Frame, world: World): void {
    const ball = fitBallOfScene(world, frame);
    const [x, y, z] = ball.center;
    const room = (this.picture ? 1.05 : 1.5) * spread(world);
    const [above, before] = this.picture ? [0, 0] : isCrowd(world) ? [0, 0.14] : [0.1, 0];
    this.camera.frame(new Vector3(x, y + above * ball.radius, z + before * ball.radius), room * ball.radius, false);
    this.framed = true;
  }
}

function isCrowd(world: World): boolean {
  return world.scene.characters.length > CROWD;
}

/** A crowd is flat and wide, as the window is: it needs less room, none above it, and more before it, where it is nearest. */
function spread(world: World): number {
  return isCrowd(world) ? 0.46 : 1;
}

function show(object: Object3D | undefined, on: boolean): void {
  if (object) object.visible = on;
}
