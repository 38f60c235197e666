/** Stands at the end of an error that fails many resources, in all but the first one, which explains it. */
export const saidElsewhere = "(the error of another resource says what to do)";
