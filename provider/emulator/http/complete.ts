/**
 * An answer in which each property is mentioned, also those that may be missing: a new property of a row's schema does
 * not compile until the emulator answers it, or says with `undefined` that it does not.
 */
export type Complete<Answer> = Answer extends object ? { [Name in keyof Required<Answer>]: Answer[Name] } : Answer;
