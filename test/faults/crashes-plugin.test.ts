import { crashTests } from "./crashes";

crashTests("plugin");
