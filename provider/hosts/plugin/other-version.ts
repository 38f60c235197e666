import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import type { DeleteRequest } from "@pulumi/pulumi/proto/provider_pb.js";
import { DocsError } from "../../api/http/errors";
import { answerTo, messageSizes } from "./grpc";

/** Passes a deletion on to the provider of another version, which manages the rest of the organization in this command. */
export async function deleteAt(port: number, request: DeleteRequest): Promise<void> {
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), messageSizes);
  try {
    await answerTo((done) => client.delete(request, done));
  } catch (error) {
    // It has prepared its message for the user.
    throw new DocsError((error as Error).message, { cause: error });
  } finally {
    client.close();
  }
}
