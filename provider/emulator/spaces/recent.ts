/**
 * Caches the values of the last `most` keys. A WeakMap would not do: contents live as long as their revisions, so their
 * values would never be freed.
 */
export function recent<Key, Value>(most: number, make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    // Re-inserting keeps the map in the order of last use.
    known.delete(key);
    known.set(key, value);
    if (known.size > most) known.delete(known.keys().next().value as Key);
    return value;
  };
}
