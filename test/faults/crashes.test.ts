import { crashTests } from "./crashes";

crashTests("dynamic");
