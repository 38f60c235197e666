import { Settings } from "../run/settings";

export const now = (): Date => new Settings().now();
