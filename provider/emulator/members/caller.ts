import { createHmac } from "node:crypto";
import { existing } from "../http/errors";
import type { Service } from "../store/service";
import type { Organization } from "../store/state";
import type { MemberRecord } from "./record";

/** Id of the user who owns the token: the option `caller`, otherwise the first administrator. */
export function callerId(organization: Organization, { caller }: Service): string | undefined {
  return caller ?? organization.caller;
}

/** Keeps that the caller is a member, whose rights can be lost. */
export function setCaller(organization: Organization, caller: string | undefined): void {
  if (caller !== undefined && organization.members.has(caller)) organization.caller = caller;
}

/** The member who owns the token. */
export function callerOf(organization: Organization, service: Service): MemberRecord {
  const id = callerId(organization, service) ?? "the user of the token";
  return existing(organization.members.get(id), "member", id);
}

/** A JWT about the member, signed with a public key that tests can know. */
export function visitorClaims({ id, email }: MemberRecord, { now }: Service): string {
  const content = [
    { alg: "HS256", typ: "JWT" },
    { sub: id, email, iat: Math.floor(now().getTime() / 1000) },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const signature = createHmac("sha256", "emulator").update(content.join(".")).digest("base64url");
  return [...content, signature].join(".");
}
