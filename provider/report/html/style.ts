/** The style of the page. Colours have a contrast of at least 4.5, light and dark; symbols repeat their meaning. */
export const style = `
:root { color-scheme: light dark; --back: #ffffff; --panel: #f5f7f9; --text: #1b2026; --soft: #55606c; --line: #d5dbe1;
  --link: #0b57b7; --gain: #0a5a2a; --gain-back: #d9f4e1; --lose: #8c1b11; --lose-back: #fde3e0; --change: #664100;
  --change-back: #fcefcc; --head: #eef1f4; --code: #e9edf1; --hover: #f5f7f9; }
@media screen and (prefers-color-scheme: dark) { :root { --back: #12161b; --panel: #1a2027; --text: #e7eaee; --soft: #a5afba;
  --line: #333c46; --link: #83b8ff; --gain: #86e5a6; --gain-back: #12351f; --lose: #ffb4ab; --lose-back: #4b1813;
  --change: #f3d184; --change-back: #3c2f0d; --head: #222a32; --code: #2a333c; --hover: #1a2027; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0 auto; padding: 1.5rem 1.5rem 3rem; max-width: 100rem; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
code, pre { font: 0.92em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
code { padding: 0.08em 0.35em; border-radius: 4px; background: var(--code); overflow-wrap: anywhere; unicode-bidi: isolate;
  -webkit-box-decoration-break: clone; box-decoration-break: clone; }
pre { margin: 0.4rem 0; padding: 0.8rem 1rem; border-radius: 8px; background: var(--lose-back); color: var(--lose); white-space: pre-wrap; overflow-wrap: anywhere; }
header { padding: 1.1rem 1.4rem; border-radius: 12px; border-left: 8px solid var(--soft); background: var(--panel); }
header.refused, header.risky { border-color: var(--lose); }
header.changes { border-color: var(--change); }
header.none { border-color: var(--gain); }
header.refused h1 .symbol, header.risky h1 .symbol { color: var(--lose); }
header.changes h1 .symbol { color: var(--change); }
header.none h1 .symbol { color: var(--gain); }
header > :last-child { margin-bottom: 0; }
.about { margin: 0 0 0.3rem; font-size: 0.92rem; color: var(--soft); }
.evidence { margin: 0.6rem 0 0; font-size: 0.8rem; color: var(--soft); }
.evidence code { padding: 0; background: none; font: inherit; }
h1 { margin: 0; font-size: 1.45rem; line-height: 1.35; text-wrap: pretty; }
h1 code { font-family: inherit; font-size: 0.95em; }
h2 { margin: 2.2rem 0 0.6rem; font-size: 1.1rem; scroll-margin-top: 1rem; }
.count { color: var(--soft); font-weight: 400; }
.symbol { display: inline-block; min-width: 1.2em; }
p { margin: 0.4rem 0; }
.soft { color: var(--soft); }
a { color: var(--link); }
nav { display: flex; flex-wrap: wrap; gap: 0.4rem 0.5rem; margin: 0.9rem 0 0; font-size: 0.92rem; }
nav a { padding: 0.15rem 0.7rem; border: 1px solid var(--line); border-radius: 999px; background: var(--back); color: var(--text); text-decoration: none; }
nav a:hover { border-color: var(--link); }
ul.entries { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
ul.entries li { padding: 0.5rem 0.9rem; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
ul.entries li:first-child { border-top: 0; }
ul.entries li.rated { display: flex; gap: 0.8rem; align-items: baseline; }
ul.entries li.rated > span:last-child { min-width: 0; padding: 0.15rem 0.4rem 0.15rem 0; }
li.rated .key { flex: none; min-width: 5rem; text-align: center; font-size: 0.85rem; white-space: nowrap; }
.gains > h2 .symbol, nav .gains .symbol { color: var(--gain); }
.loses > h2 .symbol, .risks > h2 .symbol, #refused > h2 .symbol, nav .loses .symbol, nav .risks .symbol { color: var(--lose); }
.changes > h2 .symbol, nav .changes .symbol { color: var(--change); }
.controls { display: flex; flex-wrap: wrap; gap: 0.6rem 1.2rem; align-items: center; margin: 0.6rem 0; }
.controls label { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; max-width: 100%; }
.controls input[type="search"] { width: 22rem; max-width: 100%; padding: 0.4rem 0.7rem; border: 1px solid var(--soft); border-radius: 8px;
  background: var(--back); color: var(--text); font: inherit; }
.controls input[type="checkbox"] { width: 1.05rem; height: 1.05rem; margin: 0; accent-color: var(--link); }
::placeholder { color: var(--soft); opacity: 1; }
.legend { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; align-items: baseline; margin: 0.6rem 0; font-size: 0.88rem; color: var(--soft); }
.wrap { width: fit-content; max-width: 100%; max-height: 80vh; overflow: auto; border: 1px solid var(--line); border-radius: 10px; }
table { width: max-content; min-width: 40rem; border-collapse: separate; border-spacing: 0; font-size: 0.92rem; }
th, td { padding: 0.45rem 0.8rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
tbody tr:last-child > * { border-bottom: 0; }
thead th { position: sticky; top: 0; z-index: 2; min-width: 6rem; max-width: 12rem; background: var(--head); vertical-align: bottom; }
tbody th { position: sticky; left: 0; z-index: 1; background: var(--back); font-weight: 600; min-width: 16rem; max-width: 24rem; border-right: 1px solid var(--line); }
thead th:first-child { left: 0; z-index: 3; border-right: 1px solid var(--line); }
table code { padding: 0; background: none; font: inherit; }
td { max-width: 18rem; }
thead th, td code { overflow-wrap: break-word; }
td.short { white-space: nowrap; }
td.none { color: var(--soft); }
tbody tr:hover > th, tbody tr:hover > td.none { background: var(--hover); }
td.gains, .key.gains { background: var(--gain-back); color: var(--gain); font-weight: 600; }
td.loses, .key.loses { background: var(--lose-back); color: var(--lose); font-weight: 600; }
td.changes, .key.changes { background: var(--change-back); color: var(--change); font-weight: 600; }
td .was { font-weight: 400; }
td .was code { text-decoration: line-through; text-decoration-thickness: 1px; }
.key { padding: 0.1rem 0.5rem; border-radius: 4px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: -2px; }
nav a:focus-visible, input:focus-visible { outline-offset: 2px; }
@media screen and (min-width: 80rem) { table:not(.wide) { width: auto; } }
@media screen and (max-width: 45rem) { body { padding: 0.8rem 0.8rem 2rem; } header { padding: 0.9rem 1rem; border-left-width: 5px; } h1 { font-size: 1.2rem; }
  nav { font-size: 0.85rem; } table { min-width: 0; }
  tbody th { min-width: 9rem; max-width: 9rem; } td { max-width: 13rem; } }
body:has(#ids:checked) code[title]::after { content: " (" attr(title) ")"; font-weight: 400; }
@media print { code[title]::after { content: " (" attr(title) ")"; } :root { color-scheme: light; font-size: 11px; } * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { max-width: none; padding: 0; font-size: 1rem; } nav, .controls label { display: none; } h2 { margin-top: 1.6rem; break-after: avoid; }
  tr, li { break-inside: avoid; } thead { display: table-header-group; }
  .wrap { width: auto; max-height: none; overflow: visible; }
  table { width: 100%; min-width: 0; } td { max-width: 11rem; padding: 0.3rem 0.4rem; }
  thead th, tbody th { position: static; min-width: 0; padding: 0.3rem 0.4rem; }
  table.wide, .wide tbody, .wide tr, .wide th { display: block; } .wide thead, .wide td.none:not([title]) { display: none; }
  .wide tr { padding: 0.4rem 0.5rem; border-bottom: 1px solid var(--line); } .wide tbody tr > * { padding: 0.1rem 0; border: 0; }
  .wide td { display: inline-block; margin: 0.1rem 0.8rem 0.1rem 0; } .wide tbody td:not(.none) { padding: 0.1rem 0.5rem; border-radius: 4px; }
  .wide td[title] { font-size: 0; } .wide td[title]::before { content: attr(title); font-size: 0.95rem; }
  .wide td.gains::before { content: "▲ " attr(title); } .wide td.loses::before { content: "▼ " attr(title); }
  .wide td.changes::before { content: "◆ " attr(title); } }
`;
