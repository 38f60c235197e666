/** The style of the page. Colours have a contrast of 4.5 at least, in light and in dark; symbols say the same without them. */
export const style = `
:root { color-scheme: light dark; --back: #ffffff; --panel: #f5f7f9; --text: #1b2026; --soft: #55606c; --line: #d5dbe1;
  --link: #0b57b7; --gain: #0a5a2a; --gain-back: #d9f4e1; --lose: #8c1b11; --lose-back: #fde3e0; --change: #664100;
  --change-back: #fcefcc; --head: #eef1f4; --code: #e9edf1; }
@media (prefers-color-scheme: dark) { :root { --back: #12161b; --panel: #1a2027; --text: #e7eaee; --soft: #a5afba;
  --line: #333c46; --link: #83b8ff; --gain: #86e5a6; --gain-back: #12351f; --lose: #ffb4ab; --lose-back: #4b1813;
  --change: #f3d184; --change-back: #3c2f0d; --head: #222a32; --code: #2a333c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 100rem; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
code, pre { font: 0.92em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
code { padding: 0.08em 0.35em; border-radius: 4px; background: var(--code); overflow-wrap: anywhere; unicode-bidi: isolate; }
pre { margin: 0.4rem 0; padding: 0.8rem 1rem; border-radius: 8px; background: var(--lose-back); color: var(--lose); white-space: pre-wrap; overflow-wrap: anywhere; }
header { padding: 1.2rem 1.4rem; border-radius: 12px; border-left: 8px solid var(--soft); background: var(--panel); }
header.refused, header.risky { border-color: var(--lose); }
header.changes { border-color: var(--change); }
header.none { border-color: var(--gain); }
h1 { margin: 0; font-size: 1.4rem; line-height: 1.35; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.1rem; }
h2 .count { color: var(--soft); font-weight: 400; }
.symbol { display: inline-block; min-width: 1.3em; text-align: center; }
p { margin: 0.4rem 0; }
.soft { color: var(--soft); }
ul.entries { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
ul.entries li { padding: 0.45rem 0.9rem; border-top: 1px solid var(--line); }
ul.entries li:first-child { border-top: 0; }
.gains > h2 .symbol { color: var(--gain); } .loses > h2 .symbol, .risks > h2 .symbol { color: var(--lose); }
.controls { display: flex; flex-wrap: wrap; gap: 0.6rem 1.2rem; align-items: center; margin: 0.6rem 0; }
.controls input[type="search"] { width: 22rem; max-width: 100%; padding: 0.45rem 0.7rem; border: 1px solid var(--soft); border-radius: 8px;
  background: var(--back); color: var(--text); font: inherit; }
.legend { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; font-size: 0.88rem; color: var(--soft); }
.wrap { max-height: 80vh; overflow: auto; border: 1px solid var(--line); border-radius: 10px; }
table { border-collapse: separate; border-spacing: 0; min-width: 100%; font-size: 0.92rem; }
th, td { padding: 0.4rem 0.7rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { position: sticky; top: 0; z-index: 2; background: var(--head); white-space: nowrap; }
tbody th { position: sticky; left: 0; z-index: 1; background: var(--back); font-weight: 600; min-width: 17rem; max-width: 26rem; overflow-wrap: anywhere; }
thead th:first-child { left: 0; z-index: 3; }
th code { font-weight: inherit; padding: 0; background: none; font-family: inherit; font-size: inherit; }
tbody th .soft { display: block; font-weight: 400; font-size: 0.85rem; }
td { white-space: nowrap; }
td code { padding: 0; background: none; }
td.none { color: var(--soft); }
td.gains, .key.gains { background: var(--gain-back); color: var(--gain); font-weight: 600; }
td.loses, .key.loses { background: var(--lose-back); color: var(--lose); font-weight: 600; }
td.changes, .key.changes { background: var(--change-back); color: var(--change); font-weight: 600; }
td .was { font-weight: 400; text-decoration: line-through; text-decoration-thickness: 1px; }
.key { padding: 0.1rem 0.5rem; border-radius: 4px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: -2px; }
tr[hidden] { display: none; }
@media print { body { max-width: none; padding: 0; font-size: 11px; } .controls { display: none; } .wrap { max-height: none; overflow: visible; border: 0; }
  thead th, tbody th { position: static; } tr, li { break-inside: avoid; } * { print-color-adjust: exact; } }
`;
