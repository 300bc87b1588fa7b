"use strict";
// Sorting, filters, figures and downloads of report.html. Without it the page has its
// tables as they are, and no figures.
(() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const make = (tag, attributes, text) => {
    const e = document.createElement(tag);
    for (const name in attributes) e.setAttribute(name, attributes[name]);
    if (text !== undefined) e.textContent = text;
    return e;
  };

  // A cell's value: a number if it begins like one (thin spaces part thousands).
  const value = (cell) => {
    const text = cell ? cell.textContent.replace(/\u202f/g, "").trim() : "";
    const n = parseFloat(text);
    return { text, n: /^[-+]?[.\d]/.test(text) && !isNaN(n) ? n : null };
  };
  const compare = (a, b, direction) => {
    // Cells without a figure are last in both directions.
    if ((a.n === null) !== (b.n === null)) return a.n === null ? 1 : -1;
    return direction * (a.n !== null ? a.n - b.n : a.text.localeCompare(b.text));
  };
  const sortBy = (table, column, direction) => {
    for (const body of table.tBodies) {
      const rows = Array.from(body.rows).filter((r) => !r.querySelector(".set"));
      const keyed = rows.map((row, i) => ({ row, i, v: value(row.cells[column]) }));
      keyed.sort((a, b) => compare(a.v, b.v, direction) || a.i - b.i);
      for (const k of keyed) body.append(k.row);
    }
  };
  const few = 15; // rows of a long table that are shown at first, as the style sheet has it
  for (const table of all("table")) {
    const heads = table.tHead ? Array.from(table.tHead.rows[0].cells) : [], box = table.closest(".wide") || table;
    const lines = Array.from(table.tBodies).flatMap((b) => Array.from(b.rows)).filter((r) => !r.querySelector(".set")), rows = lines.length;
    if (rows < 2) continue;
    // Columns that tell nothing are left out of tables of figures.
    const idle = heads.filter((th, i) => i > 0 && !table.matches(".matrix") && lines.every((r) => /^[0–]?$/.test(r.cells[i].textContent)));
    for (const th of idle) for (const cell of [th, ...lines.map((r) => r.cells[th.cellIndex])]) cell.hidden = true;
    if (idle.length > 0) box.after(make("p", { class: "soft" }, "Left out, because 0 or – in every row: " + idle.map((th) => Array.from(th.childNodes, (n) => n.textContent).join(" ").replace(/\s+/g, " ")).join("; ") + "."));
    heads.forEach((th, column) => {
      if (th.tagName !== "TH") return;
      const button = make("button", { type: "button", class: "sort" });
      button.append(...th.childNodes);
      th.append(button);
      button.addEventListener("click", () => {
        const up = th.getAttribute("aria-sort") === "ascending" || (!th.hasAttribute("aria-sort") && column > 0 && value(table.tBodies[0].rows[table.tBodies[0].rows.length - 1].cells[column]).n !== null);
        heads.forEach((h) => h.removeAttribute("aria-sort"));
        th.setAttribute("aria-sort", up ? "descending" : "ascending");
        sortBy(table, column, up ? -1 : 1);
      });
    });
    if (rows < 10) continue;
    const long = rows > few + 5 && table.tBodies[0].rows.length > few, whole = make("button", { type: "button", class: "all" }, "Show all " + rows + " rows");
    if (long) {
      table.classList.add("short");
      box.after(whole);
      whole.addEventListener("click", () => { table.classList.remove("short"); whole.remove(); });
    }
    const label = make("label", { class: "filter" }, "Filter rows ");
    const input = make("input", { type: "search" });
    label.append(input);
    box.before(label);
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      table.classList.toggle("short", whole.isConnected && words.length === 0);
      for (const body of table.tBodies) {
        for (const row of body.rows) {
          if (row.querySelector(".set")) continue;
          const text = row.textContent.toLowerCase();
          row.hidden = !words.every((w) => text.includes(w));
        }
      }
    });
  }

  const theme = document.getElementById("theme");
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "light" : "dark";
  });

  // Downloads.
  const save = (name, type, text) => {
    const a = make("a", { download: name, href: URL.createObjectURL(new Blob([text], { type })) });
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
  };
  const csv = (table) => {
    const quote = (cell) => {
      let text = cell.textContent.trim();
      // A spreadsheet would take such a text for a formula.
      if (/^[=+\-@\t\r]/.test(text) && isNaN(Number(text))) text = "'" + text;
      return /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
    };
    return Array.from(table.rows, (row) => Array.from(row.cells, quote).join(",")).join("\r\n") + "\r\n";
  };
  // Figures are drawn from the data of the page, when they can be seen.
  const data = JSON.parse(document.getElementById("data").textContent);
  const known = (x) => x !== null && x !== undefined;
  const scorer = (name) => data.scorers.find((s) => s.name === name);
  const round = (x) => Math.round(x * 10) / 10;
  const short = (x) => (Math.abs(x) >= 100 ? x.toFixed(0) : String(Number(x.toPrecision(3))));

  // A drawing collects elements of SVG.
  const drawing = (width, height, title) => {
    const add = (parent, tag, attributes, text) => {
      const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const name in attributes) e.setAttribute(name, typeof attributes[name] === "number" ? round(attributes[name]) : attributes[name]);
      if (text !== undefined) e.textContent = text;
      parent.append(e);
      return e;
    };
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "fig");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", title);
    svg.setAttribute("viewBox", "0 0 " + width + " " + height);
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    const draw = (tag, attributes, text) => add(svg, tag, attributes, text);
    return { svg, draw, titled: (e, text) => add(e, "title", {}, text) };
  };

  // Round ticks of a linear axis, and powers of ten of a logarithmic one.
  const ticksOf = (from, to, log) => {
    const ticks = [];
    if (log) {
      for (let e = Math.ceil(Math.log10(from) - 1e-9); 10 ** e <= to * 1.001; e++) ticks.push(10 ** e);
      return ticks;
    }
    const rough = (to - from) / 4, power = 10 ** Math.floor(Math.log10(rough));
    const step = [5, 2, 1].map((k) => k * power).find((s) => s <= rough);
    for (let k = Math.ceil(from / step - 1e-9); k * step <= to + step * 1e-6; k++) ticks.push(Number((k * step).toFixed(10)));
    return ticks;
  };

  // Points with names where there is room; the others have theirs as titles and in the table.
  const scatter = (width, title, points, x, y, lower) => {
    const height = width > 500 ? 400 : 300, left = 58, right = width - 24, top = 12, bottom = height - 46;
    const { svg, draw, titled } = drawing(width, height, title);
    const range = (axis, of) => {
      let from = Math.min(...of), to = Math.max(...of);
      if (axis.log) return [from / 1.5, to * 1.5];
      const room = Math.max((to - from) * 0.08, 0.005);
      return [from - room, axis.most ? Math.min(axis.most, to + room) : to + room];
    };
    const scale = (axis, of, low, high) => {
      const [from, to] = range(axis, of);
      const at = (v) => (axis.log ? Math.log(v / from) / Math.log(to / from) : (v - from) / (to - from));
      return { at: (v) => low + at(v) * (high - low), ticks: ticksOf(from, to, axis.log) };
    };
    const sx = scale(x, points.map((p) => p.x), left, right), sy = scale(y, points.map((p) => p.y), bottom, top);
    for (const t of sx.ticks) {
      draw("path", { class: "grid", d: "M" + round(sx.at(t)) + " " + top + "V" + bottom });
      draw("text", { class: "middle", x: sx.at(t), y: bottom + 17 }, short(t));
    }
    for (const t of sy.ticks) {
      draw("path", { class: "grid", d: "M" + left + " " + round(sy.at(t)) + "H" + right });
      draw("text", { class: "end", x: left - 7, y: sy.at(t) + 4 }, short(t));
    }
    draw("text", { class: "middle soft", x: (left + right) / 2, y: height - 8 }, x.label);
    draw("text", { class: "middle soft", transform: "translate(13 " + (top + bottom) / 2 + ") rotate(-90)" }, y.label);
    const better = (a, b) => (lower ? a < b : a > b);
    const front = points.filter((p) => !p.bound && !points.some((q) => !q.bound && q.x >= p.x && !better(p.y, q.y) && (q.x > p.x || better(q.y, p.y))));
    front.sort((a, b) => a.x - b.x);
    if (x.front && front.length > 1) draw("path", { class: "front", d: "M" + front.map((p) => round(sx.at(p.x)) + " " + round(sy.at(p.y))).join("L") });
    const taken = points.map((p) => ({ l: sx.at(p.x) - 5, r: sx.at(p.x) + 5, t: sy.at(p.y) - 5, b: sy.at(p.y) + 5 }));
    for (const p of points) titled(draw("circle", { class: p.bound ? "bound" : "point", cx: sx.at(p.x), cy: sy.at(p.y), r: 4.5 }), p.name + ": " + short(p.x) + ", " + short(p.y));
    for (const p of [...front, ...points.filter((p) => !front.includes(p))]) {
      const w = p.name.length * 7 + 4, px = sx.at(p.x), py = sy.at(p.y);
      for (const [l, base] of [[px + 7, py + 4], [px - 7 - w, py + 4], [px - w / 2, py - 9], [px - w / 2, py + 18], [px - 4, py - 9], [px - 4, py + 18]]) {
        const box = { l, r: l + w, t: base - 11, b: base + 3 };
        if (box.l < left || box.r > right || box.t < top || box.b > bottom || taken.some((o) => box.l < o.r && o.l < box.r && box.t < o.b && o.t < box.b)) continue;
        draw("text", { x: l + 2, y: base }, p.name);
        taken.push(box);
        break;
      }
    }
    return svg;
  };

  // A strip for each extractor: the higher a step, the more pages have such a score.
  const strips = (width, title, p) => {
    const rows = p.names.map((name, i) => ({ name, counts: p.histogram[i] })).filter((r) => known(r.counts));
    const letters = width > 500 ? 20 : 12, left = 16 + 7.2 * Math.min(letters, Math.max(...rows.map((r) => r.name.length))), right = width - 14;
    const pitch = rows.length > 30 ? 15 : 19, height = rows.length * pitch + 44;
    const { svg, draw, titled } = drawing(width, height, title);
    rows.forEach((r, k) => {
      const most = Math.max(...r.counts), total = r.counts.reduce((a, b) => a + b, 0), n = r.counts.length, w = (right - left) / n, y = 4 + k * pitch;
      draw("text", { class: "end", x: left - 7, y: y + pitch - 6 }, r.name.length > letters ? r.name.slice(0, letters - 1) + "…" : r.name);
      r.counts.forEach((c, i) => {
        if (c === 0) return;
        const h = Math.max(1.5, (pitch - 3) * Math.sqrt(c / most));
        titled(draw("rect", { class: "strip", x: left + i * w, y: y + pitch - 3 - h, width: w - 1, height: h }), r.name + ": " + c + " of " + total + " pages from " + (i / n).toFixed(2) + " to " + ((i + 1) / n).toFixed(2));
      });
      draw("path", { class: "grid", d: "M" + left + " " + (y + pitch - 2.5) + "H" + right });
    });
    for (const t of [0, 0.2, 0.4, 0.6, 0.8, 1]) draw("text", { class: "middle", x: left + t * (right - left) - (t === 1 ? 3 : 0), y: height - 24 }, String(t));
    draw("text", { class: "middle soft", x: (left + right) / 2, y: height - 6 }, "score of a page");
    return svg;
  };

  const tableOf = (heads, rows, classes) => {
    const table = make("table", { class: classes || "" }), head = make("tr", {}), body = make("tbody", {});
    for (const h of heads) head.append(make("th", h === "package" || h === "URL" ? { scope: "col", class: "left" } : { scope: "col" }, h));
    for (const row of rows) {
      const tr = make("tr", {});
      row.forEach((cell, i) => tr.append(cell instanceof Node ? cell : make(i ? "td" : "th", i ? {} : { scope: "row" }, cell)));
      body.append(tr);
    }
    const top = make("thead", {});
    top.append(head);
    table.append(top, body);
    const wide = make("div", { class: "wide", tabindex: "0", role: "group", "aria-label": heads.slice(0, 2).join(", ") });
    wide.append(table);
    return wide;
  };
  const figure = (into, name, caption, svg, rows) => {
    const f = make("figure", {}), words = make("figcaption", {}, caption + " "), draw = make("div", { class: "draw", tabindex: "0", role: "group", "aria-label": "Drawing: " + svg.getAttribute("aria-label") });
    draw.append(svg);
    const asSVG = make("button", { type: "button", class: "save" }, "SVG"), asCSV = make("button", { type: "button", class: "save" }, "CSV");
    asSVG.addEventListener("click", () => {
      const copy = svg.cloneNode(true), sheet = document.createElementNS("http://www.w3.org/2000/svg", "style");
      copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
      sheet.textContent = document.getElementById("style").textContent;
      copy.prepend(sheet);
      save(name + ".svg", "image/svg+xml", new XMLSerializer().serializeToString(copy));
    });
    asCSV.addEventListener("click", () => save(name + ".csv", "text/csv", csv(tableOf(rows[0], rows.slice(1)).querySelector("table"))));
    const saves = make("span", { class: "saves" });
    saves.append(asSVG, asCSV);
    words.append(saves);
    f.append(make("h3", {}, svg.getAttribute("aria-label")), draw, words);
    into.append(f);
  };

  const folded = (into, title, fill) => {
    const details = make("details", {});
    details.append(make("summary", {}, title));
    details.addEventListener("toggle", () => { if (details.open && details.children.length === 1) details.append(fill()); });
    into.append(details);
  };
  const shown = (x) => (known(x) ? x.toFixed(3) : "–");

  const drawFigures = (into, p) => {
    const plots = make("div", { class: "plots" });
    const scored = Object.keys(p.scores), room = () => Math.max(300, Math.min(680, into.clientWidth));
    let chosen = p.scorer, drawn = 0;
    const by = (name) => {
      plots.replaceChildren();
      chosen = name;
      drawn = room();
      const s = scorer(name), values = p.scores[name];
      const points = p.names.map((n, i) => ({ name: n, x: p.speed[i], y: values[i], bound: p.bounds[i] })), fit = points.filter((q) => known(q.x) && q.x > 0 && known(q.y));
      const missing = points.filter((q) => !fit.includes(q)).map((q) => q.name);
      if (fit.length > 0) figure(plots, "accuracy-speed", "The line joins the extractors that no other one surpasses in both. Hollow points are bounds, which read the gold." + (missing.length > 0 ? " Without speed or score, and so not drawn: " + missing.join(", ") + "." : ""),
        scatter(room(), "Accuracy and speed: " + name, fit, { label: "MB of HTML per second, one core", log: true, front: true }, { label: s.f1 ? "F1 by " + name : name, most: s.f1 ? 1.02 : 0 }, s.lower),
        [["extractor", "MB/s", name], ...points.map((q) => [q.name, known(q.x) ? String(q.x) : "", known(q.y) ? String(q.y) : ""])]);
      if (name !== p.scorer || !s.f1) return;
      const balance = p.names.map((n, i) => ({ name: n, x: p.recall[i], y: p.precision[i], bound: p.bounds[i] })).filter((q) => known(q.x) && known(q.y));
      if (balance.length > 0) figure(plots, "precision-recall", "An extractor at the lower right keeps too much, one at the upper left too little.", scatter(room(), "Precision and recall: " + name, balance, { label: "recall", most: 1.02 }, { label: "precision", most: 1.02 }, false),
        [["extractor", "recall", "precision"], ...balance.map((q) => [q.name, String(q.x), String(q.y)])]);
      if (p.histogram.some(known)) figure(plots, "distribution", "How many pages have which score. Heights grow with the square root, so that few pages are seen, too.", strips(room(), "Scores of pages: " + name, p),
        [["extractor", ...Array.from({ length: 25 }, (_, i) => (i / 25).toFixed(2))], ...p.names.map((n, i) => [n, ...(p.histogram[i] || []).map(String)])]);
    };
    if (scored.length > 0) {
      if (scored.length > 1) {
        const label = make("label", { class: "measure" }, "Scorer "), select = make("select", {});
        for (const name of scored) select.append(make("option", name === p.scorer ? { selected: "" } : {}, name));
        select.addEventListener("change", () => by(select.value));
        label.append(select);
        into.append(label);
      }
      into.append(plots);
      by(p.scorer);
      addEventListener("resize", () => { if (into.clientWidth > 0 && room() !== drawn) by(chosen); });
    }
    if (scored.length > 1) folded(into, "All scorers", () => tableOf(["extractor", ...scored], p.names.map((n, i) => [n, ...scored.map((s) => shown(p.scores[s][i]))])));
    if (p.agreement) folded(into, "Who agrees with whom", () => tableOf(["extractor", ...p.names], p.names.map((n, i) => [n, ...p.agreement[i].map((x) => make("td", known(x) ? { class: "h" + Math.round(100 * x) } : {}, known(x) ? x.toFixed(2) : "–"))]), "matrix"));
  };
  for (const section of all("section[data-package]")) {
    const into = section.querySelector(".figures"), p = data.packages[Number(section.dataset.package)], details = into.closest("details");
    const once = () => { if (into.children.length === 0) drawFigures(into, p); };
    if (!details) once();
    else details.addEventListener("toggle", once);

    // Scores open the worst pages of an extractor.
    for (const cell of all(".heat td, td.score", section)) {
      const head = cell.closest("table").tHead.rows[0].cells[cell.cellIndex], name = cell.parentElement.cells[0].textContent;
      const list = data.worst[[name, head.dataset.in, head.dataset.type].join("\n")] || [];
      const what = name + " on " + (head.dataset.type ? head.dataset.type + " of " : "") + head.dataset.in;
      if (list.length === 0) continue;
      const button = make("button", { type: "button", class: "open", title: "worst pages", "aria-label": cell.textContent + ": worst pages of " + what });
      button.append(...cell.childNodes);
      cell.append(button);
      button.addEventListener("click", () => {
        const wide = cell.closest(".wide");
        if (wide.nextElementSibling?.matches(".worst")) wide.nextElementSibling.remove();
        const box = make("div", { class: "worst", role: "status" });
        box.append(make("p", {}, "The worst pages of " + what + ":"), tableOf(["document", "package", "score", "bytes", "URL"], list.map(([i, x]) => {
          const d = data.pages[i], th = make("th", { scope: "row", class: "any", "data-in": d.package, "data-doc": d.doc }, d.doc);
          return [th, make("td", { class: "left any" }, d.package), shown(x), String(d.bytes), make("td", { class: "left any" }, d.url)];
        })));
        wide.after(box);
        linkPages(box);
      });
    }
  }

  // A server of Winnow names its inspector: pages in tables become links to it.
  const inspector = document.querySelector('meta[name="winnow-inspector"]');
  function linkPages(root) {
    if (!inspector) return;
    for (const cell of all("[data-doc]", root)) {
      const link = make("a", { href: inspector.content + "?" + new URLSearchParams({ package: cell.dataset.in, doc: cell.dataset.doc }) });
      link.append(...cell.childNodes);
      cell.append(link);
    }
  }
  linkPages(document);
})();
