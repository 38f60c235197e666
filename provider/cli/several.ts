/** Collects the values of a repeatable option. */
export const several = (value: string, before: readonly string[] = []): string[] => [...before, value];
