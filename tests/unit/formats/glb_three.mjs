// Play a GLB file with three.js: prints where the first vertices of a surface are at some times, as JSON.
// node glb_three.mjs FOLDER_OF_PAGE FILE SURFACE TIME...
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, file, name, ...times] = process.argv.slice(2);
const modules = pathToFileURL(`${folder}/node_modules/three/`);
const THREE = await import(new URL("build/three.module.js", modules));
const { GLTFLoader } = await import(new URL("examples/jsm/loaders/GLTFLoader.js", modules));

const bytes = readFileSync(file);
const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const { scene, animations } = await new GLTFLoader().parseAsync(data, "");
const mixer = new THREE.AnimationMixer(scene);
mixer.clipAction(animations[0]).play();
const mesh = scene.getObjectByName(THREE.PropertyBinding.sanitizeNodeName(name));
const seen = times.map((time) => {
  mixer.setTime(Number(time));
  scene.updateMatrixWorld(true);
  return Array.from({ length: 50 }, (_, k) => mesh.localToWorld(mesh.getVertexPosition(k, new THREE.Vector3())).toArray());
});
console.log(JSON.stringify({ animation: animations[0].name, seen }));
