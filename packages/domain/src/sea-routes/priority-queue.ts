interface Entry<Item> {
  readonly item: Item;
  readonly priority: number;
}

/** A binary heap with the smallest priority first. An item may be queued more than once. */
export class PriorityQueue<Item> {
  readonly #entries: Entry<Item>[] = [];

  add(item: Item, priority: number): void {
    const entries = this.#entries;
    let index = entries.length;
    entries.push({ item, priority });
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#priorityAt(parent) <= priority) break;
      this.#swap(index, parent);
      index = parent;
    }
  }

  take(): Entry<Item> | null {
    const entries = this.#entries;
    const first = entries[0];
    const last = entries.pop();
    if (first === undefined || last === undefined) return null;
    if (entries.length > 0) {
      entries[0] = last;
      this.#sink();
    }
    return first;
  }

  #sink(): void {
    for (let index = 0; ; ) {
      const left = 2 * index + 1;
      const child = this.#priorityAt(left + 1) < this.#priorityAt(left) ? left + 1 : left;
      if (this.#priorityAt(child) >= this.#priorityAt(index)) return;
      this.#swap(index, child);
      index = child;
    }
  }

  #priorityAt(index: number): number {
    return this.#entries[index]?.priority ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#entries[a], this.#entries[b]];
    if (first === undefined || second === undefined) return;
    this.#entries[a] = second;
    this.#entries[b] = first;
  }
}
