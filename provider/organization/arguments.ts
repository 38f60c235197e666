import type { OrganizationFile } from "./file/types";

/** The file that declares an organization, relative to the folder of the program. */
export interface OrganizationFromFile {
  readonly file: string;
}

/** The file, or its content as an object. Outputs are refused: an access review must know all values at preview. */
export type OrganizationArgs = OrganizationFromFile | OrganizationFile;
