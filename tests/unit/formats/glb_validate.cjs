// What the validator of the Khronos Group says about a GLB file, as JSON: node glb_validate.cjs FOLDER_OF_PAGE FILE
const { readFileSync } = require("node:fs");
const [folder, file] = process.argv.slice(2);
const validator = require(`${folder}/node_modules/gltf-validator`);
validator.validateBytes(new Uint8Array(readFileSync(file))).then((report) => console.log(JSON.stringify(report)));
