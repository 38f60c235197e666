export { Site } from "./site";
