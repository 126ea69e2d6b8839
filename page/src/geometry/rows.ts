/** Sparse weights: how each vertex follows from a few others. Skinning is one product with them. */

export interface Rows {
  /** Where each row begins; one more than there are rows. */
  start: Uint32Array;
  column: Uint32Array;
  value: Float32Array;
}

export const rowCount = (rows: Rows): number => rows.start.length - 1;

/** Rows from lists of pairs; weights on the same column are summed, zeros left out. */
export function makeRows(lists: Map<number, number>[]): Rows {
  const start = new Uint32Array(lists.length + 1);
  const column: number[] = [];
  const value: number[] = [];
  lists.forEach((list, k) => {
    for (const [index, weight] of list) {
      if (weight === 0) continue;
      column.push(index);
      value.push(weight);
    }
    start[k + 1] = column.length;
  });
  return { start, column: Uint32Array.from(column), value: Float32Array.from(value) };
}

/** The rows of a surface: at most four nodes carry each vertex. */
export function carrierRows(carriers: Uint32Array, weights: Float32Array): Rows {
  const lists: Map<number, number>[] = [];
  for (let k = 0; k < carriers.length; k += 4) {
    const list = new Map<number, number>();
    for (let i = k; i < k + 4; i++) {
      const node = carriers[i] as number;
      list.set(node, (list.get(node) ?? 0) + (weights[i] as number));
    }
    lists.push(list);
  }
  return makeRows(lists);
}

/** outer · inner: what the rows of `outer` are in the columns of `inner`. */
export function composeRows(outer: Rows, inner: Rows): Rows {
  const lists: Map<number, number>[] = [];
  for (let k = 0; k < rowCount(outer); k++) {
    const list = new Map<number, number>();
    for (let i = outer.start[k] as number; i < (outer.start[k + 1] as number); i++) {
      const row = outer.column[i] as number;
      const weight = outer.value[i] as number;
      for (let j = inner.start[row] as number; j < (inner.start[row + 1] as number); j++) {
        const column = inner.column[j] as number;
        list.set(column, (list.get(column) ?? 0) + weight * (inner.value[j] as number));
      }
    }
    lists.push(list);
  }
  return makeRows(lists);
}

/** x_i = sum_j w_ij n_j, three numbers each. */
export function applyRows(rows: Rows, from: Float32Array, out: Float32Array, offset = 0): void {
  const { start, column, value } = rows;
  const count = start.length - 1;
  for (let k = 0, o = 0; k < count; k++, o += 3) {
    let x = 0;
    let y = 0;
    let z = 0;
    const end = start[k + 1] as number;
    for (let i = start[k] as number; i < end; i++) {
      const c = offset + 3 * (column[i] as number);
      const w = value[i] as number;
      x += w * (from[c] as number);
      y += w * (from[c + 1] as number);
      z += w * (from[c + 2] as number);
    }
    out[o] = x;
    out[o + 1] = y;
    out[o + 2] = z;
  }
}
