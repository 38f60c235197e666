/** Works on all items, `parallel` of them at once: each worker takes its next item from the common queue. */
export async function atOnce<Item>(
  parallel: number,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}
