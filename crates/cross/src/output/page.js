"use strict";
// Tables are sorted by a click on a title; numbers from the greatest, texts from the first.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  table.querySelectorAll("th").forEach((title, column) => {
    const button = document.createElement("button");
    button.textContent = title.textContent;
    title.replaceChildren(button);
    button.addEventListener("click", () => {
      const key = row => {
        const cell = row.cells[column];
        const number = parseFloat(cell.dataset.value ?? cell.textContent);
        return Number.isNaN(number) || title.classList.contains("text") ? cell.textContent : number;
      };
      const textual = title.classList.contains("text");
      const before = title.getAttribute("aria-sort");
      const order = before ? (before === "ascending" ? -1 : 1) : (textual ? 1 : -1);
      table.querySelectorAll("th").forEach(other => other.removeAttribute("aria-sort"));
      title.setAttribute("aria-sort", order > 0 ? "ascending" : "descending");
      const compare = (a, b) => {
        const [left, right] = [key(a), key(b)];
        if (typeof left !== typeof right) return typeof left === "number" ? -1 : 1;
        return order * (typeof left === "number" ? left - right : left.localeCompare(right));
      };
      body.append(...[...body.rows].sort(compare));
    });
  });
}
// What the pictures say about themselves is shown at once, not after a while.
const tip = document.getElementById("tip");
for (const title of document.querySelectorAll("svg title")) {
  const shape = title.parentNode;
  const text = title.textContent;
  shape.setAttribute("aria-label", text);
  title.remove();
  shape.addEventListener("pointermove", event => {
    tip.textContent = text;
    tip.style.opacity = 1;
    const [width, height] = [tip.offsetWidth, tip.offsetHeight];
    const x = event.clientX + 14 + width > innerWidth ? event.clientX - width - 10 : event.clientX + 14;
    const y = event.clientY + 14 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 14;
    tip.style.left = x + "px";
    tip.style.top = y + "px";
  });
  shape.addEventListener("pointerleave", () => { tip.style.opacity = 0; });
}
for (const button of document.querySelectorAll(".legend button")) {
  button.addEventListener("click", () => {
    const shown = button.getAttribute("aria-pressed") === "false";
    button.setAttribute("aria-pressed", shown);
    for (const curve of document.querySelectorAll(`.curve[data-tool="${button.dataset.tool}"]`)) {
      curve.style.display = shown ? "" : "none";
    }
  });
}
const search = document.getElementById("search");
search?.addEventListener("input", () => {
  const wanted = search.value.toLowerCase();
  for (const row of document.querySelectorAll("#results tbody tr")) {
    row.hidden = !row.textContent.toLowerCase().includes(wanted);
  }
});
