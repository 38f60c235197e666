// What the engine calls in the provider process for a resource that does nothing. Plain JavaScript, since nothing compiles it there.
const { existsSync, readFileSync } = require("node:fs");

/** Everything of a resource that its program declared, in a form that does not depend on the order of names. */
function keyOf({ __provider, ...inputs }) {
  const sorted = (_name, value) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify(inputs, sorted);
}

let answers;

/** Ids and outputs that the real resources got, by their inputs, so that both write the same state. */
function answerTo(inputs) {
  answers ??= new Map(
    existsSync("answers.json")
      ? JSON.parse(readFileSync("answers.json", "utf8")).map((one) => [keyOf(one.inputs), one])
      : [],
  );
  const answer = answers.get(keyOf(inputs));
  if (!answer) throw new Error(`no real resource was declared with ${keyOf(inputs)}`);
  return answer;
}

exports.handler = () => ({
  check: async (_olds, news) => ({ inputs: news, failures: [] }),
  diff: async () => ({ changes: false }),
  create: async (inputs) => {
    const { id, outputs } = answerTo(inputs);
    return { id, outs: outputs };
  },
  read: async (id, props) => ({ id, props }),
  update: async (_id, _olds, news) => ({ outs: news }),
  delete: async () => undefined,
});
