/** Tells when each part of something drawn has been on screen, from its beginning to its end. */

/** From where to where of a part, as shares of its height. */
type Stretch = readonly [from: number, to: number];

/** So much of a part may be missing: edges lie between pixels. */
const TOLERANCE = 0.01;

const SCROLLING = { capture: true, passive: true };

/** Calls `done` once all has been on screen; what it gives back ends the watch. */
export function whenSeen(parts: readonly Element[], done: () => void): () => void {
  const left = new Map<Element, readonly Stretch[]>(parts.map((part) => [part, []]));
  const watch = new IntersectionObserver((entries) => {
    for (const { target, boundingClientRect: whole, intersectionRect: visible, isIntersecting } of entries) {
      const before = left.get(target);
      if (before === undefined || !isIntersecting || whole.height === 0 || document.visibilityState !== "visible") continue;
      const seen = [(visible.top - whole.top) / whole.height, (visible.bottom - whole.top) / whole.height] as const;
      const now = joined([...before, seen]);
      if (now.some(([from, to]) => from <= TOLERANCE && to >= 1 - TOLERANCE)) left.delete(target);
      else left.set(target, now);
    }
    if (left.size > 0) return;
    unwatch();
    done();
  });
  // Of a part that is higher than the window it tells nothing while that is scrolled through, but when it begins to watch.
  const look = (): void => {
    watch.disconnect();
    for (const part of left.keys()) watch.observe(part);
  };
  const unwatch = (): void => {
    watch.disconnect();
    document.removeEventListener("scroll", look, SCROLLING);
  };
  document.addEventListener("scroll", look, SCROLLING);
  look();
  return unwatch;
}

/** Stretches that touch are one. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const sorted = stretches.toSorted(([one], [other]) => one - other);
  return sorted.reduce<readonly Stretch[]>((before, [from, to]) => {
    const last = before.at(-1);
    if (last === undefined || from > last[1] + TOLERANCE) return [...before, [from, to]];
    return [...before.slice(0, -1), [last[0], Math.max(last[1], to)]];
  }, []);
}
