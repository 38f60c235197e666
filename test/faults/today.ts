/** Days since 1970 (UTC). What changes by the day is the same for everybody on one day, so that a failure of CI is found here as well. */
export const today = Math.floor(Date.now() / 86_400_000);
