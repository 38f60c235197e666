// The functions that the engine calls for a resource that does nothing. Plain JavaScript, because the provider process compiles nothing.
const { existsSync, readFileSync } = require("node:fs");

/** A key of a resource's declared inputs that does not depend on the order of properties. */
function keyOf({ __provider, ...inputs }) {
  const sorted = (_name, value) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify(inputs, sorted);
}

let answers;

/** Ids and outputs of the real resources by their inputs, so that both sides write the same state. */
function answerTo(inputs) {
  answers ??= new Map(
    existsSync("answers.json")
      ? JSON.parse(readFileSync("answers.json", "utf8")).map((one) => [keyOf(one.inputs), one])
      : [],
  );
  const answer = answers.get(keyOf(inputs));
  if (!answer) throw new Error(`there is no real resource with the inputs ${keyOf(inputs)}`);
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
