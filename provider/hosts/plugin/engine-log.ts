import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb.js";
import { presentable } from "../../run/presentation";

const severities = { info: LogSeverity.INFO, warning: LogSeverity.WARNING, error: LogSeverity.ERROR } as const;

/** Writes to the log of the engine, which shows a message below its resource. */
export class EngineLog {
  private readonly client: EngineClient;

  constructor(address: string) {
    this.client = new EngineClient(address.replace(/^tcp:\/\//, ""), credentials.createInsecure());
  }

  /** Sends a message. It does not wait: the engine shows a message whenever it arrives, and an engine that is gone needs none. */
  write(severity: keyof typeof severities, text: string, urn = ""): void {
    const request = new LogRequest().setSeverity(severities[severity]).setMessage(presentable(text)).setUrn(urn);
    this.client.log(request, (error) => {
      if (error) process.stderr.write(`${presentable(text)}\n`);
    });
  }
}
