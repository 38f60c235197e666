import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { stringify } from "yaml";
import { DocsError } from "../../../provider/api/http/errors";
import type { Emulator } from "../../../provider/emulator";
import type { SeedOrganization } from "../../../provider/emulator/seed/seed";
import type { OrganizationRecord } from "../../../provider/emulator/store/state";
import { loadOrganization } from "../../../provider/organization/file/loader";
import type { OrganizationFile } from "../../../provider/organization/file/types";
import { declaredByComponent, type Notes } from "../component";
import { Service } from "../service";
import { FaultStack } from "../stack";
import { type ExpectedAccess, expectedAccess } from "./expected";
import { randomNow } from "./organizations";

/** An organization, the stack that manages it, and the program, whose file is written anew for each command. */
export class Attempt {
  readonly stack: FaultStack;
  private readonly folder = mkdtempSync(path.join(tmpdir(), "random-organization-"));

  private constructor(readonly service: Service) {
    this.stack = new FaultStack(() => this.options(), []);
  }

  static async start(emulator: Emulator, seed: SeedOrganization): Promise<Attempt> {
    return new Attempt(await Service.start(emulator, { seed }));
  }

  async stop(): Promise<void> {
    rmSync(this.folder, { recursive: true });
    await this.service.stop();
  }

  private options() {
    return this.service.options(60);
  }

  get organization(): OrganizationRecord {
    return this.service.organization;
  }

  access(): ExpectedAccess {
    return expectedAccess(this.organization);
  }

  textOf(file: OrganizationFile): string {
    const { organizationId } = this.service;
    return stringify({ ...file, organization: organizationId }, { aliasDuplicateObjects: false });
  }

  /** Runs the program with a file, as a preview if there are `notes`. Returns the message if it is refused, which changes nothing. */
  async refusal(text: string | Uint8Array, notes?: Notes[]): Promise<string | undefined> {
    const file = path.join(this.folder, "organization.yaml");
    writeFileSync(file, text);
    const before = this.service.live();
    try {
      this.stack.declare(
        await declaredByComponent(
          loadOrganization(file, { now: randomNow }),
          this.stack,
          this.options(),
          randomNow,
          notes,
        ),
      );
      return undefined;
    } catch (error) {
      if (!(error instanceof DocsError)) throw error;
      expect(this.service.live()).toEqual(before);
      return error.message;
    }
  }

  /** The objects that the stack does not manage. */
  others(): unknown[] {
    const ids = new Set([...this.stack.recorded.values()].map(({ id }) => id));
    const { sites, saml, translations } = this.organization;
    const all = [sites, saml, translations].flatMap((some) => [...some.values()]);
    return structuredClone(all.filter(({ id }) => !ids.has(id)));
  }
}
