import type { Client } from "../api/client";
import { DocsError, ownError } from "../api/http/errors";
import { counted } from "../text/safe-text";
import type { OpenChangeRequest, OpenChangeRequests, Pulled } from "./report";

export const outdatedIn = ({ changeRequests }: OpenChangeRequests): OpenChangeRequest[] =>
  changeRequests.filter(({ outdated }) => outdated);

/** Pulls the content of their spaces into change requests, one after another, and stops at the first failure. */
export async function pullInto(client: Client, outdated: readonly OpenChangeRequest[]): Promise<Pulled[]> {
  const pulled: Pulled[] = [];
  for (const { id, number, space } of outdated) {
    try {
      const { result } = await client.pullIntoChangeRequest({ spaceId: space, changeRequestId: id });
      pulled.push({ id, number, space, result });
    } catch (error) {
      throw withProgress(error, pulled, outdated);
    }
  }
  return pulled;
}

function withProgress(error: unknown, pulled: readonly Pulled[], all: readonly OpenChangeRequest[]): unknown {
  if (!(error instanceof DocsError) || all.length === 1) return error;
  const done = counted(pulled.length, "change request was", "change requests were");
  const message = `${error.message}\n${done} updated before, of ${all.length}; run the command again for the others`;
  return Object.assign(ownError(error), { message });
}
