// defuddle, the extractor of Obsidian's Web Clipper.
//
// Install: npm install, in this folder
import { serve, versionOf } from "./winnow-extractor.mjs";
import { Defuddle } from "defuddle/node";
import { parseHTML } from "linkedom";

serve("defuddle", versionOf("defuddle"), "K. Ango: Defuddle. Software. https://github.com/kepano/defuddle", async (html, url) => {
  const { document } = parseHTML(html);
  const result = await Defuddle(document, URL.canParse(url) ? url : "http://invalid.example/", { useAsync: false });
  return { html: result.content ?? "" };
});
