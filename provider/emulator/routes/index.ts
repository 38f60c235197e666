import type { Routes } from "../route";
import { aiResponseRoutes } from "./ai-response";
import { siteAdaptiveRoutes } from "./site-adaptive";
import { sitePublishedRoutes } from "./site-published";
import { siteSearchRoutes } from "./site-search";
import { siteStructureRoutes } from "./site-structure";
import { siteRoutes } from "./sites";

/** A route for each row; one that is missing does not compile (or has a reason in the ledger). */
export const routes: Routes = {
  ...siteRoutes,
  ...siteAdaptiveRoutes,
  ...sitePublishedRoutes,
  ...siteStructureRoutes,
  ...siteSearchRoutes,
  ...aiResponseRoutes,
};
