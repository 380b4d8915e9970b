/**
 * Colours of a theme that are too faint to read on its own grounds, mixed with the colour of its
 * text, by as little as is needed.
 *
 * Themes are made for the editor's own lists, whose grounds are others: in one that millions use,
 * red on the ground of code comes to 4.2 where 4.5 is the least that can be read.
 */

type Colour = readonly number[];

/** What WCAG asks of text of ordinary size. */
const MIN_CONTRAST = 4.5;
const BLEND_STEPS = 10;
/** What stands on the page, on cards and on code in either: mixed with the text where it is too faint. */
const COLOURS = ["--muted", "--danger", "--plus", "--minus", "--link"];
const PAGE = [["--bg"], ["--bg", "--card"], ["--bg", "--editor"]];
const GROUNDS = [...PAGE, ...PAGE.map((below) => [...below, "--code"])];
/** Text on grounds of its own, each from below: mixed with black or white. */
const TEXTS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "--first-fg": [["--bg", "--first-bg"]],
  "--second-fg": [["--bg", "--second-bg"]],
  "--input-fg": [
    ["--bg", "--input-bg"],
    ["--bg", "--card", "--input-bg"],
  ],
  "--diff-fg": [
    ["--bg", "--editor"],
    ["--bg", "--editor", "--added"],
    ["--bg", "--editor", "--removed"],
  ],
};

/** From now on, whatever theme is chosen. */
export function keepReadable(): void {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  const probe = document.createElement("i");
  probe.hidden = true;
  document.documentElement.append(probe);
  const mend = (): void => {
    sheet.replaceSync("");
    sheet.replaceSync(`:root { ${mended((name) => colourOf(probe, name))} }`);
  };
  const changes = new MutationObserver(mend);
  changes.observe(document.documentElement, { attributeFilter: ["style"] });
  changes.observe(document.body, { attributeFilter: ["class"] });
  mend();
}

/** What is to be said of the colours that are too faint. */
export function mended(colour: (name: string) => Colour): string {
  const seen = (stacks: readonly (readonly string[])[]): Colour[] =>
    stacks.map((names) => names.map(colour).reduce((below, above) => over(above, below)));
  const page = seen(GROUNDS);
  const found = [
    ...COLOURS.map((name) => [name, colour(name), page, colour("--fg")] as const),
    ...Object.entries(TEXTS).map(([name, stacks]) => [name, colour(name), seen(stacks), furthest(seen(stacks))] as const),
  ];
  return found.map(([name, own, grounds, to]) => said(name, own, read(own, to, grounds))).join("");
}

/** The colour, or the first on its way to the other that can be read. */
function read(own: Colour, to: Colour, grounds: readonly Colour[]): Colour {
  const steps = Array.from({ length: BLEND_STEPS }, (_, step) => blended(own, to, step / BLEND_STEPS));
  return steps.find((each) => isRead(each, grounds)) ?? to;
}

function said(name: string, own: Colour, now: Colour): string {
  return own === now ? "" : `${name}: rgb(${now.slice(0, 3).map(Math.round).join(" ")});`;
}

function isRead(text: Colour, grounds: readonly Colour[]): boolean {
  return grounds.every((ground) => contrast(over(text, ground), ground) >= MIN_CONTRAST);
}

function furthest(grounds: readonly Colour[]): Colour {
  const [white, black] = [
    [255, 255, 255, 1],
    [0, 0, 0, 1],
  ];
  const least = (text: Colour): number => Math.min(...grounds.map((ground) => contrast(text, ground)));
  return least(white) >= least(black) ? white : black;
}

function blended(one: Colour, other: Colour, share: number): Colour {
  return share === 0 ? one : one.map((part, at) => part + ((other[at] ?? part) - part) * share);
}

/** A colour that lets some of another through, as it is seen on that. */
function over(colour: Colour, ground: Colour): Colour {
  const seen = colour[3] ?? 1;
  return [...colour.slice(0, 3).map((part, at) => part * seen + (ground[at] ?? 0) * (1 - seen)), 1];
}

function contrast(one: Colour, other: Colour): number {
  const [bright, dark] = [light(one), light(other)].sort((first, second) => second - first);
  return ((bright ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function light(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function colourOf(probe: HTMLElement, name: string): Colour {
  probe.style.color = `var(${name})`;
  const told = getComputedStyle(probe).color;
  const parts = (told.match(/[\d.]+(?:e-?\d+)?/gu) ?? []).map(Number);
  const scale = told.startsWith("color(") ? 255 : 1;
  return [...parts.slice(0, 3).map((part) => part * scale), parts[3] ?? 1];
}
