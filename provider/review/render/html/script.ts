/** The script of the page: filters people, hides people without changes, and moves through the table with the arrow keys. */
export const script = `
const filter = document.getElementById("filter");
const only = document.getElementById("only");
const shown = document.getElementById("shown");
const table = document.getElementById("matrix");
const rows = [...document.querySelectorAll("tbody tr")];
const number = (count) => count.toLocaleString("en-US");
function update() {
  const terms = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  let left = 0;
  for (const row of rows) {
    const fits = terms.every((term) => row.dataset.text.includes(term));
    const visible = fits && (!only.checked || row.dataset.changed === "1");
    row.hidden = !visible;
    if (visible) count++;
    else if (fits) left++;
  }
  const fit = terms.length > 0 ? " fit the filter" : "";
  const more = left > 0 ? " (" + number(left) + " without changes " + (left === 1 ? "is" : "are") + " hidden)" : "";
  shown.textContent = number(count) + " of " + number(rows.length) + " rows" + fit + more;
  if (!current() || current().closest("tr").hidden) reach(cells()[0]);
}
const cells = () => [...table.querySelectorAll("tbody tr:not([hidden]) > *")];
const current = () => table.querySelector('tbody [tabindex="0"]');
function reach(cell, focus) {
  // A column that no visible row uses is hidden.
  if (!cell || cell.offsetParent === null) return;
  for (const old of table.querySelectorAll('[tabindex="0"]')) old.tabIndex = -1;
  cell.tabIndex = 0;
  if (!focus) return;
  const corner = table.tHead.rows[0].cells[0];
  // The sticky head and first column must not cover the cell.
  table.parentElement.style.scrollPadding = corner.offsetHeight + "px 0 0 " + corner.offsetWidth + "px";
  cell.focus({ preventScroll: true });
  cell.scrollIntoView({ block: "nearest", inline: "nearest" });
}
const next = (row, step) => {
  let other = row;
  do other = step > 0 ? other.nextElementSibling : other.previousElementSibling; while (other && other.hidden);
  return other;
};
function walk(event) {
  const cell = event.target.closest("td, th");
  if (!cell || cell.closest("thead") || event.altKey || event.metaKey) return;
  const row = cell.parentElement;
  const at = [...row.children].indexOf(cell);
  const ends = event.ctrlKey ? rows.filter((one) => !one.hidden) : [row];
  const to = { ArrowRight: () => row.children[at + 1], ArrowLeft: () => row.children[at - 1],
    ArrowDown: () => next(row, 1)?.children[at], ArrowUp: () => next(row, -1)?.children[at],
    Home: () => ends[0].children[0], End: () => [...ends[ends.length - 1].children].filter((one) => one.offsetParent !== null).pop() }[event.key];
  if (!to) return;
  event.preventDefault();
  reach(to(), true);
}
if (table) {
  document.querySelector(".controls").hidden = false;
  table.setAttribute("role", "grid");
  table.parentElement.removeAttribute("tabindex");
  filter.addEventListener("input", update);
  only.addEventListener("change", update);
  table.addEventListener("keydown", walk);
  table.addEventListener("click", (event) => reach(event.target.closest("tbody td, tbody th"), true));
  document.addEventListener("keydown", (event) => {
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
    if (event.key === "/" && plain && event.target !== filter) { event.preventDefault(); filter.focus(); }
    if (event.key === "Escape" && event.target === filter) { filter.value = ""; update(); }
  });
  update();
}
`;
