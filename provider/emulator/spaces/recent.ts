/**
 * Remembers what was made of the last few keys. Contents live as long as their revisions, so what is made of them
 * must not live as long.
 */
export function recent<Key, Value>(most: number, make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    // The order of the map is that of the last use.
    known.delete(key);
    known.set(key, value);
    if (known.size > most) known.delete(known.keys().next().value as Key);
    return value;
  };
}
