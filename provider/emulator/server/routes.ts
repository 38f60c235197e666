import { changeRequestRoutes } from "../change-requests/routes";
import { contentLinkRoutes } from "../content/links-routes";
import { contentRoutes } from "../content/routes";
import type { Routes } from "../http/route";
import { memberRoutes } from "../members/routes";
import { samlRoutes } from "../saml/routes";
import { siteAdaptiveRoutes } from "../sites/adaptive-routes";
import { aiResponseRoutes } from "../sites/ai-response-routes";
import { sitePublishedRoutes } from "../sites/published-routes";
import { siteRoutes } from "../sites/routes";
import { siteSearchRoutes } from "../sites/search-routes";
import { siteStructureRoutes } from "../sites/structure-routes";
import { teamRoutes } from "../teams/routes";
import { translationRoutes } from "../translations/routes";

/** A route for each row. A missing one breaks compilation. */
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
