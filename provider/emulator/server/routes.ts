import { changeRequestRoutes } from "../change-requests/routes";
import { contentLinkRoutes } from "../content/links";
import { contentRoutes } from "../content/routes";
import type { Routes } from "../http/route";
import { memberRoutes } from "../members/routes";
import { samlRoutes } from "../saml/routes";
import { siteRoutes } from "../sites/routes";
import { siteSearchRoutes } from "../sites/search-routes";
import { siteStructureRoutes } from "../sites/structure-routes";
import { teamRoutes } from "../teams/routes";
import { translationRoutes } from "../translations/routes";

/** A route for each row. A missing one breaks compilation. */
export const routes: Routes = {
  ...siteRoutes,
  ...siteStructureRoutes,
  ...siteSearchRoutes,
  ...changeRequestRoutes,
  ...contentRoutes,
  ...contentLinkRoutes,
  ...memberRoutes,
  ...samlRoutes,
  ...teamRoutes,
  ...translationRoutes,
};
