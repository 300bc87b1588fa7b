"use strict";
// Shows one method at a time over the text of the page. Without it the page shows the
// first method.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const lines = Array.from(document.querySelectorAll(".l .t"));
  const rows = Array.from(document.querySelectorAll("tr[data-method]"));
  const curves = Array.from(document.querySelectorAll("figure[data-curve]"));
  const select = document.getElementById("method");
  const withGold = document.getElementById("gold");
  // Spans are triples: the line, and where it begins and ends in the line.
  const byLine = (flat) => {
    const out = lines.map(() => []);
    for (let i = 0; i < flat.length; i += 3) out[flat[i]].push([flat[i + 1], flat[i + 2]]);
    return out;
  };
  const gold = data.gold ? byLine(data.gold) : null;
  const inside = (spans, at) => spans.some((s) => s[0] <= at && at < s[1]);
  const draw = () => {
    const method = data.methods[select.selectedIndex];
    const chosen = byLine(method.spans);
    const compared = gold && withGold.checked;
    lines.forEach((line, i) => {
      const text = data.lines[i];
      const cuts = new Set([0, text.length]);
      for (const s of chosen[i]) s.forEach((c) => cuts.add(c));
      if (compared) for (const s of gold[i]) s.forEach((c) => cuts.add(c));
      const at = Array.from(cuts).sort((a, b) => a - b);
      line.textContent = "";
      for (let k = 0; k + 1 < at.length; k++) {
        const piece = text.slice(at[k], at[k + 1]);
        const is = inside(chosen[i], at[k]), should = compared ? inside(gold[i], at[k]) : is;
        if (!is && !should) {
          line.append(piece);
          continue;
        }
        const mark = document.createElement("mark");
        mark.className = is && should ? "both" : is ? "surplus" : "missed";
        mark.textContent = piece;
        line.append(mark);
      }
    });
    curves.forEach((c) => { c.hidden = c.dataset.curve !== method.name; });
    rows.forEach((row) => {
      if (row.dataset.method === method.name) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
  };
  const step = (by) => {
    select.selectedIndex = (select.selectedIndex + by + data.methods.length) % data.methods.length;
    draw();
  };
  rows.forEach((row) => {
    const cell = row.cells[0];
    const button = document.createElement("button");
    button.type = "button";
    button.append(...cell.childNodes);
    cell.append(button);
    button.addEventListener("click", () => {
      select.value = row.dataset.method;
      draw();
    });
  });
  document.getElementById("controls").hidden = false;
  select.addEventListener("change", draw);
  if (withGold) withGold.addEventListener("change", draw);
  document.getElementById("next").addEventListener("click", () => step(1));
  document.getElementById("previous").addEventListener("click", () => step(-1));
  const differences = () => Array.from(document.querySelectorAll("mark.missed, mark.surplus"));
  let at = -1;
  const go = (by) => {
    const all = differences();
    if (all.length === 0) return;
    at = (at + by + all.length) % all.length;
    all[at].scrollIntoView({ block: "center" });
  };
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
    switch (e.key) {
      case "j": step(1); break;
      case "k": step(-1); break;
      case "n": go(1); break;
      case "p": go(-1); break;
      case "g": if (withGold) { withGold.checked = !withGold.checked; draw(); } break;
    }
  });
})();
