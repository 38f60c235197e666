import { forgetTokens } from "../../provider/text/masking";

/** Test files share the modules of a worker process; each of them begins without the tokens of the one before. */
forgetTokens();
