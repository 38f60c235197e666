/** What people put into titles and names to be more than a title or a name. */
export const hostile = [
  "`; **bold** ``` <script>alert(1)</script>",
  "a | b\n\n# Approved\n- [x] done",
  "@everyone see https://evil.test [link](https://evil.test) ![p](https://evil.test/p.png)",
  "\u202egnp.exe\u202c \u2066hidden\u2069 zero\u200bwidth \u0007bell \u2028line",
  '"><img src=x onerror=alert(1)>',
  "--> <!-- docs-org review of p/prod --> </details> &lt; \\` \\",
  "``````",
  "__proto__",
  "constructor",
];
