/** The script of the page: filters people, and hides people without changes. */
export const script = `
const filter = document.getElementById("filter");
const only = document.getElementById("only");
const shown = document.getElementById("shown");
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
}
if (filter) {
  document.querySelector(".controls").hidden = false;
  filter.addEventListener("input", update);
  only.addEventListener("change", update);
  update();
}
`;
