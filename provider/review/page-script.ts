/** What the page does: filter people, hide who stays as they are, and walk through the table with the arrow keys. */
export const script = `
const filter = document.getElementById("filter");
const only = document.getElementById("only");
const shown = document.getElementById("shown");
const rows = [...document.querySelectorAll("tbody tr")];
function update() {
  const terms = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  for (const row of rows) {
    const text = row.dataset.text;
    const visible = (!only.checked || row.dataset.changed === "1") && terms.every((term) => text.includes(term));
    row.hidden = !visible;
    if (visible) count++;
  }
  shown.textContent = count.toLocaleString("en-US") + " of " + rows.length.toLocaleString("en-US") + " rows";
  if (!current() || current().closest("tr").hidden) reach(cells()[0]);
}
const table = document.getElementById("matrix");
const cells = () => [...table.querySelectorAll("tbody tr:not([hidden]) > *")];
const current = () => table.querySelector('tbody [tabindex="0"]');
function reach(cell, focus) {
  if (!cell) return;
  for (const old of table.querySelectorAll('[tabindex="0"]')) old.tabIndex = -1;
  cell.tabIndex = 0;
  if (focus) cell.focus();
}
const next = (row, step) => {
  let other = row;
  do other = step > 0 ? other.nextElementSibling : other.previousElementSibling; while (other && other.hidden);
  return other;
};
function walk(event) {
  const cell = event.target.closest("td, th");
  if (!cell || cell.closest("thead")) return;
  const row = cell.parentElement;
  const at = [...row.children].indexOf(cell);
  const to = { ArrowRight: () => row.children[at + 1], ArrowLeft: () => row.children[at - 1],
    ArrowDown: () => next(row, 1)?.children[at], ArrowUp: () => next(row, -1)?.children[at],
    Home: () => row.children[0], End: () => row.children[row.children.length - 1] }[event.key];
  if (!to) return;
  event.preventDefault();
  reach(to(), true);
}
if (table) {
  filter.addEventListener("input", update);
  only.addEventListener("change", update);
  table.addEventListener("keydown", walk);
  table.addEventListener("click", (event) => reach(event.target.closest("tbody td, tbody th"), true));
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && event.target !== filter) { event.preventDefault(); filter.focus(); }
    if (event.key === "Escape" && event.target === filter) { filter.value = ""; update(); }
  });
  update();
}
`;
