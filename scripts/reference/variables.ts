/** What each environment variable of this package sets; a test finds names that are not here. */
export const variables = {
  DOCS_BASE_URL: "Address of the service, without `/v1`. Configuration: `docs:baseUrl`.",
  DOCS_TOKEN: "Token for the API. Configuration: `docs:token`, a secret. For `docs-org emulate`, the token to accept.",
  DOCS_ONLY:
    "Set by `docs-org up --only grants` itself: the people whose grants begin or end. All other changes of access are left out.",
  DOCS_ORGANIZATION_ID: "Id of the organization. Configuration: `docs:organizationId`.",
  DOCS_TOKEN_:
    "Followed by the id of an organization in upper case, with `_` for every character that is not a letter or digit: the token of this organization among several. Configuration: `docs:tokens`.",
  DOCS_TOKEN_USER:
    "Id or e-mail of the token's own user, which no answer of the service names: a review has a high risk if the change takes access from this user.",
  DOCS_BASE_URL_MOVED_FROM:
    "Former address of a service that has moved, until the next refresh or `up` has recorded the new one.",
  DOCS_READ_ONLY: "`true` lets every command and provider refuse requests that may change something.",
  DOCS_DEADLINE: "Whole seconds that one operation may take, retries included: 1 to 3600, 60 by default.",
  DOCS_SETTLE:
    'Whole seconds after a write in which reads may be older than it: 0 to 600, 30 by default. Such a read is repeated, and is neither drift nor "gone". 0 believes every read.',
  DOCS_LOG:
    "`debug` shows a line for each attempt of a request, without tokens and bodies, and what the installer of the Pulumi CLI prints.",
  DOCS_NOW: "Clock that decides which grants have ended, for tests of programs, such as `2027-02-01T00:00:00Z`.",
  DOCS_PLAN:
    "Plan of `docs-org review --plan`, relative to the folder of the program: an `up` refuses, before the first request of a resource, everything that the plan does not have.",
  DOCS_PLAN_AGE: "How old the plan of `DOCS_PLAN` may be, in days or hours: `7d` by default, or such as `12h`.",
  DOCS_COMMIT:
    "Commit that pages and plans name, instead of that of git in the folder, or of GitHub Actions or GitLab CI.",
  DOCS_BRANCH: "Branch that they name.",
  DOCS_PULL_REQUEST: "Pull request that they name: its address, or its number.",
  DOCS_AUTHOR: "Person that they name.",
  DOCS_COMMAND: "Set by `docs-org` itself: messages name variables, and no commands of Pulumi.",
  DOCS_PREVIEWED: "Set by `docs-org` itself: the file in which a preview notes its declaration, for the `up` after it.",
  DOCS_UNFINISHED:
    "Set by `docs-org` itself: the file with the plans of each `up` that has not ended well, which know the roles that people had before.",
  DOCS_TAKE_OVER:
    "Ids of objects that exist and no state records, separated by commas: resources that would create objects like them take them over.",
} as const;

/** What variables of the system do to requests of this package. */
export const networkVariables = {
  "`HTTPS_PROXY`, `https_proxy`":
    "Proxy for the service and for files of change requests, such as `http://proxy.acme.test:3128`, with user and password if it asks for them. The lower-case name wins. Loopback hosts have no proxy; `HTTP_PROXY` has no effect.",
  "`NO_PROXY`, `no_proxy`": "Hosts that are reached without the proxy, separated by commas, such as `docs.acme.test`.",
  "`NODE_EXTRA_CA_CERTS`": "File with certificates (PEM) of authorities that Node.js trusts in addition to its own.",
} as const;
