/** A map that reports each change, so that indexes stay right even if a test changes the map directly. */
export abstract class WatchedMap<K, V> extends Map<K, V> {
  protected abstract changed(key: K, before: V | undefined, after: V | undefined): void;

  override set(key: K, value: V): this {
    const before = this.get(key);
    super.set(key, value);
    if (before !== value) this.changed(key, before, value);
    return this;
  }

  override delete(key: K): boolean {
    const before = this.get(key);
    const deleted = super.delete(key);
    if (deleted) this.changed(key, before, undefined);
    return deleted;
  }

  override clear(): void {
    for (const key of [...this.keys()]) this.delete(key);
  }
}
