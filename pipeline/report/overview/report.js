"use strict";
// Sorting, filters, the switch and downloads of report.html. Without it the page shows
// the same figures and tables as they are.
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
  for (const table of all("table")) {
    const heads = table.tHead ? Array.from(table.tHead.rows[0].cells) : [];
    const rows = Array.from(table.tBodies).reduce((n, b) => n + b.rows.length, 0);
    if (rows < 2) continue;
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
    if (rows < 6) continue;
    const label = make("label", { class: "filter" }, "Filter rows ");
    const input = make("input", { type: "search" });
    label.append(input);
    (table.closest(".wide") || table).before(label);
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const body of table.tBodies) {
        for (const row of body.rows) {
          if (row.querySelector(".set")) continue;
          const text = row.textContent.toLowerCase();
          row.hidden = !words.every((w) => text.includes(w));
        }
      }
    });
  }

  // The switch.
  const controls = document.getElementById("controls");
  const choice = (id) => document.getElementById(id);
  const show = () => {
    const measure = choice("measure") ? choice("measure").value : "";
    const type = choice("type") ? choice("type").value : "";
    const pack = choice("package") ? choice("package").value : "";
    for (const section of all("section[data-package]")) section.hidden = pack !== "" && section.dataset.package !== pack;
    for (const place of all(".place[data-follows]")) {
      let found = false;
      for (const figure of all("figure", place)) {
        // Figures of all packages side by side know no page types.
        const fits = figure.dataset.measure === (measure || figure.dataset.measure) && (figure.dataset.type === type || place.dataset.follows === "measure");
        figure.hidden = measure === "" && type === "" ? !("shown" in figure.dataset) : !fits;
        if (!figure.hidden) found = true;
      }
      let none = place.querySelector(".none");
      if (!none) {
        none = make("p", { class: "none" }, "No figure of “" + place.dataset.name + "” for this choice: nothing was measured, or the page has no room for it.");
        place.append(none);
      }
      none.hidden = found;
    }
  };
  if (controls) {
    controls.hidden = false;
    for (const select of all("select", controls)) select.addEventListener("change", show);
    const theme = document.getElementById("theme");
    theme.addEventListener("click", () => {
      const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      document.documentElement.dataset.theme = dark ? "light" : "dark";
    });
  }

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
  const style = document.getElementById("figure-style").textContent;
  for (const figure of all("figure")) {
    const name = figure.dataset.file;
    const buttons = make("div", {});
    const svg = make("button", { type: "button", class: "save" }, "Save as SVG");
    svg.addEventListener("click", () => {
      const drawing = figure.querySelector("svg").cloneNode(true);
      drawing.setAttribute("xmlns", "http://www.w3.org/2000/svg");
      const sheet = document.createElementNS("http://www.w3.org/2000/svg", "style");
      sheet.textContent = style;
      drawing.prepend(sheet);
      save(name + ".svg", "image/svg+xml", new XMLSerializer().serializeToString(drawing));
    });
    const data = make("button", { type: "button", class: "save" }, "Save data as CSV");
    data.addEventListener("click", () => save(name + ".csv", "text/csv", csv(figure.querySelector("table"))));
    buttons.append(svg, data);
    figure.querySelector("figcaption").append(buttons);
  }

  // A server of Winnow names its inspector: pages in tables become links to it.
  const inspector = document.querySelector('meta[name="winnow-inspector"]');
  if (inspector) {
    for (const cell of all("[data-doc]")) {
      const link = make("a", { href: inspector.content + "?" + new URLSearchParams({ package: cell.dataset.in, doc: cell.dataset.doc }) });
      link.append(...cell.childNodes);
      cell.append(link);
    }
  }
})();
