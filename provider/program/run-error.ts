import * as pulumi from "@pulumi/pulumi";

/** Makes an error that ends the program with one sentence. Neither it nor its cause has a stack: the SDK would print both. */
export function runError(text: string, cause?: Error): pulumi.RunError {
  for (let one: unknown = cause; one instanceof Error; one = one.cause) one.stack = `${one.name}: ${one.message}`;
  const error = cause ? new pulumi.RunError(text, { cause }) : new pulumi.RunError(text);
  return Object.assign(error, { stack: text });
}

/**
 * The SDK's source maps name its files `node_modules/@pulumi/resource.ts`. When Node.js 20.20 inspects an error with colors, it looks
 * for the end of such a package's name for ever: 15 seconds and 3 GB until the text is too long.
 */
export function inspectable<Thrown>(thrown: Thrown): Thrown {
  for (let one: unknown = thrown; one instanceof Error; one = one.cause)
    one.stack = one.stack?.replaceAll(/([/\\]node_modules[/\\]@pulumi[/\\])(?=\w+\.ts:)/g, "$1pulumi/");
  return thrown;
}
