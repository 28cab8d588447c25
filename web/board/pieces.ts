/** The piece set, drawn for Tabiya: Staunton profiles on a grid of 100 by 100 that stand on the line y = 91.5. */

export type Role = "p" | "n" | "b" | "r" | "q" | "k";

const collar = `<path d="M28 60h44c3 0 3.500 6-1 7H29c-4.500-1-4-7-1-7z"/>`;
const stem = `<path d="M35 66c.5 5.500-1.500 9.500-6.500 13.500h43C66.500 75.500 64.500 71.500 65 66z"/>`;
const wideBase = `<path d="M20.500 91.500v-3c0-5.500 3.500-9 9-9h41c5.500 0 9 3.500 9 9v3z"/>`;
const base = `<path d="M22.500 91.500v-3c0-5.500 3.500-9 9-9h37c5.500 0 9 3.500 9 9v3z"/>`;

/** The shapes of each piece, filled and outlined, from the back to the front. */
const body: Record<Role, string> = {
  p: `<path d="M40.500 53c0 10-3.500 17-11 24h41c-7.500-7-11-14-11-24z"/>
<path d="M36.500 46.500h27c3 0 4 5.500-1.500 6.500H38c-5.500-1-4.500-6.500-1.500-6.500z"/>
<circle cx="50" cy="33" r="14"/>
<path d="M24.500 91.500V87c0-6 4-10 9.500-10h32c5.500 0 9.500 4 9.500 10v4.500z"/>`,
  r: `<path d="M36 43c-.5 13-1.500 21-5 29.500h38c-3.500-8.500-4.500-16.500-5-29.500z"/>
<path d="M25.500 19.500c0-1 .7-1.700 1.700-1.700h8.100c1 0 1.700.7 1.700 1.700V25h7v-5.500c0-1 .7-1.700 1.700-1.700h8.600c1 0 1.700.7 1.700 1.700V25h7v-5.500c0-1 .7-1.700 1.700-1.700h8.100c1 0 1.700.7 1.700 1.700V34c0 5-4 9-9 9h-31c-5 0-9-4-9-9z"/>
<path d="M29.500 72.500h41c2.500 0 3.500 6-.5 7H30c-4-1-3-7-.5-7z"/>${wideBase}`,
  n: `<path d="M32 79.500c-1.500-13 10-17.500 14.500-27-4.500 3.500-8.500 5-13 5.500-2 4-5 8-9 8-3 0-4.500-1.500-5.500-3-2.500-.5-5-3-5-6.500 0-4.500 5.500-9 8-14.500 1.500-8.500 5-15 11.500-19-1-4.500-.5-8.500 1-12.500 4 1.500 7 4 9 7.500 1.500-3 3.500-5 6-6.500 1.500 3 2 6 1.500 9.500C71 25 80.500 40 80.500 60c0 8-1 13.500-2.500 19.500z"/>
<path d="M22.500 91.500v-3c0-5.500 3.500-9 9-9h42c5.500 0 9 3.500 9 9v3z"/>`,
  b: `<path d="M41.500 66c-.5 5-3 9-9.500 13.500h36C61.500 75 59 71 58.500 66z"/>
<path d="M50 19.500c11 7 19.500 17 19.500 27.500 0 6.500-4 11-9.500 13H40c-5.500-2-9.500-6.500-9.500-13 0-10.500 8.500-20.500 19.500-27.500z"/>
<circle cx="50" cy="14.500" r="5.500"/>
<path d="M37.500 59.500h25c3 0 3.500 5.500-1 6.500h-23c-4.500-1-4-6.500-1-6.500z"/>${base}`,
  q: `${stem}<path d="M15 33.500l15 10 2.500-20L44.500 41 50 18.500 55.500 41l12-17.500 2.500 20 15-10c-3.500 10-9 17.500-13 27.500H28c-4-10-9.500-17.500-13-27.500z"/>
<circle cx="14" cy="29.500" r="5.200"/><circle cx="32" cy="19.500" r="5.200"/><circle cx="50" cy="14" r="5.200"/>
<circle cx="68" cy="19.500" r="5.200"/><circle cx="86" cy="29.500" r="5.200"/>${collar}${wideBase}`,
  k: `${stem}<path d="M46.300 5.500h7.400v6.300H60v7.400h-6.300V28h-7.400v-8.800H40v-7.400h6.300z"/>
<path d="M50 25c7 0 11 5 11 10.500 4-3.500 8.500-5 13-5 8 0 13 6 11.500 13.500C84 51 77.500 54.500 73 61H27c-4.500-6.500-11-10-12.500-17C13 36.500 18 30.500 26 30.500c4.500 0 9 1.500 13 5C39 30 43 25 50 25z"/>${collar}${wideBase}`,
};

/** Lines inside the shapes. On a black piece they are light. */
const lines: Record<Role, string> = {
  p: `<path d="M32 84.300h36"/>`,
  r: `<path d="M30 33.500h40M29 85.800h42"/>`,
  n: `<path d="M52.500 27c14 5.500 19.500 19 18.500 46M31 85.800h43M46.500 52.500c2-2.500 3-5.500 3-9M19 62.500c2.500 0 5-1.500 6.500-3.500"/>
<path class="dot" d="M33 38.500c.5-3.500 3-5.500 6.500-5.500.3 3.500-2.500 6-6.500 5.500z"/><circle class="dot" cx="20" cy="54.500" r="1.700"/>`,
  b: `<path d="M60.500 31L51 45.500M31 85.800h38"/>`,
  q: `<path d="M31.500 53.500c12-4.500 25-4.500 37 0M29 85.800h42"/>`,
  k: `<path d="M50 50V37.500M31.500 54c12-4 25-4 37 0M29 85.800h42"/>`,
};

/** Thin light edges of collars, drawn on black pieces only: their dark outlines would run together. */
const edges: Record<Role, string> = {
  p: `<path d="M39.500 52.900h21"/>`,
  r: `<path d="M37.500 43.500h25M32 72.600h36"/>`,
  n: "",
  b: `<path d="M40.500 60h19M40.500 66h19"/>`,
  q: `<path d="M31 60.500h38M31 67h38"/>`,
  k: `<path d="M31 60.500h38M31 67h38"/>`,
};

/** Returns the markup of a piece, to be put inside an `<svg viewBox="0 0 100 100">`. */
export function pieceMarkup(role: Role): string {
  return `<g class="body">${body[role]}</g><g class="edges">${edges[role]}</g><g class="lines">${lines[role]}</g>`;
}

/** The style of the pieces. `.white` or `.black` is the class of an ancestor. */
export const pieceStyle = `
.body { stroke-width: 3.2; stroke-linejoin: round; }
.lines, .edges { fill: none; stroke-linecap: round; stroke-linejoin: round; }
.white .body { fill: var(--white-piece, #fffdf8); stroke: var(--white-outline, #2a2622); }
.white .lines { stroke: var(--white-outline, #2a2622); stroke-width: 2.8; }
.white .dot { fill: var(--white-outline, #2a2622); stroke: none; }
.white .edges { display: none; }
.black .body { fill: var(--black-piece, #3b3531); stroke: var(--black-outline, #12100e); }
.black .lines { stroke: var(--black-lines, #eee6d8); stroke-width: 2.6; }
.black .edges { stroke: var(--black-lines, #eee6d8); stroke-width: 1.6; }
.black .dot { fill: var(--black-lines, #eee6d8); stroke: none; }
`;
