/** Let values of vertices run into each other: each round is the average over the triangles of a vertex. */
export function softenValues(values: Float32Array, triangles: Uint32Array, rounds: number): void {
  const sums = new Float32Array(values.length);
  const counts = new Float32Array(values.length);
  for (const vertex of triangles) counts[vertex] = (counts[vertex] as number) + 1;
  for (let round = 0; round < rounds; round++) {
    sums.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [triangles[t] as number, triangles[t + 1] as number, triangles[t + 2] as number];
      const mean = ((values[a] as number) + (values[b] as number) + (values[c] as number)) / 3;
      for (const vertex of [a, b, c]) sums[vertex] = (sums[vertex] as number) + mean;
    }
    for (let k = 0; k < values.length; k++) if (counts[k]) values[k] = (sums[k] as number) / (counts[k] as number);
  }
}
