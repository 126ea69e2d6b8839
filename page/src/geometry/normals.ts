/** Smooth normals: at each vertex the sum of the normals of its triangles, weighted by their areas. */
export function smoothNormals(positions: Float32Array, triangles: Uint32Array, out: Float32Array): void {
  out.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * (triangles[t] as number);
    const b = 3 * (triangles[t + 1] as number);
    const c = 3 * (triangles[t + 2] as number);
    const ax = positions[a] as number;
    const ay = positions[a + 1] as number;
    const az = positions[a + 2] as number;
    const ux = (positions[b] as number) - ax;
    const uy = (positions[b + 1] as number) - ay;
    const uz = (positions[b + 2] as number) - az;
    const vx = (positions[c] as number) - ax;
    const vy = (positions[c + 1] as number) - ay;
    const vz = (positions[c + 2] as number) - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    addTo(out, a, nx, ny, nz);
    addTo(out, b, nx, ny, nz);
    addTo(out, c, nx, ny, nz);
  }
  for (let k = 0; k < out.length; k += 3) {
    const length = Math.hypot(out[k] as number, out[k + 1] as number, out[k + 2] as number) || 1;
    out[k] = (out[k] as number) / length;
    out[k + 1] = (out[k + 1] as number) / length;
    out[k + 2] = (out[k + 2] as number) / length;
  }
}

function addTo(out: Float32Array, at: number, x: number, y: number, z: number): void {
  out[at] = (out[at] as number) + x;
  out[at + 1] = (out[at + 1] as number) + y;
  out[at + 2] = (out[at + 2] as number) + z;
}
