/** Writes to the standard output: a pipe may take it slowly, and the process ends right after. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())));
}
