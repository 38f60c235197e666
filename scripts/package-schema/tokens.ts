/** The name of a resource, a function or a type for the engine. */
export const tokenOf = (name: string): string => `docs:index:${name}`;
