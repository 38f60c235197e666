import type { EngineEvent } from "@pulumi/pulumi/automation";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { EndedError, failureOfCommand } from "../../provider/deployment/failure";
import { EngineProgress } from "../../provider/deployment/progress";

const killed = new Error(
  "code: -2\n stdout: \n stderr: Command was killed with SIGKILL (Forced termination): pulumi up --yes\nUpdating (main):\n err?: \n",
);

test("a killed engine is named with its signal, and with the command that removes its lock", () => {
  const failure = failureOfCommand(killed, "up failed", "main");
  expect(failure).toBeInstanceOf(EndedError);
  expect(failure).toHaveWording("a killed engine");
  expect(failureOfCommand(killed, "up failed", "dev").message).toMatch(/, run docs-org cancel --stack dev$/);
});

const panic = "panic: runtime error: invalid memory address\n\ngoroutine 1 [running]:\nx/backend.(*backendClient)";

test.each([
  ["a state of half a text", "failed to load checkpoint: place 1: unexpected end of JSON input"],
  ["a state without content", `${panic}.GetStackResourceOutputs()`],
])("a damaged state is named, with its backups: %s", (name, printed) => {
  const error = new Error(`code: 255\n stdout: \n stderr: error: ${printed}\n err?: \n`);
  expect(failureOfCommand(error, "the preview failed", "dev")).toHaveWording(name);
});

test("a damaged lock is named, with the command that removes it", () => {
  const error = new Error("code: 255\n stdout: \n stderr: error: unexpected end of JSON input\n err?: \n");
  expect(failureOfCommand(error, "up failed", "dev")).toHaveWording("a damaged lock");
});

test("a state that cannot be fetched is not damaged", () => {
  const error = new Error(
    "code: 255\n stdout: \n stderr: error: failed to load checkpoint: no route to host\n err?: \n",
  );
  expect(failureOfCommand(error, "the preview failed", "dev").message).toMatch(
    /^the preview failed: .*: no route to host$/,
  );
});

describe("the reasons of a failed run", () => {
  const ended = `Detected that /x/pulumi-resource-docs exited prematurely. 
       This is *always* a bug in the provider. Please report the issue to the provider author as appropriate.
       To assist with debugging we have dumped the STDOUT and STDERR streams of the plugin:\n`;

  test.each([
    ["are shown once", ["no site", "no site", "update failed"], "no site"],
    ["are shown if the engine has no better one", ["update failed"], "update failed"],
    ["are not what a lost connection makes of them", ["no site", "error reading from server: EOF"], "no site"],
  ])("%s", (_, messages, expected) => {
    const { failure } = progressOf(messages);
    expect(failure).not.toBeInstanceOf(EndedError);
    expect(failure?.message).toBe(expected);
  });

  test("name a provider that has ended, with what it printed and with the other reasons", () => {
    const lost = "docs:index:Organization resource 'acme' has a problem: grpc: the client connection is closing";
    const { failure } = progressOf([lost, `${ended}TypeError: x is not a function\n`, "update failed", "no site"]);
    expect(failure).toBeInstanceOf(EndedError);
    expect(failure).toHaveWording("a provider that has ended");
  });

  test("leave out a provider that did not confirm its end after a failed change", () => {
    const lost = "docs:index:Organization resource 'acme' has a problem: grpc: the client connection is closing";
    const partly = "1 error occurred:\n\t* no site\n\n";
    const { failure } = progressOf([partly, lost, ended, "update failed"]);
    expect(failure).not.toBeInstanceOf(EndedError);
    expect(failure?.message).toBe("no site");
  });

  test.each([
    ["broke its connection", ["no site", "error reading from server: EOF", ended], /^the provider ended .*\nno site$/],
    ["says nothing", [ended, "update failed"], /^the provider ended .* does$/],
  ])("name a provider that has ended and %s", (_, messages, expected) => {
    const { failure } = progressOf(messages);
    expect(failure).toBeInstanceOf(EndedError);
    expect(failure?.message).toMatch(expected);
  });

  test("are those of the list that the engine makes of a change that was made in part", () => {
    const { failure } = progressOf(["2 errors occurred:\n\t* no site\n  at all\n\t* no team\n\n"]);
    expect(failure?.message).toBe("no site\n  at all\nno team");
  });

  test("leave out what the engine says when it has closed the connection to the provider", () => {
    const { failure } = progressOf(["no site", "grpc: the client connection is closing"]);
    expect(failure?.message).toBe("no site");
  });

  test("are none before there is one", () => {
    expect(progressOf([]).failure).toBeUndefined();
  });
});

function progressOf(messages: readonly string[]): EngineProgress {
  const progress = new EngineProgress(
    () => undefined,
    () => undefined,
  );
  for (const message of messages)
    progress.onEvent({ diagnosticEvent: { severity: "error", message } } as unknown as EngineEvent);
  return progress;
}

test("the address of a backend is quoted without its password", () => {
  vi.stubEnv("PULUMI_BACKEND_URL", "postgres://me:secret@db");
  onTestFinished(() => void vi.unstubAllEnvs());
  const error = new Error('stderr: error: unable to open "postgres://me:secret@db"');
  expect(failureOfCommand(error, "up failed", "dev").message).toContain('open "postgres://me@db"');
});
