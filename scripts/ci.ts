/** In CI, what is missing for a test is an error; elsewhere the test is skipped. */
export const isCi = ({ CI = "" }: NodeJS.ProcessEnv = process.env): boolean => !["", "0", "false"].includes(CI);
