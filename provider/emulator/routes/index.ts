import type { Routes } from "../route";
import { aiResponseRoutes } from "./ai-response";
import { changeRequestRoutes } from "./change-requests";
import { contentRoutes } from "./content";
import { contentLinkRoutes } from "./content-links";
import { memberRoutes } from "./members";
import { samlRoutes } from "./saml";
import { siteAdaptiveRoutes } from "./site-adaptive";
import { sitePublishedRoutes } from "./site-published";
import { siteSearchRoutes } from "./site-search";
import { siteStructureRoutes } from "./site-structure";
import { siteRoutes } from "./sites";
import { teamRoutes } from "./teams";
import { translationRoutes } from "./translations";

/** A route for each row; one that is missing does not compile (or has a reason in the ledger). */
export const routes: Routes = {
  ...siteRoutes,
  ...siteAdaptiveRoutes,
  ...sitePublishedRoutes,
  ...siteStructureRoutes,
  ...siteSearchRoutes,
  ...aiResponseRoutes,
  ...changeRequestRoutes,
  ...contentRoutes,
  ...contentLinkRoutes,
  ...memberRoutes,
  ...samlRoutes,
  ...teamRoutes,
  ...translationRoutes,
};
