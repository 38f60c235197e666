// The last step of `npm run build`.
import { record } from "./compiled";

record();
