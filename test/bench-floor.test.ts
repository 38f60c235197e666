import { expect, test } from "vitest";
import { outputs } from "../bench/floor";
import * as definitions from "../provider/definitions";

test.each(Object.entries(outputs))("the floor's %s has the outputs of the real class", (resource, names) => {
  expect(names).toEqual(Object.keys(definitions[resource as keyof typeof outputs].outputs.shape));
});
