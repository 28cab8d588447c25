/** Small signals: a value that tells the effects which read it when it changes. */

export interface Signal<T> {
  value: T;
  /** Reads without being told of changes. */
  peek(): T;
}

interface Effect {
  run(): void;
  sources: Set<Set<Effect>>;
}

let active: Effect | null = null;
const scopes: (() => void)[][] = [];
let batchDepth = 0;
const queue = new Set<Effect>();

export function signal<T>(initial: T): Signal<T> {
  let current = initial;
  const readers = new Set<Effect>();
  return {
    get value() {
      if (active) {
        readers.add(active);
        active.sources.add(readers);
      }
      return current;
    },
    set value(next: T) {
      if (Object.is(next, current)) return;
      current = next;
      for (const reader of readers) queue.add(reader);
      if (batchDepth === 0) flush();
    },
    peek: () => current,
  };
}

function flush(): void {
  batchDepth++;
  try {
    for (const effect of queue) {
      queue.delete(effect);
      effect.run();
    }
  } finally {
    batchDepth--;
  }
}

/** Changes several signals before any effect runs. */
export function batch(work: () => void): void {
  batchDepth++;
  try {
    work();
  } finally {
    batchDepth--;
  }
  if (batchDepth === 0) flush();
}

/** Runs now, and again whenever a signal that it read changes. Ends with the scope or the effect it was made in. */
export function effect(work: () => void): () => void {
  let ends: (() => void)[] = [];
  const leave = () => {
    for (const readers of self.sources) readers.delete(self);
    self.sources.clear();
    for (const end of ends.splice(0).reverse()) end();
  };
  const self: Effect = {
    sources: new Set(),
    run() {
      leave();
      const outer = active;
      active = self;
      ends = [];
      scopes.push(ends);
      try {
        work();
      } finally {
        scopes.pop();
        active = outer;
      }
    },
  };
  const stop = () => {
    leave();
    queue.delete(self);
  };
  onEnd(stop);
  self.run();
  return stop;
}

/** Registers work for the end of the current scope: a listener to remove, a timer to stop. */
export function onEnd(work: () => void): void {
  scopes.at(-1)?.push(work);
}

/** Runs `work` and returns the function that ends all its effects. */
export function scope(work: () => void): () => void {
  const ends: (() => void)[] = [];
  const outer = active;
  active = null;
  scopes.push(ends);
  try {
    work();
  } finally {
    scopes.pop();
    active = outer;
  }
  return () => {
    for (const end of ends.splice(0).reverse()) end();
  };
}
