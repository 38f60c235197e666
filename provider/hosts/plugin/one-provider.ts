import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { DocsError } from "../../api/http/errors";

interface Claim {
  readonly process: number;
  /** The provider object, as messages name it. */
  readonly provider: string;
  readonly urn: string;
}

/** An organization of one service: another service may have an organization with the same id. */
export interface ServedOrganization {
  /** The normalized address. */
  readonly service: string;
  readonly organizationId: string;
}

/**
 * Refuses two provider objects of one engine command that manage the same organization. Each is a process of its own and knows
 * only its own resources, so neither could refuse two resources for one subject, or keep the last administrator. The processes
 * of a command meet in a folder that is named after the engine's address.
 */
export class OneProvider {
  /** The file of each claim, by service and organization: every change of a resource claims. */
  private readonly claimed = new Map<string, string>();

  constructor(
    private readonly engineAddress: string,
    private readonly own: Omit<Claim, "process">,
  ) {}

  /**
   * Records that this provider object manages resources of the organization. Refuses a second one; the refusal of a deletion
   * has other ways out, for which it needs the URN.
   */
  claim(organization: ServedOrganization, deletedUrn?: string): void {
    const key = `${organization.service} ${organization.organizationId}`;
    if (this.claimed.has(key)) return;
    const file = this.fileFor(key);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const other = this.writeFirst(file);
    if (other) {
      const refused = { organizationId: organization.organizationId, own: this.own.provider, other: other.provider };
      throw deletedUrn === undefined ? refusal(refused) : deletionRefusal(refused, deletedUrn);
    }
    this.claimed.set(key, file);
  }

  release(): void {
    for (const file of this.claimed.values()) rmSync(file, { force: true });
    this.claimed.clear();
  }

  /** Writes the own claim; returns the claim of another provider object instead, if there is one. */
  private writeFirst(file: string): Claim | undefined {
    const text = JSON.stringify({ process: process.pid, ...this.own });
    try {
      writeFileSync(file, text, { flag: "wx", mode: 0o600 });
      return undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const found = readClaim(file);
    // The engine may start the same provider again, and the address of an engine that is gone may be used again.
    if (found && found.urn !== this.own.urn && isAlive(found.process)) return found;
    writeFileSync(`${file}.${process.pid}`, text, { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
    return undefined;
  }

  private fileFor(key: string): string {
    const hashed = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
    const folder = `pulumi-docs-org-${userInfo().username}`;
    return path.join(tmpdir(), folder, hashed(this.engineAddress), `${hashed(key)}.json`);
  }
}

/** Returns `undefined` for a file that was left half written by a process that was killed. */
function readClaim(file: string): Claim | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Claim;
  } catch {
    return undefined;
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

interface Refused {
  readonly organizationId: string;
  readonly own: string;
  readonly other: string;
}

const refusal = ({ organizationId, own, other }: Refused): DocsError =>
  new DocsError(
    `${own} and ${other} both manage organization ${organizationId}; each knows only its own resources, so they could undo each ` +
      "other's changes and remove the last administrator. Use one provider object for all resources of the organization, with " +
      "the option provider",
  );

/** The engine deletes after everything else, with the provider object that the state records. */
function deletionRefusal({ organizationId, own, other }: Refused, urn: string): DocsError {
  return new DocsError(
    [
      `this resource was not deleted: the state records ${own} for it, and ${other} manages organization ${organizationId} in ` +
        "the same command; each knows only its own resources, so the deletion could undo what the other manages. Nothing was sent.",
      "To move it to the other provider object, declare it there under its name in the state for one up, which changes nothing " +
        "at the service; rename or remove it afterwards.",
      "If a resource of the other provider object now manages the same object, remove this record of it from the state, which " +
        `changes nothing at the service: pulumi state delete '${urn}'`,
      `To delete the object at the service, delete it in a command of its own: pulumi destroy --target '${urn}'`,
    ].join("\n"),
  );
}
