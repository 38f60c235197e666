export { MemberRole } from "./member-role";
export { SamlProvider } from "./saml-provider";
export { Site } from "./site";
export { SiteAdaptiveSchema } from "./site-adaptive-schema";
export { Translation } from "./translation";
