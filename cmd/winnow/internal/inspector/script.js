"use strict";
// Shows one method at a time over the blocks of the page or over the page itself, compared
// with the gold or with another method, and why it judged a block as it did. Without it the
// document shows the blocks and the first method.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const make = (tag, properties, ...children) => {
    const e = Object.assign(document.createElement(tag), properties);
    e.append(...children);
    return e;
  };
  const lines = all(".l"), rows = all("tr[data-method]"), curves = all("figure[data-curve]"), notes = all("[data-saw]");
  const method = by("method"), other = by("other"), view = by("view"), shade = by("shade"), pane = by("text"), frame = by("frame"), why = by("why");
  const inPage = () => all("w-t", frame.contentDocument);
  // Spans are triples: the line, and where it begins and ends in the line.
  const byLine = (flat) => {
    const out = lines.map(() => []);
    for (let i = 0; i < flat.length; i += 3) out[flat[i]].push([flat[i + 1], flat[i + 2]]);
    return out;
  };
  const gold = data.gold ? byLine(data.gold) : null;
  const methods = data.methods.map((m) => ({ ...m, spans: byLine(m.spans) }));
  const current = () => methods[method.selectedIndex];
  const against = () => other.value === "gold" ? gold : other.value === "" ? null : methods[other.value].spans;
  // blocks has the block of every line of a method.
  const blocksOf = (m) => {
    const out = lines.map(() => null);
    for (const b of m.blocks || []) out.fill(b, b.line, b.end);
    return out;
  };
  let blocks = [], at = -1, on = -1;

  const inside = (spans, at) => spans.some((s) => s[0] <= at && at < s[1]);
  // fill writes the part of line i from start to end into an element, cut where a span begins
  // or ends.
  const fill = (element, i, start, end, chosen, compared) => {
    const cuts = new Set([start, end]);
    for (const spans of [chosen[i], compared ? compared[i] : []]) for (const s of spans) for (const c of s) if (start < c && c < end) cuts.add(c);
    const places = Array.from(cuts).sort((a, b) => a - b);
    element.textContent = "";
    for (let k = 0; k + 1 < places.length; k++) {
      const piece = data.lines[i].slice(places[k], places[k + 1]);
      const is = inside(chosen[i], places[k]), should = compared ? inside(compared[i], places[k]) : is;
      if (!is && !should) {
        element.append(piece);
        continue;
      }
      const mark = element.ownerDocument.createElement("mark");
      mark.className = is && should ? "both" : is ? "surplus" : "missed";
      mark.textContent = piece;
      element.append(mark);
    }
  };
  const tint = (element, block) => {
    for (const name of Array.from(element.classList)) if (/^p\d/.test(name)) element.classList.remove(name);
    if (block) element.classList.add("p" + Math.round(10 * block.probability));
  };
  const shadeIn = (root) => root.documentElement.toggleAttribute("data-shade", shade.checked && !!current().blocks);
  const drawFrame = () => {
    for (const e of inPage()) {
      const [i, start, end] = ["l", "s", "e"].map((a) => Number(e.getAttribute(a)));
      fill(e, i, start, end, current().spans, against());
      tint(e, blocks[i]);
    }
    if (frame.contentDocument.documentElement) shadeIn(frame.contentDocument); // it has none while it is loaded
  };
  const draw = () => {
    const m = current(), compared = against();
    blocks = blocksOf(m);
    lines.forEach((line, i) => {
      const text = line.querySelector(".t"), cell = line.querySelector(".p"), block = blocks[i];
      fill(text, i, 0, data.lines[i].length, m.spans, compared);
      tint(text, block);
      tint(cell, block);
      cell.textContent = "";
      if (block && block.line === i) {
        const label = block.probability.toFixed(2);
        cell.append(make("button", { type: "button", tabIndex: -1, ariaLabel: "probability " + label + ": why" }, label));
      }
    });
    drawFrame();
    pane.classList.toggle("plain", !m.blocks);
    shade.disabled = !m.blocks;
    shadeIn(document);
    curves.forEach((c) => { c.hidden = c.dataset.curve !== m.name; });
    notes.forEach((n) => { n.hidden = n.dataset.saw !== m.name; });
    rows.forEach((row) => row.dataset.method === m.name ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current"));
    const rival = other.value !== "" && other.value !== "gold" ? methods[other.value].name : "";
    const words = !compared ? { both: "chosen" } : rival ? { both: "chosen by both", missed: "chosen by " + rival + " alone", surplus: "chosen by " + m.name + " alone" } : { both: "chosen and gold", missed: "gold, not chosen", surplus: "chosen, not gold" };
    by("legend").replaceChildren(...Object.entries(words).flatMap(([name, text]) => [make("mark", { className: name }, text), " "]));
    const figures = (name) => {
      const row = rows.find((r) => r.dataset.method === name), head = Array.from(row.closest("table").tHead.rows[0].cells);
      return head.map((h, i) => [h.textContent, row.cells[i].textContent.trim()]).filter(([h, text]) => text && !["extractor", "strip"].includes(h)).map(([h, text]) => h === "note" ? text : h + " " + text).join(", ");
    };
    by("summary").textContent = m.name + ": " + figures(m.name) + "." + (rival ? " " + rival + ": " + figures(rival) + "." : "");
    at = -1;
    count();
  };

  const shown = () => view.value === "frame" ? frame.contentDocument : pane;
  const differences = () => all("mark.missed, mark.surplus", shown()).filter((m) => m.getClientRects().length > 0);
  const count = () => {
    const n = differences().length;
    by("count").textContent = at >= 0 ? "difference " + (at + 1) + " of " + n : n === 1 ? "1 difference" : n + " differences";
    by("next").disabled = by("previous").disabled = n === 0;
  };
  // reveal scrolls what is shown, and not the document around it, to an element.
  const reveal = (element) => {
    const framed = element.ownerDocument !== document, box = framed ? element.ownerDocument.scrollingElement : pane;
    box.scrollTop += element.getBoundingClientRect().top - (framed ? 0 : pane.getBoundingClientRect().top) - box.clientHeight / 3;
  };
  const lineOf = (element) => {
    const text = element.closest("w-t");
    return text ? Number(text.getAttribute("l")) : lines.indexOf(element.closest(".l"));
  };
  const go = (step) => {
    const found = differences();
    if (found.length === 0) return;
    at = at < 0 && step < 0 ? found.length - 1 : (at + step + found.length) % found.length;
    reveal(found[at]);
    select(lineOf(found[at]));
    count();
  };

  // push draws how far a feature moved the log-odds.
  const push = (value, most) => {
    const space = "http://www.w3.org/2000/svg", svg = document.createElementNS(space, "svg"), bar = document.createElementNS(space, "rect"), axis = document.createElementNS(space, "path");
    const set = (e, attributes) => { for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v); };
    const width = 50 * Math.abs(value) / most;
    set(svg, { class: "push", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" });
    set(bar, { class: value > 0 ? "up" : "down", x: value > 0 ? 50 : 50 - width, y: 2, width, height: 8 });
    set(axis, { d: "M50 0V12" });
    svg.append(bar, axis);
    return svg;
  };
  const select = (i) => {
    if (i < 0) return;
    on = i;
    const m = current(), b = blocks[i], from = b ? b.line : i, to = b ? b.end : i + 1;
    lines.forEach((line, k) => line.classList.toggle("on", from <= k && k < to));
    for (const e of inPage()) { const k = Number(e.getAttribute("l")); e.classList.toggle("on", from <= k && k < to); }
    all(".l .p button").forEach((x) => { x.tabIndex = x.closest(".l") === lines[from] ? 0 : -1; });
    const text = data.lines.slice(from, to).join(" ").trim();
    const quote = make("blockquote", {}, text.length > 200 ? text.slice(0, 199) + "…" : text);
    if (!b) {
      why.replaceChildren(make("h2", {}, "Line " + (i + 1)), quote, make("p", {}, m.blocks ? "It is no part of the blocks that " + m.name + " judges." : m.name + " does not decide block by block." + (m.curve ? " What it measured along the page is drawn below." : "")));
      return;
    }
    const evidence = b.evidence || [], most = Math.max(...evidence.map((e) => Math.abs(e.log_odds)), 1e-9);
    const table = make("table", {}, make("thead", {}, make("tr", {}, ...["feature", "value", "log-odds", ""].map((h, k) => k < 3 ? make("th", { scope: "col" }, h) : make("td")))),
      make("tbody", {}, ...evidence.map((e) => make("tr", {}, make("th", { scope: "row" }, make("code", {}, e.feature)), make("td", {}, String(e.value)), make("td", {}, (e.log_odds > 0 ? "+" : e.log_odds < 0 ? "−" : "") + Math.abs(e.log_odds).toFixed(2)), make("td", {}, push(e.log_odds, most))))));
    const reasons = evidence.length === 0 ? [make("p", {}, "All features of the block have their median values on the page.")] :
      [table, make("p", {}, "The features that moved the block most: by how much its log-odds would differ if the feature had its median value on the page. Above 0 it speaks for content.")];
    why.replaceChildren(make("h2", {}, (b.chosen ? "Chosen" : "Not chosen") + ", with probability " + b.probability.toFixed(3)), quote, ...reasons);
  };

  // revealOn scrolls to the block that the reasons are of.
  const revealOn = () => {
    const here = view.value === "text" ? lines[on] : inPage().find((e) => Number(e.getAttribute("l")) === on);
    if (here) reveal(here);
  };

  method.addEventListener("change", () => { draw(); select(on); });
  other.addEventListener("change", draw);
  shade.addEventListener("change", draw);
  view.addEventListener("change", () => {
    pane.hidden = view.value === "frame";
    frame.hidden = !pane.hidden;
    at = -1;
    count();
    requestAnimationFrame(revealOn); // the frame has its size by then
  });
  by("next").addEventListener("click", () => go(1));
  by("previous").addEventListener("click", () => go(-1));
  const step = (select, by) => {
    select.selectedIndex = (select.selectedIndex + by + select.options.length) % select.options.length;
    select.dispatchEvent(new Event("change"));
  };
  pane.addEventListener("click", (e) => { if (e.target.closest(".l")) select(lineOf(e.target)); });
  pane.addEventListener("keydown", (e) => {
    const buttons = all(".p button", pane), k = buttons.indexOf(e.target) + (e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : NaN);
    if (!(buttons.includes(e.target) && buttons[k])) return;
    e.preventDefault();
    select(lineOf(buttons[k]));
    buttons[k].focus();
  });
  rows.forEach((row, i) => {
    const cell = row.cells[0], button = make("button", { type: "button" }, ...cell.childNodes);
    cell.append(button);
    button.addEventListener("click", () => {
      method.selectedIndex = i;
      method.dispatchEvent(new Event("change"));
    });
  });
  const keys = (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
    switch (e.key) {
      case "j": step(method, 1); break;
      case "k": step(method, -1); break;
      case "n": go(1); break;
      case "p": go(-1); break;
      case "g": if (gold) { other.value = other.value === "gold" ? "" : "gold"; draw(); } break;
      case "v": step(view, 1); break;
      case "c": if (!shade.disabled) { shade.checked = !shade.checked; draw(); } break;
    }
  };
  document.addEventListener("keydown", keys);
  // The frame runs no script. What is clicked in it is seen from here.
  const framed = () => {
    frame.contentDocument.addEventListener("click", (e) => {
      e.preventDefault();
      if (e.target.closest("w-t")) select(lineOf(e.target));
    });
    frame.contentDocument.addEventListener("keydown", keys);
    drawFrame();
    select(on);
    if (view.value === "frame") revealOn();
  };
  for (const id of ["controls", "summary", "why", "keys"]) by(id).hidden = false;
  draw();
  if (frame.contentDocument.readyState === "complete" && inPage().length > 0) framed();
  else frame.addEventListener("load", framed);
  go(1);
  if (on < 0 && lines.length > 0) { // no difference: the first line that is chosen, or the most probable block
    const best = (current().blocks || []).reduce((a, b) => a && a.probability >= b.probability ? a : b, null);
    const first = current().spans.findIndex((s) => s.length > 0), start = first >= 0 ? first : best ? best.line : 0;
    reveal(lines[start]);
    select(start);
  }
})();
