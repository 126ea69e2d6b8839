/** Colours for lines of Python: enough to read them by, not a parser. */

export type Kind = "plain" | "word" | "text" | "number" | "call" | "name" | "comment";
export interface Piece {
  kind: Kind;
  text: string;
}

const WORDS = new Set(["with", "import", "from", "as", "for", "in", "if", "else", "def", "return", "True", "False", "None"]);
const PIECE =
  /(?<comment>#.*)|(?<text>"""[\s\S]*?"""|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(?<number>\b\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?\b)|(?<word>[A-Za-z_]\w*)/g;

export function colourPython(line: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const add = (kind: Kind, text: string) => {
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text;
    else if (text) pieces.push({ kind, text });
  };
  for (const found of line.matchAll(PIECE)) {
    add("plain", line.slice(end, found.index));
    end = found.index + found[0].length;
    add(kindOf(found, line.slice(end)), found[0]);
  }
  add("plain", line.slice(end));
  return pieces;
}

function kindOf(found: RegExpExecArray, rest: string): Kind {
  const { comment, text, number, word } = found.groups ?? {};
  if (comment !== undefined) return "comment";
  if (text !== undefined) return "text";
  if (number !== undefined) return "number";
  if (word !== undefined && WORDS.has(word)) return "word";
  if (rest.startsWith("(")) return "call";
  // A name that is given a value inside a call.
  return /^=[^=]/.test(rest) ? "name" : "plain";
}
